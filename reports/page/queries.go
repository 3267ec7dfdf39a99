package page

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports/transcript"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// gridCell is the result of one configuration for a query.
type gridCell struct {
	At        string // address of the decision in the page; "" if the page has no section for the query
	Mark      string
	Class     string
	Words     string
	Agreement string // such as "2/3"; "" for K=1
	Short     string // the answer, if the table has few configurations; else ""
}

// gridRow is the row of a query in the table of all configurations.
type gridRow struct {
	At, ID, Category, Text, Tags string
	Expected, Answer             string // Answer is the answer of the only configuration; "" if there are several
	Failed                       bool   // at least one configuration is not right
	Cells                        []gridCell
}

// section is the part of the page about one query.
type section struct {
	query                                  string // its id is as in the records
	At, ID, Category, Text, Expected, Tags string
	Beside                                 bool // two runs are shown side by side
	Blocks                                 []block
	NoTraces                               string // the reason why the section has no traces, or ""
}

// block holds the traces of an agent, and the results of the configurations that use the agent.
type block struct {
	Run       string // the label of the run; "" for a single run
	Decisions []decision
	Traces    []traceView
}

// decision is the consensus of a configuration, with its verdict.
type decision struct {
	gridCell
	Letter, Name string
	Answer       string
	Facts        []namedFact
}

// sections returns the rows of the table and the sections of the queries, in the same order.
func (p Page) sections(rows []configRow, docs *library) ([]gridRow, []section, string, error) {
	all := p.questions(rows)
	with, note := chosen(rows, all)
	events, err := p.events(with)
	if err != nil {
		return nil, nil, "", err
	}
	marks, err := p.marks(with)
	if err != nil {
		return nil, nil, "", err
	}
	var grid []gridRow
	var out []section
	for i, q := range all {
		s := section{query: q.id, At: fmt.Sprint("q", i+1), ID: shorten(q.id), Category: shorten(q.category),
			Text:     shorten(q.text),
			Expected: shorten(q.expected), Tags: strings.Join(slices.Sorted(maps.Keys(q.tags)), " "),
			Beside: len(p.Runs) > 1}
		line := gridRow{ID: s.ID, Category: s.Category, Text: text.Clip(s.Text, 90), Tags: s.Tags,
			Expected: text.Clip(s.Expected, mostShown), Failed: q.tags["failed"]}
		shown := with[q.id] || q.tags["failed"] || q.tags["flipped"]
		if shown {
			line.At = s.At
		}
		blocks := map[origin]int{}
		for _, row := range rows {
			r, ok := row.records[q.id]
			if !ok {
				line.Cells = append(line.Cells, gridCell{Mark: "·", Class: "missing", Words: "no record"})
				continue
			}
			d := decided(r, row)
			if shown {
				d.At = s.At + row.Letter
			}
			short := text.Clip(d.Answer, mostShown)
			switch {
			case len(rows) == 1:
				line.Answer = short
			case len(rows) <= fewRows:
				d.Short = short
			}
			line.Cells = append(line.Cells, d.gridCell)
			o := origin{row.run, r.Agent, q.id}
			at, known := blocks[o]
			if !known {
				at = len(s.Blocks)
				blocks[o] = at
				b := block{Traces: transcripts(events[o], before(row, rows, events, q.id), docs, marks[row.run])}
				p.link(b.Traces, p.Runs[row.run])
				b.Run = p.runName(row.run)
				s.Blocks = append(s.Blocks, b)
			}
			s.Blocks[at].Decisions = append(s.Blocks[at].Decisions, d)
		}
		if !with[q.id] {
			s.NoTraces = "The traces of this query are left out, since the run is large."
		}
		if shown {
			out = append(out, s)
		}
		grid = append(grid, line)
	}
	slices.SortStableFunc(grid, func(a, b gridRow) int { return failures(b) - failures(a) })
	return grid, out, note, nil
}

// mostShown is the maximum number of characters of an answer in the table of queries.
const mostShown = 60

// fewRows is the maximum number of configurations with which the table of queries shows answers.
const fewRows = 3

// failures returns 1 for a query that a configuration has not right, and 0 for the others, so that failed
// queries can be sorted first.
func failures(r gridRow) int {
	if r.Failed {
		return 1
	}
	return 0
}

// before returns the traces with which the traces of a row are compared: those of its baseline in the other
// run.
func before(
	of configRow, rows []configRow, events map[origin]map[int][]trace.Event, query string,
) map[int][]trace.Event {
	if of.run == 0 || of.against == nil {
		return nil
	}
	i := slices.IndexFunc(rows, func(r configRow) bool { return r.Name == of.against.Baseline })
	return events[origin{rows[i].run, rows[i].records[query].Agent, query}]
}

// Mark returns the sign for the result of a query, the name of its class in the style sheet, and the result in
// words.
func Mark(r store.Record) (sign, class, words string) {
	switch {
	case r.Verdict.Verdict == judge.Correct:
		return "✓", "right", "right"
	case r.Verdict.Verdict == judge.Unscored:
		return "!", "unscored", "not scored"
	case r.Consensus.Answer == nil && r.Consensus.Outcome != trace.Refused && r.Consensus.Outcome != trace.Answered:
		return "–", "none", "no answer"
	}
	return "✗", "wrong", "wrong"
}

// decided describes the decision of a configuration on a query.
func decided(r store.Record, row configRow) decision {
	d := decision{Letter: row.Letter, Name: row.Name, Answer: shorten(r.Decided())}
	d.Mark, d.Class, d.Words = Mark(r)
	if n := len(r.Answers); r.Consensus.Agreement != nil {
		d.Agreement = fmt.Sprintf("%.0f/%d", *r.Consensus.Agreement*float64(n), n)
	}
	verdict := string(r.Verdict.Verdict) + " by " + r.Verdict.By + ": " + r.Verdict.Reason
	d.Facts = []namedFact{{"verdict", shorten(verdict)}, {"votes", ballots(r)}}
	if len(r.Turns) == 0 {
		d.judged(r)
		return d
	}
	for n, t := range r.ByTurn() {
		d.Facts = append(d.Facts, namedFact{fmt.Sprintf("turn %d", n+1), shorten(fmt.Sprintf("%s Expected: %s. Answer: %s. "+
			"%s: %s", t.Question, t.Expected, t.Decided(), t.Verdict.Verdict, t.Verdict.Reason))},
			namedFact{"votes", ballots(t)})
		d.judged(t)
	}
	return d
}

// judged adds the judgements on a record.
func (d *decision) judged(r store.Record) {
	for _, j := range transcript.Judged(r) {
		d.Facts = append(d.Facts, namedFact{j.By, shorten(j.Text)})
	}
}

// ballots lists the votes with their traces, and the traces that did not vote.
func ballots(r store.Record) string {
	var out []string
	for _, v := range r.Consensus.Votes {
		traces := strings.ReplaceAll(strings.Trim(fmt.Sprint(v.Traces), "[]"), " ", ", ")
		word := text.Verb(len(v.Traces), "trace", "traces")
		out = append(out, fmt.Sprintf("%s by %s %s", v.Key, word, traces))
	}
	for _, a := range r.Answers {
		if !a.Outcome.Votes() {
			out = append(out, fmt.Sprintf("no vote of trace %d (%s)", a.Trace, a.StopReason))
		}
	}
	if r.Consensus.Method != consensus.Single {
		out = append(out, "decided as "+string(r.Consensus.Method))
	}
	return shorten(strings.Join(out, "; "))
}
