package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// report puts a decision together with what people need beside it.
func (g *gating) report(out gate.Outcome) reports.Gate {
	m := g.run.Manifest
	r := reports.Gate{
		Schema: reports.GateSchema, Run: m.Run, Configuration: g.configuration.Name, Model: g.configuration.Model,
		Dataset: m.Dataset.Name, Baseline: g.baseline, K: g.configuration.K, Seed: m.Seed,
		Confirm: strings.Join(g.confirm, ", "), Replica: g.replica, Outcome: out,
	}
	records := map[string]store.Record{}
	for _, rec := range g.pass.Records {
		records[rec.Query] = rec
	}
	suspects := suspectsOf(out)
	for _, it := range g.evidence.Items {
		rec := records[it.Query]
		q := reports.GateQuery{
			Query: it.Query, Category: it.Category, Safety: it.Safety, Status: statusOf(it, suspects),
			Now: tally(it.Current), Before: tally(it.History),
			Consensus: reports.Decided(rec), Verdict: string(rec.Verdict.Verdict), Reason: rec.Verdict.Reason,
			AnswersNow: answersNow(rec), AnswersBefore: answersIn(g.pool, it.Query), AnswersFrozen: answersIn(g.frozen, it.Query), Seconds: rec.Timing.WallS,
		}
		if it.Fresh != nil {
			q.Fresh = tally(*it.Fresh)
		}
		r.Queries = append(r.Queries, q)
	}
	return r
}

// resultsApart refuses two results in one file, of which one would be lost.
func resultsApart(ctx *cli.Context) error {
	names := []string{flagOut, flagJUnit, flagMarkdown}
	for i, name := range names {
		for _, other := range names[:i] {
			a, b := ctx.String(name), ctx.String(other)
			if a != "" && b != "" && (samePath(a, b) || sameFile(a, b)) && !isDevice(a) {
				return usagef("--%s and --%s name the same file, %s: choose another for one of them", other, name, a)
			}
		}
	}
	return nil
}

// samePath reports whether two names of files, which need not be there, lead to one place.
func samePath(a, b string) bool {
	place := func(file string) string {
		dir, err := resolved(filepath.Dir(file))
		if err != nil {
			dir = filepath.Dir(file)
		}
		return filepath.Join(dir, filepath.Base(file))
	}
	return place(a) == place(b)
}

// isDevice reports whether a file is no regular one, as /dev/null: nothing is lost in it.
func isDevice(file string) bool {
	info, err := os.Stat(file)
	return err == nil && !info.Mode().IsRegular()
}

func tally(t gate.Traces) reports.Tally {
	return reports.Tally{Right: t.Right, Valid: t.Valid(), Unscored: t.Unscored, Lost: t.Lost}
}

// suspectsOf are the queries that Test B looked at, against either history; one that broke
// against any has broken.
func suspectsOf(out gate.Outcome) map[string]gate.Suspect {
	of := map[string]gate.Suspect{}
	for _, c := range []*gate.Comparison{out.Frozen, out.Rolling} {
		if c == nil {
			continue
		}
		for _, s := range c.Screen.Suspects {
			if !of[s.Query].Broken {
				of[s.Query] = s
			}
		}
	}
	return of
}

func statusOf(it gate.Item, suspects map[string]gate.Suspect) string {
	s, suspected := suspects[it.Query]
	all := it.Current
	if it.Fresh != nil {
		all.Right, all.Wrong = all.Right+it.Fresh.Right, all.Wrong+it.Fresh.Wrong
	}
	switch {
	case it.Safety && all.Wrong > 0:
		return reports.GateSafety
	case suspected && s.Broken:
		return reports.GateBroken
	case it.Current.Valid() == 0:
		return reports.GateUnscored
	case suspected && s.Outside:
		return reports.GateFailing
	case suspected && s.Fresh == nil:
		return reports.GateSuspect
	case all.Right > 0 && all.Wrong > 0, it.History.Right > 0 && it.History.Wrong > 0:
		return reports.GateFlaky
	case all.Right == 0:
		return reports.GateFailing
	}
	return reports.GateOK
}

// answersNow are the distinct answers of a record's traces.
func answersNow(r store.Record) []reports.AnswerCount {
	var c counts
	for _, a := range r.Answers {
		c.add(a.Outcome, a.Answer, a.Verdict)
	}
	return c.sorted()
}

// answersIn are those of a pool.
func answersIn(p gate.Pool, query string) []reports.AnswerCount {
	var c counts
	for _, run := range p.Runs {
		for _, q := range run.Queries {
			if q.Query != query {
				continue
			}
			for _, t := range q.Traces {
				c.add(t.Outcome, t.Answer, t.Verdict)
			}
		}
	}
	return c.sorted()
}

// counts collects equal answers.
type counts struct {
	at  map[string]int
	all []reports.AnswerCount
}

func (c *counts) add(o trace.Outcome, short *string, v judge.Ruling) {
	text := "[" + string(o) + "]"
	if short != nil {
		text = *short
	}
	i, known := c.at[text]
	if !known {
		if c.at == nil {
			c.at = map[string]int{}
		}
		i = len(c.all)
		c.at[text] = i
		c.all = append(c.all, reports.AnswerCount{Answer: text, Right: v == judge.Correct})
	}
	c.all[i].Count++
}

func (c *counts) sorted() []reports.AnswerCount {
	slices.SortStableFunc(c.all, func(a, b reports.AnswerCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Answer, b.Answer))
	})
	return append([]reports.AnswerCount{}, c.all...)
}
