package reports

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// GateParts are what a Gate is made from.
type GateParts struct {
	Run          baseline.Pass
	Fresh        []baseline.Pass // the folders with fresh traces
	Pool, Frozen baseline.Pool
	Data         *datasets.Dataset
	Evidence     gate.Evidence
	Outcome      gate.Outcome
	Baseline     string   // the file
	As           string   // the name of the question
	Differs      []string // from the accepted runs
}

// GateOf puts a decision together with what people need beside it.
func GateOf(p GateParts) Gate {
	m, c := p.Run.Manifest, p.Run.Configuration
	g := Gate{
		Schema: GateSchema, Run: m.Run, Configuration: c.Name, Model: c.Model, Dataset: m.Dataset.Name, Baseline: p.Baseline,
		K: c.K, Seed: m.Seed, As: p.As, Fresh: []string{}, Differs: append([]string{}, p.Differs...), Outcome: p.Outcome,
	}
	for _, f := range p.Fresh {
		g.Fresh = append(g.Fresh, f.Manifest.Run)
	}
	passes := append([]baseline.Pass{p.Run}, p.Fresh...)
	records := make([]map[string]store.Record, len(passes))
	for i, pass := range passes {
		records[i] = map[string]store.Record{}
		for _, r := range pass.Records {
			records[i][r.Query] = r
		}
	}
	golds := map[string]datasets.Gold{}
	for _, q := range p.Data.Queries {
		golds[q.ID] = q.Gold
	}
	for _, it := range p.Evidence.Items {
		q := GateQuery{
			Query: it.Query, Category: it.Category, Safety: it.Safety, Status: statusOf(it, p.Outcome), Expected: golds[it.Query].Expected(),
			Now: it.Current, Before: it.History, Fresh: gate.Count(it.Fresh),
			Seconds: records[0][it.Query].Timing.WallS, AnswersBefore: answersIn(p.Pool, it.Query), AnswersFrozen: answersIn(p.Frozen, it.Query),
		}
		for i, pass := range passes {
			if r, ok := records[i][it.Query]; ok {
				var c counter
				marks := make([]gate.Mark, len(r.Answers))
				for j, a := range r.Answers {
					marks[j] = baseline.MarkOf(a.Outcome, a.Verdict)
					c.add(a.Outcome, a.Answer, a.Verdict)
				}
				q.Passes = append(q.Passes, GatePass{pass.Manifest.Run, gate.Count(marks), c.sorted()})
			}
		}
		g.Queries = append(g.Queries, q)
	}
	return g
}

// statusOf is what a query is before the gate.
func statusOf(it gate.Item, out gate.Outcome) string {
	all := it.Current.Plus(gate.Count(it.Fresh))
	slip, found := slipOf(out, it.Query)
	notGated := slices.ContainsFunc(out.NotGated, func(n gate.NotGated) bool { return n.Query == it.Query })
	open := slices.ContainsFunc(out.Need, func(a gate.Ask) bool { return a.Query == it.Query && !a.Total })
	switch {
	case it.Safety && all.Wrong > 0:
		return GateSafety
	case found && slip.Broken:
		return GateBroken
	case it.Current.Scored() == 0:
		return GateUnscored
	case found && slip.Suspect && open:
		return GateSuspect
	case notGated:
		return GateNew
	case all.Right > 0 && all.Wrong > 0, it.History.Right > 0 && it.History.Wrong > 0:
		return GateFlaky
	case all.Right == 0:
		return GateFailing
	}
	return GateOK
}

// slipOf is what the tests on single queries say of one, of the history that it broke against
// where there are two; ok is false where it lost nothing.
func slipOf(out gate.Outcome, query string) (found gate.Slip, ok bool) {
	for _, c := range []*gate.Comparison{out.Rolling, out.Frozen} {
		if c == nil {
			continue
		}
		for _, s := range c.Slips {
			if s.Query == query && (!ok || s.Broken && !found.Broken) {
				found, ok = s, true
			}
		}
	}
	return found, ok
}

// answersIn are the answers of a pool.
func answersIn(p baseline.Pool, query string) []AnswerCount {
	var c counter
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

// counter collects equal answers.
type counter []AnswerCount

func (c *counter) add(o trace.Outcome, short *string, v judge.Ruling) {
	text := fmt.Sprintf("[%s]", o)
	if short != nil {
		text = *short
	}
	for i := range *c {
		if (*c)[i].Answer == text {
			(*c)[i].Count++
			return
		}
	}
	*c = append(*c, AnswerCount{Answer: text, Count: 1, Right: v == judge.Correct})
}

// sorted has the most frequent first.
func (c counter) sorted() []AnswerCount {
	slices.SortStableFunc(c, func(a, b AnswerCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Answer, b.Answer))
	})
	return append([]AnswerCount{}, c...)
}
