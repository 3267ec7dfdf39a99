package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// GateOf returns a decision on a case with the data for people; fresh are the folders with fresh traces. Fresh
// traces that another question asked for are left out. The caller sets Baseline and As.
func GateOf(p confirm.Case, fresh []baseline.Pass, out gate.Outcome) Gate {
	m, c := p.Pass.Manifest, p.Pass.Configuration
	g := Gate{
		Schema: GateSchema, Run: m.Run, Configuration: c.Name, Command: result.Command(c), Model: c.Model,
		Dataset: m.Dataset.Name,
		K:       c.K, Seed: m.Seed, Fresh: []string{}, Differs: append([]string{}, p.Differs...), Outcome: out,
		AnswersOnly: m.Versions[baseline.Graded] != "",
	}
	for i, title := range result.Titles(m) {
		if m.Configurations[i].Name == c.Name {
			g.Title = title
		}
	}
	before := p.Pool
	if out.Decision == gate.Drift {
		before = p.Frozen
	}
	traces := map[string][]baseline.AcceptedTrace{}
	for _, run := range before.Runs {
		for _, q := range run.Queries {
			traces[q.Query] = append(traces[q.Query], q.Traces...)
		}
	}
	at := map[string]int{}
	for i, it := range p.Evidence.Items {
		at[it.Query] = i
		g.Queries = append(g.Queries, GateQuery{
			Query: it.Query, Category: it.Category, Safety: it.Safety, Status: statusOf(it, out),
			Expected: p.Data.Queries[i].Gold.Expected(),
			Now:      it.Current, Before: before.Items[i].History, Fresh: gate.Count(it.Fresh),
			AnswersBefore: answersOf(traces[it.Query]),
		})
	}
	for _, pass := range append([]baseline.Pass{p.Pass}, fresh...) {
		own := pass.Manifest.Run == m.Run
		for _, r := range pass.Records {
			q := &g.Queries[at[r.Query]]
			if own {
				q.Seconds, q.Cluster = r.Timing.WallS, r.Cluster
			}
			var said []baseline.AcceptedTrace
			var answers []store.Answer
			for _, a := range r.Answers {
				if a.Trace < c.K+q.Fresh.All() {
					said, answers = append(said, baseline.Accepted(a)), append(answers, a)
				}
			}
			if len(said) == 0 {
				continue
			}
			if !own && !slices.Contains(g.Fresh, pass.Manifest.Run) {
				g.Fresh = append(g.Fresh, pass.Manifest.Run)
			}
			q.Passes = append(q.Passes, GatePass{pass.Manifest.Run, baseline.AcceptedQuery{Traces: said}.Count(),
				answersOf(said), unlike(answers)})
		}
	}
	g.Clusters = g.fallen()
	return g
}

// fallen returns the clusters in which at least two queries, and at least half of them, fell, if the decision
// is an alarm.
func (g Gate) fallen() []GateCluster {
	out := []GateCluster{}
	if !g.Decision.Alarm() {
		return out
	}
	at := map[string]int{}
	for _, q := range g.Queries {
		if q.Cluster == "" {
			continue
		}
		i, known := at[q.Cluster]
		if !known {
			i, at[q.Cluster] = len(out), len(out)
			out = append(out, GateCluster{Cluster: q.Cluster})
		}
		out[i].Queries++
		if q.fell() {
			out[i].Fell++
		}
	}
	out = slices.DeleteFunc(out, func(c GateCluster) bool { return c.Fell < 2 || 2*c.Fell < c.Queries })
	slices.SortStableFunc(out, func(a, b GateCluster) int { return cmp.Compare(b.Fell, a.Fell) })
	return out
}

// fell reports whether at least half of the query's traces were right before, and fewer than half are now.
func (q GateQuery) fell() bool {
	now := q.Now.Plus(q.Fresh)
	return q.Before.Right > 0 && q.Before.Right >= q.Before.Wrong && now.Wrong > now.Right
}

