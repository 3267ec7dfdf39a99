package page

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
)

// configRow is a configuration with its records.
type configRow struct {
	*result.Configuration
	Letter  string                  // the letter that plots and the table use for it
	run     int                     // index in Page.Runs
	records map[string]store.Record // by query; nil if the page is brief
	against *result.Comparison      // with its baseline; nil if not compared
}

func (r configRow) label() string { return r.Letter + "\u2002" + r.Name }

// decided counts the queries that have a record.
func (r configRow) decided() int { return r.Counts.Queries - r.Counts.Missing }

// rows joins the configurations of the result with the records of the runs.
func (p Page) rows() ([]configRow, error) {
	titled := reports.Titled(p.Result)
	out := make([]configRow, len(titled.Configurations))
	at := map[string]*configRow{} // by name in the manifest
	for i, c := range p.Result.Configurations {
		out[i] = configRow{Configuration: &titled.Configurations[i], Letter: letter(i), records: map[string]store.Record{}}
		at[c.Name] = &out[i]
	}
	for i, c := range p.Result.Comparisons {
		if r := at[c.Configuration]; r != nil {
			r.against = &titled.Comparisons[i]
		}
	}
	for i, run := range p.Runs {
		for _, c := range run.Manifest.Configurations {
			if r := at[p.nameOf(i, c.Name)]; r != nil {
				r.run = i
			}
		}
		if p.Brief {
			continue
		}
		for record, err := range run.Records() {
			if err != nil {
				return nil, err
			}
			if r := at[p.nameOf(i, record.Configuration)]; r != nil {
				r.records[record.Query] = record
			}
		}
	}
	return out, nil
}

// nameOf returns the name of a run's configuration in the result. With two runs, it begins with the label of
// the run.
func (p Page) nameOf(run int, name string) string {
	if run < len(p.Result.Runs) {
		return p.Result.Runs[run].Label + ": " + name
	}
	return name
}

// runName returns the page's name for one of two runs. This is the title of its only configuration, or the
// letter of the run. It is "" if the page has a single run.
func (p Page) runName(run int) string {
	if run >= len(p.Result.Runs) {
		return ""
	}
	label := p.Result.Runs[run].Label
	if title := reports.Titled(p.Result).Runs[run].Label; title != label {
		return title
	}
	return "Run " + label
}

// letter returns the letter of a configuration by its index: a, b … z, a1, b1 and so on.
func letter(i int) string {
	out := string(rune('a' + i%26))
	if i >= 26 {
		out += fmt.Sprint(i / 26)
	}
	return out
}

// question is a query with the tags that the page filters by.
type question struct {
	id, category, text, expected string
	tags                         map[string]bool // failed, flipped, other-way, disagreement, ungrounded
}

// questions returns the queries of all rows, by category and id.
func (p Page) questions(rows []configRow) []question {
	byID := map[string]*question{}
	for _, row := range rows {
		for id, r := range row.records {
			q := byID[id]
			if q == nil {
				q = &question{id: id, category: r.Category, text: r.Question, expected: r.Expected,
					tags: map[string]bool{}}
				byID[id] = q
			}
			if r.Verdict.Verdict != judge.Correct {
				q.tags["failed"] = true
			}
			if len(r.Consensus.Votes) > 1 {
				q.tags["disagreement"] = true
			}
			for _, a := range r.Answers {
				if a.Grounded != nil && !*a.Grounded {
					q.tags["ungrounded"] = true
				}
			}
		}
	}
	tag := func(id, name string) {
		if q := byID[id]; q != nil {
			q.tags[name] = true
		}
	}
	for _, c := range p.Result.Comparisons {
		for _, f := range c.Flips {
			tag(f.Query, "flipped")
		}
		for _, f := range c.WayFlips {
			tag(f.Query, "other-way")
		}
	}
	var out []question
	for _, q := range byID {
		out = append(out, *q)
	}
	order := p.Result.Dataset.Categories
	slices.SortFunc(out, func(a, b question) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.category), slices.Index(order, b.category)),
			cmp.Compare(a.category, b.category), cmp.Compare(a.id, b.id))
	})
	return out
}

const (
	// allTraces is the maximum number of traces for which the page shows all. If there are more, it shows only
	// the traces of queries that failed or flipped.
	allTraces = 200
	// mostTraces is the maximum number of traces in a page, so that a browser opens it quickly.
	mostTraces = 500
)

// chosen returns the queries whose traces the page shows, and a sentence about the others.
func chosen(rows []configRow, all []question) (map[string]bool, string) {
	of := map[origin]int{} // rows with the same agent share their traces
	for _, row := range rows {
		for id, r := range row.records {
			o := origin{row.run, row.Agent, id}
			of[o] = max(of[o], len(r.Answers))
		}
	}
	traces, total := map[string]int{}, 0
	for o, n := range of {
		traces[o.query] += n
		total += n
	}
	out := map[string]bool{}
	room, left := mostTraces, ""
	for _, flipped := range []bool{true, false} { // flipped queries first
		for _, q := range all {
			switch {
			case q.tags["flipped"] != flipped, total > allTraces && !flipped && !q.tags["failed"]:
			case total > allTraces && traces[q.id] > room:
				left = ", up to a limit of size"
			default:
				room -= traces[q.id]
				out[q.id] = true
			}
		}
	}
	if total <= allTraces {
		return out, ""
	}
	return out, fmt.Sprintf("The run has %d traces. The page has those of %s that failed or flipped%s; concur trace "+
		"shows the others.", total, text.Counted(len(out), "query"), left)
}
