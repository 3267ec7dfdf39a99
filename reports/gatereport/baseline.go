package gatereport

import (
	"fmt"
	"io"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/config"
)

// Baseline is the content of a baseline file for one configuration.
type Baseline struct {
	Schema        string        `json:"schema"` // concur/baseline-summary/v2
	File          string        `json:"file"`
	Configuration string        `json:"configuration"`
	Runs          []BaselineRun `json:"runs"`    // the runs that count, the oldest first
	Queries       []gate.Item   `json:"queries"` // over the runs of the pool
	Phi           *gate.Phi     `json:"phi"`
	Concordance   *float64      `json:"concordance_p"`
	Overrides     []string      `json:"overrides"` // of runs of the pool, and its last reset
	Warnings      []string      `json:"warnings"`
}

// BaselineRun is an accepted run.
type BaselineRun struct {
	baseline.AcceptedRun
	Pool   bool        `json:"pool"` // new runs are compared with it
	Traces gate.Traces `json:"traces"`
}

// NewBaseline returns the content of a baseline file for one configuration. Pool and evidence must be of the
// same configuration.
func NewBaseline(file string, b *baseline.Baseline, pool baseline.Pool, e gate.Evidence) Baseline {
	out := Baseline{
		Schema: "concur/baseline-summary/v2", File: file, Configuration: pool.Configuration, Runs: []BaselineRun{},
		Queries: append([]gate.Item{}, e.Items...), Phi: e.Phi, Concordance: e.Concordance,
		Overrides: append([]string{}, e.Overrides...), Warnings: append([]string{}, e.Warnings...),
	}
	counting := b.Counting(pool.Configuration)
	for i, r := range counting {
		row := BaselineRun{AcceptedRun: r, Pool: i >= len(counting)-len(pool.Runs)}
		for _, q := range r.Queries {
			row.Traces = row.Traces.Plus(q.Count())
		}
		out.Runs = append(out.Runs, row)
	}
	return out
}

// WriteBaseline writes a Baseline as a table or as JSON.
func WriteBaseline(w io.Writer, f document.Format, b Baseline, s document.Screen) error {
	if f == document.FormatJSON {
		return document.WriteJSON(w, b)
	}
	runs := []document.Column[BaselineRun]{
		{Header: "run", Text: func(r BaselineRun) document.RichText { return document.Quoted(r.Run) }},
		{
			Header: "compared\nwith",
			Text: func(r BaselineRun) document.RichText {
				if r.Pool {
					return document.Plain("yes")
				}
				return document.Plain("no longer")
			},
		},
		{Header: "seed", Show: func(r BaselineRun) string { return strconv.FormatInt(r.Seed, 10) }},
		{
			Header: "correct",
			Show:   func(r BaselineRun) string { return fmt.Sprintf("%d/%d", r.Correct, r.Dataset.Queries) },
		},
		{Header: "right\ntraces", Show: func(r BaselineRun) string { return r.Traces.String() }},
		{
			Header: "gate",
			Text: func(r BaselineRun) document.RichText {
				if r.Decision == nil {
					return document.Plain("by hand")
				}
				return document.Quoted(string(*r.Decision))
			},
		},
	}
	queries := []document.Column[gate.Item]{
		{Header: "query", Text: func(q gate.Item) document.RichText { return document.Quoted(q.Query) }},
		{Header: "category", Text: func(q gate.Item) document.RichText { return document.Quoted(q.Category) }},
		{Header: "right\ntraces", Show: func(q gate.Item) string { return q.History.String() }},
		{
			Header: "rule",
			Text: func(q gate.Item) document.RichText {
				switch {
				case q.Safety:
					return document.Plain("safety: no failure is allowed")
				case !q.Gated():
					return document.Phrase("not gated yet (%d of 4 traces, %d of 2 runs)", q.History.Scored(), q.Runs)
				}
				return nil
			},
		},
	}
	lines := []document.RichText{document.Quoted(b.File)}
	if b.Configuration != config.DefaultName {
		lines[0] = document.Phrase("configuration %s of %s", document.Quoted(b.Configuration), lines[0])
	}
	if b.Phi != nil {
		lines = append(lines, document.Phrase("runs differ by %.1f times what their traces would (phi, 95 %% [%.1f, %.1f])",
			b.Phi.Value, b.Phi.Low, b.Phi.High))
	}
	for _, override := range b.Overrides {
		lines = append(lines, document.Phrase("override: %s", document.Mixed(override)))
	}
	for _, warning := range b.Warnings {
		lines = append(lines, document.Phrase("warning: %s", document.Mixed(warning)))
	}
	return s.Write(w, document.Document{
		Details:  []document.Section{{Table: document.Tabulate(nil, queries, b.Queries)}},
		Headline: []document.Section{{Table: document.Tabulate(nil, runs, b.Runs)}, {Lines: lines}},
	})
}