// statusOf returns the state of a query in the gate.
func statusOf(it gate.Item, out gate.Outcome) string {
	all := it.Current.Plus(gate.Count(it.Fresh))
	open := slices.ContainsFunc(out.Need, func(a gate.FreshRequest) bool {
		return a.Query == it.Query && !a.Total &&
			!it.Safety
	})
	switch {
	case it.Safety && all.Wrong > 0:
		return GateSafety
	case broken(out, it.Query):
		return GateBroken
	case it.Current.Scored() == 0:
		return GateUnscored
	case open:
		return GateSuspect
	case out.Decision.Alarm() && slices.Contains(out.Losses, it.Query):
		return GateLost
	case slices.ContainsFunc(out.NotGated, func(n gate.NotGated) bool { return n.Query == it.Query }):
		return GateNew
	case all.Right > 0 && all.Wrong > 0, it.History.Right > 0 && it.History.Wrong > 0:
		return GateFlaky
	case all.Right == 0:
		return GateFailing
	}
	return GateOK
}

// broken reports whether a test on single queries names the query.
func broken(out gate.Outcome, query string) bool {
	return slices.ContainsFunc([]*gate.Comparison{out.Rolling, out.Frozen}, func(c *gate.Comparison) bool {
		return c != nil && slices.ContainsFunc(c.Slips, func(s gate.QueryLoss) bool { return s.Query == query && s.Broken })
	})
}

// unlike returns the numbers of a right trace and of a wrong one, as concur trace --diff takes them; "" if one
// is missing.
func unlike(answers []store.Answer) string {
	first := map[judge.Ruling]int{judge.Correct: -1, judge.Incorrect: -1}
	for _, a := range answers {
		if n, ok := first[a.Verdict]; ok && n < 0 {
			first[a.Verdict] = a.Trace
		}
	}
	if first[judge.Correct] < 0 || first[judge.Incorrect] < 0 {
		return ""
	}
	return fmt.Sprintf("%d,%d", first[judge.Correct], first[judge.Incorrect])
}

// answersOf counts equal answers, the most frequent first.
func answersOf(traces []baseline.AcceptedTrace) []AnswerCount {
	out := []AnswerCount{}
	for _, t := range traces {
		text := fmt.Sprintf("[%s]", t.Outcome)
		if t.Answer != nil {
			text = *t.Answer
		}
		i := slices.IndexFunc(out, func(c AnswerCount) bool { return c.Answer == text })
		if i < 0 {
			i, out = len(out), append(out, AnswerCount{Answer: text, Right: t.Verdict == judge.Correct})
		}
		out[i].Count++
	}
	slices.SortStableFunc(out, func(a, b AnswerCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Answer, b.Answer))
	})
	return out
}

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

// BaselineOf returns the content of a baseline file. Pool and evidence are those of one configuration.
func BaselineOf(file string, b *baseline.Baseline, pool baseline.Pool, e gate.Evidence) Baseline {
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
func WriteBaseline(w io.Writer, f Format, b Baseline, s Screen) error {
	if f == FormatJSON {
		return JSON(w, b)
	}
	runs := []Column[BaselineRun]{
		{Header: "run", Text: func(r BaselineRun) line { return quoted(r.Run) }},
		{
			Header: "compared\nwith",
			Text: func(r BaselineRun) line {
				if r.Pool {
					return plain("yes")
				}
				return plain("no longer")
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
			Text: func(r BaselineRun) line {
				if r.Decision == nil {
					return plain("by hand")
				}
				return quoted(string(*r.Decision))
			},
		},
	}
	queries := []Column[gate.Item]{
		{Header: "query", Text: func(q gate.Item) line { return quoted(q.Query) }},
		{Header: "category", Text: func(q gate.Item) line { return quoted(q.Category) }},
		{Header: "right\ntraces", Show: func(q gate.Item) string { return q.History.String() }},
		{
			Header: "rule",
			Text: func(q gate.Item) line {
				switch {
				case q.Safety:
					return plain("safety: no failure is allowed")
				case !q.Gated():
					return plain(fmt.Sprintf("not gated yet (%d of 4 traces, %d of 2 runs)", q.History.Scored(), q.Runs))
				}
				return nil
			},
		},
	}
	lines := []line{quoted(b.File)}
	if b.Configuration != config.DefaultName {
		lines = []line{say(plain("configuration "), quoted(b.Configuration), plain(" of "), quoted(b.File))}
	}
	if b.Phi != nil {
		lines = append(lines, plain(fmt.Sprintf("runs differ by %.1f times what their traces would (phi, 95 %% "+
			"[%.1f, %.1f])", b.Phi.Value, b.Phi.Low, b.Phi.High)))
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
