package baseline

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
)

// Observe adds the run's part to a pool's evidence: traces, consensus, cost and time, and a
// warning where its models are not the pool's. Queries that the evidence does not have,
// because the dataset does not, are an error, and so is a run whose verdicts were given under
// other rules than those of now, by which the pool is graded.
func (p Pass) Observe(e *gate.Evidence, pool Pool) error {
	if norm := p.Manifest.Versions["norm"]; norm != answer.Version {
		return fmt.Errorf("read run %s: its answers were read and voted on under %s, and this concur grades by %s, the baseline's too: run again, and gate on that run", p.Manifest.Run, cmp.Or(norm, "rules that it does not name"), answer.Version)
	}
	at := pool.places()
	for _, r := range p.Records {
		i, ok := at[r.Query]
		if !ok {
			return fmt.Errorf("read run %s: query %s is not in the dataset", p.Manifest.Run, r.Query)
		}
		current := TracesOf(r.Answers)
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
		}
	}
	var run AcceptedRun
	if err := run.sum(p); err != nil {
		return err
	}
	e.K, e.USD, e.P95S, e.Retry = p.Configuration.K, run.USD, run.P95S, Retry(p.Manifest)
	if len(p.Models) > 1 {
		e.Invalid = append(e.Invalid, SeveralModels(p.Models))
	}
	var names []string
	for _, r := range pool.Runs {
		names = merged(names, r.Models...)
	}
	other := slices.DeleteFunc(slices.Clone(p.Models), func(name string) bool { return slices.Contains(names, name) })
	if len(names) > 0 && len(other) > 0 {
		e.Warnings = append(e.Warnings, fmt.Sprintf("the run's model calls itself %s, and that of the pool called itself %s: a difference may be the model's alone; where the change is meant, reset the baseline once the run is accepted", gate.Listed(other), gate.Listed(names)))
	}
	return nil
}
