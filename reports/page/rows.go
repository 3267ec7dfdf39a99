package page

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// row is a configuration with its records.
type row struct {
	*result.Configuration
	Letter  string // by which plots and the grid name it
	run     int    // index in Page.Runs
	records map[string]store.Record
	against *result.Comparison // with its baseline; nil where there is none
}

// rows puts the records of the runs to the configurations of the result.
func (p Page) rows() ([]row, error) {
	type place struct {
		run  int
		name string
	}
	at := map[place]int{}
	var out []row
	for i := range p.Result.Configurations {
		c := &p.Result.Configurations[i]
		r := row{Configuration: c, Letter: letter(i), records: map[string]store.Record{}}
		for j := range p.Result.Comparisons {
			if p.Result.Comparisons[j].Configuration == c.Name {
				r.against = &p.Result.Comparisons[j]
			}
		}
		for j, run := range p.Runs {
			for _, own := range run.Manifest.Configurations {
				if p.nameOf(j, own.Name) == c.Name {
					r.run = j
					at[place{j, own.Name}] = i
				}
			}
		}
		out = append(out, r)
	}
	for j, run := range p.Runs {
		for record, err := range run.Records() {
			if err != nil {
				return nil, err
			}
			if i, ok := at[place{j, record.Configuration}]; ok {
				out[i].records[record.Query] = record
			}
		}
	}
	return out, nil
}

// nameOf is the name that a run's configuration has in the result: of two runs, it begins with
// the run's label.
func (p Page) nameOf(run int, name string) string {
	if run < len(p.Result.Runs) {
		return p.Result.Runs[run].Label + ": " + name
	}
	return name
}

// letter is a, b … z, a1, b1 and so on.
func letter(i int) string {
	out := string(rune('a' + i%26))
	if i >= 26 {
		out += fmt.Sprint(i / 26)
	}
	return out
}

// question is a query with what the page filters by.
type question struct {
	id, category, text, expected string
	failed, flipped, disagree    bool
	ungrounded                   bool
}

// questions are the queries of all rows, by category and id.
func (p Page) questions(rows []row) []question {
	byID := map[string]*question{}
	for _, row := range rows {
		for id, r := range row.records {
			q := byID[id]
			if q == nil {
				q = &question{id: id, category: r.Category, text: r.Question, expected: r.Expected}
				byID[id] = q
			}
			q.failed = q.failed || r.Verdict.Verdict != judge.Correct
			q.disagree = q.disagree || len(r.Consensus.Votes) > 1
			for _, a := range r.Answers {
				q.ungrounded = q.ungrounded || a.Grounded != nil && !*a.Grounded
			}
		}
	}
	for _, c := range p.Result.Comparisons {
		for _, f := range c.Flips {
			if q := byID[f.Query]; q != nil {
				q.flipped = true
			}
		}
	}
	var out []question
	for _, q := range byID {
		out = append(out, *q)
	}
	order := p.Result.Dataset.Categories
	slices.SortFunc(out, func(a, b question) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.category), slices.Index(order, b.category)), cmp.Compare(a.category, b.category), cmp.Compare(a.id, b.id))
	})
	return out
}

const (
	// allTraces is the number of traces up to which a page has all of them; beyond, it has
	// those of failed and flipped queries.
	allTraces = 200
	// mostTraces keeps the page of a large run to a size that a browser opens at once.
	mostTraces = 500
)

// chosen are the queries whose traces the page has, and a sentence about the others.
func chosen(rows []row, all []question) (map[string]bool, string) {
	traces := map[string]int{}
	total := 0
	seen := map[trace.ID]bool{}
	for _, row := range rows {
		for id, r := range row.records {
			for _, a := range r.Answers {
				// The label of the run keeps apart what two runs of one agent did.
				key := trace.ID{Agent: fmt.Sprint(row.run, row.Agent), Query: id, Trace: a.Trace}
				if !seen[key] {
					seen[key] = true
					traces[id]++
					total++
				}
			}
		}
	}
	out := map[string]bool{}
	if total <= allTraces {
		for _, q := range all {
			out[q.id] = true
		}
		return out, ""
	}
	most, left := mostTraces, 0
	for _, wanted := range []func(question) bool{
		func(q question) bool { return q.flipped },
		func(q question) bool { return q.failed && !q.flipped },
	} {
		for _, q := range all {
			switch {
			case !wanted(q):
			case traces[q.id] > most:
				left++
			default:
				most -= traces[q.id]
				out[q.id] = true
			}
		}
	}
	said := fmt.Sprintf("The run has %d traces. The page has those of all %d queries that failed or flipped; concur trace shows the others.", total, len(out))
	if left > 0 {
		said = fmt.Sprintf("The run has %d traces. The page has those of %d queries that failed or flipped, as many as open at once; concur trace shows the others.", total, len(out))
	}
	return out, said
}
