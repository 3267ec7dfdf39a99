package reports

import (
	"fmt"
	"io"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
)

// Baseline is what a baseline file holds of a configuration.
type Baseline struct {
	Schema        string          `json:"schema"` // concur/baseline-summary/v1
	File          string          `json:"file"`
	Configuration string          `json:"configuration"`
	Runs          []BaselineRun   `json:"runs"`    // those that count, the oldest first
	Queries       []BaselineQuery `json:"queries"` // over the runs of the pool
	Phi           *gate.Phi       `json:"phi"`
	Concordance   *float64        `json:"concordance_p"`
	Warnings      []string        `json:"warnings"`
}

// BaselineRun is an accepted run.
type BaselineRun struct {
	Run      string `json:"run"`
	Pool     bool   `json:"pool"` // a run is compared with it
	Seed     int64  `json:"seed"`
	Passes   int    `json:"passes"`
	Decision string `json:"decision"` // "" where it was accepted by hand
	Override string `json:"override"` // reason and author; "" without
	Correct  int    `json:"correct"`  // queries whose consensus is
	Queries  int    `json:"queries"`
	Traces   Tally  `json:"traces"`
}

// BaselineQuery is the history of a query.
type BaselineQuery struct {
	Query    string `json:"query"`
	Category string `json:"category"`
	Safety   bool   `json:"safety"`
	History  Tally  `json:"history"`
	Runs     int    `json:"runs"` // of the pool with a scored trace of it
}

// BaselineOf gathers it. Pool and evidence are those of one configuration.
func BaselineOf(file string, b *baseline.Baseline, pool baseline.Pool, e gate.Evidence) Baseline {
	out := Baseline{
		Schema: "concur/baseline-summary/v1", File: file, Configuration: pool.Configuration,
		Runs: []BaselineRun{}, Queries: []BaselineQuery{}, Phi: e.Phi, Concordance: e.Concordance, Warnings: append([]string{}, e.Warnings...),
	}
	held := map[string]bool{}
	for _, r := range pool.Runs {
		held[r.Run] = true
	}
	for _, r := range b.Counting(pool.Configuration) {
		row := BaselineRun{Run: r.Run, Pool: held[r.Run], Seed: r.Seed, Passes: len(r.Passes), Correct: r.Correct, Queries: r.Dataset.Queries}
		if r.Decision != nil {
			row.Decision = string(*r.Decision)
		}
		if r.Override != nil {
			row.Override = r.Override.Reason + " (" + r.Override.Author + ")"
		}
		for _, q := range r.Queries {
			t := q.Count()
			row.Traces = tally(gate.Traces{Right: row.Traces.Right, Wrong: row.Traces.Scored - row.Traces.Right, Unscored: row.Traces.Unscored, Lost: row.Traces.Lost}.Plus(t))
		}
		out.Runs = append(out.Runs, row)
	}
	for _, it := range e.Items {
		out.Queries = append(out.Queries, BaselineQuery{it.Query, it.Category, it.Safety, tally(it.History), it.Runs})
	}
	return out
}

// WriteBaseline writes it for a terminal.
func WriteBaseline(w io.Writer, b Baseline) error {
	runs := []figure[BaselineRun]{
		word("run", func(r BaselineRun) line { return quoted(r.Run) }),
		word("compared\nwith", func(r BaselineRun) line { return plain(map[bool]string{true: "yes", false: "no longer"}[r.Pool]) }),
		{header: plain("seed"), number: true, cell: func(r BaselineRun) line { return plain(strconv.FormatInt(r.Seed, 10)) }},
		{header: plain("passes"), number: true, cell: func(r BaselineRun) line { return plain(strconv.Itoa(r.Passes)) }},
		{header: plain("correct"), number: true, cell: func(r BaselineRun) line { return plain(fmt.Sprintf("%d/%d", r.Correct, r.Queries)) }},
		{header: plain("right\ntraces"), number: true, cell: func(r BaselineRun) line { return plain(r.Traces.String()) }},
		word("gate", func(r BaselineRun) line {
			if r.Decision == "" {
				return plain("by hand")
			}
			return quoted(r.Decision)
		}),
		{header: plain("override"), most: maxReason, cell: func(r BaselineRun) line { return quoted(r.Override) }},
	}
	queries := []figure[BaselineQuery]{
		word("query", func(q BaselineQuery) line { return quoted(q.Query) }),
		word("category", func(q BaselineQuery) line { return quoted(q.Category) }),
		{header: plain("right\ntraces"), number: true, cell: func(q BaselineQuery) line { return plain(q.History.String()) }},
		word("rule", func(q BaselineQuery) line { return plain(ruleOf(q)) }),
	}
	lines := []line{say(plain("configuration "), quoted(b.Configuration), plain(" of "), quoted(b.File))}
	if b.Phi != nil {
		lines = append(lines, plain(fmt.Sprintf("runs differ by %.1f times what their traces would (phi, 95 %% [%.1f, %.1f])", b.Phi.Value, b.Phi.Low, b.Phi.High)))
	}
	for _, warning := range b.Warnings {
		lines = append(lines, say(plain("warning: "), blend(warning)))
	}
	return writeText(w, document{
		details:  []part{{table: tabulate(nil, queries, b.Queries)}},
		headline: []part{{table: tabulate(nil, runs, b.Runs)}, {lines: lines}},
	})
}

// ruleOf says by what a query is guarded.
func ruleOf(q BaselineQuery) string {
	switch {
	case q.Safety:
		return "safety: no failure is allowed"
	case q.History.Scored < 4 || q.Runs < 2:
		return fmt.Sprintf("not gated yet (%d of 4 traces, %d of 2 runs)", q.History.Scored, q.Runs)
	}
	return ""
}
