package reports

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
)

// GateParts are what a Gate is made from.
type GateParts struct {
	Run          baseline.Pass
	Fresh        []baseline.Pass // the folders with fresh traces
	Pool, Frozen baseline.Pool
	Data         *datasets.Dataset
	Evidence     gate.Evidence // of the dataset's queries, in their order
	Outcome      gate.Outcome
	Baseline     string   // the file
	As           string   // the name of the question
	Differs      []string // from the accepted runs
}

// GateOf puts a decision together with what people need beside it. Fresh traces that the evidence
// does not hold, since another question asked for them, are left out.
func GateOf(p GateParts) Gate {
	m, c := p.Run.Manifest, p.Run.Configuration
	g := Gate{
		Schema: GateSchema, Run: m.Run, Configuration: c.Name, Model: c.Model, Dataset: m.Dataset.Name, Baseline: p.Baseline,
		K: c.K, Seed: m.Seed, As: p.As, Fresh: []string{}, Differs: append([]string{}, p.Differs...), Outcome: p.Outcome,
		AnswersOnly: m.Versions[baseline.Graded] != "",
	}
	before := p.Pool
	if p.Outcome.Decision == gate.Drift {
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
			Query: it.Query, Category: it.Category, Safety: it.Safety, Status: statusOf(it, p.Outcome), Expected: p.Data.Queries[i].Gold.Expected(),
			Now: it.Current, Before: before.Items[i].History, Fresh: gate.Count(it.Fresh), AnswersBefore: answersOf(traces[it.Query]),
		})
	}
	for _, pass := range append([]baseline.Pass{p.Run}, p.Fresh...) {
		fresh := pass.Manifest.Run != m.Run
		for _, r := range pass.Records {
			q := &g.Queries[at[r.Query]]
			if !fresh {
				q.Seconds = r.Timing.WallS
			}
			var said []baseline.AcceptedTrace
			for _, a := range r.Answers {
				if a.Trace < c.K+q.Fresh.All() {
					said = append(said, baseline.AcceptedTrace{Outcome: a.Outcome, Answer: a.Answer, Verdict: a.Verdict})
				}
			}
			if len(said) == 0 {
				continue
			}
			if fresh && !slices.Contains(g.Fresh, pass.Manifest.Run) {
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
