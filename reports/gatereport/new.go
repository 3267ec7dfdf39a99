package gatereport

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/naming"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/store"
)

// New returns a decision on a case with the data for people; fresh are the folders with fresh traces. Fresh
// traces that another question asked for are left out. The caller sets Baseline and As.
func New(p confirm.Case, fresh []baseline.Pass, out gate.Outcome) Report {
	m, c := p.Pass.Manifest, p.Pass.Configuration
	g := Report{
		Schema: Schema, Run: m.Run, Configuration: c.Name, Command: naming.Command(c), Model: c.Model,
		Dataset: m.Dataset.Name,
		K:       c.K, Seed: m.Seed, Fresh: []string{}, Differs: append([]string{}, p.Differs...), Outcome: out,
		AnswersOnly: m.Versions[baseline.Graded] != "",
	}
	for i, title := range naming.Titles(m) {
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
		g.Queries = append(g.Queries, Query{
			Query: it.Query, Category: it.Category, Safety: it.Safety, Status: statusOf(it, out),
			Expected: p.Data.Queries[i].Expected(),
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
			q.Passes = append(q.Passes, QueryPass{pass.Manifest.Run, baseline.AcceptedQuery{Traces: said}.Count(),
				answersOf(said), tracesToCompare(answers)})
		}
	}
	g.Clusters = g.fallenClusters()
	return g
}

// fallenClusters returns the clusters in which at least two queries, and at least half of them, fell, if the decision
// is an alarm.
func (g Report) fallenClusters() []Cluster {
	out := []Cluster{}
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
			out = append(out, Cluster{Cluster: q.Cluster})
		}
		out[i].Queries++
		if q.hasFallen() {
			out[i].Fell++
		}
	}
	out = slices.DeleteFunc(out, func(c Cluster) bool { return c.Fell < 2 || 2*c.Fell < c.Queries })
	slices.SortStableFunc(out, func(a, b Cluster) int { return cmp.Compare(b.Fell, a.Fell) })
	return out
}

// hasFallen reports whether at least half of the query's traces were right before, and fewer than half are now.
func (q Query) hasFallen() bool {
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
		return StatusSafety
	case broken(out, it.Query):
		return StatusBroken
	case it.Current.Scored() == 0:
		return StatusUnscored
	case open:
		return StatusSuspect
	case out.Decision.Alarm() && slices.Contains(out.Losses, it.Query):
		return StatusLost
	case slices.ContainsFunc(out.NotGated, func(n gate.NotGated) bool { return n.Query == it.Query }):
		return StatusNew
	case all.Right > 0 && all.Wrong > 0, it.History.Right > 0 && it.History.Wrong > 0:
		return StatusFlaky
	case all.Right == 0:
		return StatusFailing
	}
	return StatusOK
}

// broken reports whether a test on single queries names the query.
func broken(out gate.Outcome, query string) bool {
	return slices.ContainsFunc([]*gate.Comparison{out.Rolling, out.Frozen}, func(c *gate.Comparison) bool {
		return c != nil && slices.ContainsFunc(c.Slips, func(s gate.QueryLoss) bool { return s.Query == query && s.Broken })
	})
}

// tracesToCompare returns the numbers of a right trace and a wrong trace, in the form of the flag --diff of
// concur trace. It returns "" if one of the two is missing.
func tracesToCompare(answers []store.Answer) string {
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
func answersOf(traces []baseline.AcceptedTrace) []document.AnswerCount {
	out := []document.AnswerCount{}
	for _, t := range traces {
		text := fmt.Sprintf("[%s]", t.Outcome)
		if t.Answer != nil {
			text = *t.Answer
		}
		i := slices.IndexFunc(out, func(c document.AnswerCount) bool { return c.Answer == text })
		if i < 0 {
			i, out = len(out), append(out, document.AnswerCount{Answer: text, Right: t.Verdict == judge.Correct})
		}
		out[i].Count++
	}
	slices.SortStableFunc(out, func(a, b document.AnswerCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Answer, b.Answer))
	})
	return out
}
