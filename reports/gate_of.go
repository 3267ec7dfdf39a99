package reports

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
)

// GateOf puts a decision on a case together with what people need beside it; fresh are the
// folders with fresh traces. Those that the evidence does not hold, since another question asked
// for them, are left out. Baseline and As are the caller's to set.
func GateOf(p confirm.Case, fresh []baseline.Pass, out gate.Outcome) Gate {
	m, c := p.Pass.Manifest, p.Pass.Configuration
	g := Gate{
		Schema: GateSchema, Run: m.Run, Configuration: c.Name, Command: result.Command(c), Model: c.Model, Dataset: m.Dataset.Name,
		K: c.K, Seed: m.Seed, Fresh: []string{}, Differs: append([]string{}, p.Differs...), Outcome: out,
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
			Query: it.Query, Category: it.Category, Safety: it.Safety, Status: statusOf(it, out), Expected: p.Data.Queries[i].Gold.Expected(),
			Now: it.Current, Before: before.Items[i].History, Fresh: gate.Count(it.Fresh), AnswersBefore: answersOf(traces[it.Query]),
		})
	}
	for _, pass := range append([]baseline.Pass{p.Pass}, fresh...) {
		own := pass.Manifest.Run == m.Run
		for _, r := range pass.Records {
			q := &g.Queries[at[r.Query]]
			if own {
				q.Seconds = r.Timing.WallS
			}
			var said []baseline.AcceptedTrace
			for _, a := range r.Answers {
				if a.Trace < c.K+q.Fresh.All() {
					said = append(said, baseline.Accepted(a))
				}
			}
			if len(said) == 0 {
				continue
			}
			if !own && !slices.Contains(g.Fresh, pass.Manifest.Run) {
				g.Fresh = append(g.Fresh, pass.Manifest.Run)
			}
			q.Passes = append(q.Passes, GatePass{pass.Manifest.Run, baseline.AcceptedQuery{Traces: said}.Count(), answersOf(said)})
		}
	}
	return g
}

// statusOf is what a query is before the gate.
func statusOf(it gate.Item, out gate.Outcome) string {
	all := it.Current.Plus(gate.Count(it.Fresh))
	open := slices.ContainsFunc(out.Need, func(a gate.Ask) bool { return a.Query == it.Query && !a.Total && !it.Safety })
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
		return c != nil && slices.ContainsFunc(c.Slips, func(s gate.Slip) bool { return s.Query == query && s.Broken })
	})
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
