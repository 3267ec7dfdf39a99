package baseline

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
)

// Observe adds the run's part to a pool's evidence: traces, consensus, cost and time, and a
// warning where its models are not the pool's. Queries that the evidence does not have,
// because the dataset does not, are an error, and so is a run whose verdicts were given under
// other rules than those of now, by which the pool is graded.
func (p Pass) Observe(e *gate.Evidence, pool Pool) error {
	c := p.Configuration
	if norm := p.Manifest.Versions["norm"]; norm != answer.Version {
		return fmt.Errorf("read run %s: its answers were read and voted on under %s, and this concur grades by %s, the baseline's too: run again, and gate on that run", p.Manifest.Run, cmp.Or(norm, "rules that it does not name"), answer.Version)
	}
	at := map[string]int{}
	for i, it := range e.Items {
		at[it.Query] = i
	}
	for _, r := range p.Records {
		i, ok := at[r.Query]
		if !ok {
			return fmt.Errorf("read run %s: query %s is not in the dataset", p.Manifest.Run, r.Query)
		}
		current := tracesOf(r.Answers)
		e.Items[i].Current = current
		e.Consensus.Queries++
		switch r.Verdict.Verdict {
		case judge.Correct:
			e.Consensus.Correct++
		case judge.Incorrect:
			if current.Majority() {
				e.Consensus.Outvoted = append(e.Consensus.Outvoted, r.Query)
			}
		case judge.Unscored:
			e.Consensus.Unscored++
			e.Consensus.Without = append(e.Consensus.Without, r.Query)
		}
	}
	var run AcceptedRun
	if err := run.sum(p); err != nil {
		return err
	}
	e.K, e.USD, e.P95S, e.Retry = c.K, run.USD, run.P95S, Retry(p.Manifest)
	if len(p.Models) > 1 {
		e.Invalid = append(e.Invalid, severalModels(p.Models))
	}
	e.Warnings = append(e.Warnings, p.otherModels(pool)...)
	e.LostP = lostP(e.Items)
	return nil
}

// otherModels warns where the run's model is not the pool's.
func (p Pass) otherModels(pool Pool) []string {
	const then = "a difference may be the model's alone; where the change is meant, reset the baseline once the run is accepted"
	var models, names []string
	for _, r := range pool.Runs {
		models, names = merged(models, r.Model), merged(names, r.Models...)
	}
	if c := p.Configuration; len(models) > 0 && !slices.Contains(models, c.Model) {
		return []string{fmt.Sprintf("the run's model is %s, and that of the pool %s: %s", c.Model, listed(models), then)}
	}
	other := slices.DeleteFunc(slices.Clone(p.Models), func(name string) bool { return slices.Contains(names, name) })
	if len(names) > 0 && len(other) > 0 {
		return []string{fmt.Sprintf("the run's model calls itself %s, and that of the pool called itself %s: %s", listed(other), listed(names), then)}
	}
	return nil
}

// lostP tests whether traces are lost more often, or less, in the run than in the pool
// (methods.md §1.1); nil where nothing was lost in either.
func lostP(items []gate.Item) *float64 {
	var now, before gate.Traces
	for _, it := range items {
		now, before = now.Plus(it.Current), before.Plus(it.History)
	}
	if now.Lost+before.Lost == 0 {
		return nil
	}
	p, ok := stats.Fisher(now.Lost, now.All(), before.Lost, before.All())
	if !ok {
		return nil
	}
	return &p
}
