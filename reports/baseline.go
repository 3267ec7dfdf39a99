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
	Schema        string        `json:"schema"` // concur/baseline-summary/v2
	File          string        `json:"file"`
	Configuration string        `json:"configuration"`
	Runs          []BaselineRun `json:"runs"`    // those that count, the oldest first
	Queries       []gate.Item   `json:"queries"` // over the runs of the pool
	Phi           *gate.Phi     `json:"phi"`
	Concordance   *float64      `json:"concordance_p"`
	Overrides     []string      `json:"overrides"` // of runs of the pool, and its last reset
	Warnings      []string      `json:"warnings"`
}

// BaselineRun is an accepted run.
type BaselineRun struct {
	baseline.AcceptedRun
	Pool   bool        `json:"pool"` // a run is compared with it
	Traces gate.Traces `json:"traces"`
}

// BaselineOf gathers it. Pool and evidence are those of one configuration.
func BaselineOf(file string, b *baseline.Baseline, pool baseline.Pool, e gate.Evidence) Baseline {
	out := Baseline{
		Schema: "concur/baseline-summary/v2", File: file, Configuration: pool.Configuration, Runs: []BaselineRun{},
		Queries: append([]gate.Item{}, e.Items...), Phi: e.Phi, Concordance: e.Concordance, Overrides: append([]string{}, e.Overrides...), Warnings: append([]string{}, e.Warnings...),
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

// WriteBaseline writes it as a table or as JSON.
func WriteBaseline(w io.Writer, f Format, b Baseline, s Screen) error {
	if f == FormatJSON {
		return JSON(w, b)
	}
	runs := []figure[BaselineRun]{
		word("run", func(r BaselineRun) line { return quoted(r.Run) }),
		word("compared\nwith", func(r BaselineRun) line { return plain(map[bool]string{true: "yes", false: "no longer"}[r.Pool]) }),
		count("seed", func(r BaselineRun) string { return strconv.FormatInt(r.Seed, 10) }),
		count("correct", func(r BaselineRun) string { return fmt.Sprintf("%d/%d", r.Correct, r.Dataset.Queries) }),
		count("right\ntraces", func(r BaselineRun) string { return r.Traces.String() }),
		word("gate", func(r BaselineRun) line {
			if r.Decision == nil {
				return plain("by hand")
			}
			return quoted(string(*r.Decision))
		}),
	}
	queries := []figure[gate.Item]{
		word("query", func(q gate.Item) line { return quoted(q.Query) }),
		word("category", func(q gate.Item) line { return quoted(q.Category) }),
		count("right\ntraces", func(q gate.Item) string { return q.History.String() }),
		word("rule", func(q gate.Item) line {
			switch {
			case q.Safety:
				return plain("safety: no failure is allowed")
			case !q.Gated():
				return plain(fmt.Sprintf("not gated yet (%d of 4 traces, %d of 2 runs)", q.History.Scored(), q.Runs))
			}
			return nil
		}),
	}
	lines := []line{say(plain("configuration "), quoted(b.Configuration), plain(" of "), quoted(b.File))}
	if b.Phi != nil {
		lines = append(lines, plain(fmt.Sprintf("runs differ by %.1f times what their traces would (phi, 95 %% [%.1f, %.1f])", b.Phi.Value, b.Phi.Low, b.Phi.High)))
	}
	for _, override := range b.Overrides {
		lines = append(lines, say(plain("override: "), blend(override)))
	}
	for _, warning := range b.Warnings {
		lines = append(lines, say(plain("warning: "), blend(warning)))
	}
	return s.write(w, document{
		details:  []part{{table: tabulate(nil, queries, b.Queries)}},
		headline: []part{{table: tabulate(nil, runs, b.Runs)}, {lines: lines}},
	})
}
