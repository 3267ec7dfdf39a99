package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
)

// Evidence is the pool's part of what a decision rests on: items with their history, what
// runs cost, how alike they are, overrides and warnings. The run's part is the caller's.
// draws is the number of permutations of the test of concordance, and seed theirs; 0 draws
// leave it out.
func (p Pool) Evidence(seed int64, draws int) Evidence {
	e := Evidence{PoolRuns: len(p.Runs)}
	if len(p.Runs) > 0 {
		e.K = p.Runs[len(p.Runs)-1].K // until the run's own is known
	}
	for _, i := range p.Items {
		e.Items = append(e.Items, Item{Query: i.Query, Category: i.Category, Safety: i.Expects == answer.Refused, History: i.History, Last: i.Last})
	}
	if p.Reset != nil {
		e.Overrides = append(e.Overrides, p.Reset.String())
	}
	for _, r := range p.Runs {
		if r.USD != nil {
			e.PoolUSD = append(e.PoolUSD, *r.USD)
		}
		if r.P95S != nil {
			e.PoolP95S = append(e.PoolP95S, *r.P95S)
		}
		e.PoolModels, e.PoolNames = merged(e.PoolModels, r.Model), merged(e.PoolNames, r.Models...)
		if r.Versions["norm"] == answer.Version { // what was voted under other rules is not graded anew
			e.Consensus.Pool = append(e.Consensus.Pool, ConsensusCount{r.Correct, r.Dataset.Queries})
		}
		if r.Override != nil {
			e.Overrides = append(e.Overrides, r.override())
		}
	}
	if phi, ok := stats.Dispersion(p.Counts()); ok {
		e.Phi = &Phi{phi.Value, phi.Low, phi.High}
	}
	if draws > 0 {
		if chance, ok := stats.Concordance(p.Outcomes(), seed, draws); ok {
			e.Concordance = &chance
		}
	}
	for _, o := range p.Odd() {
		e.Warnings = append(e.Warnings, o.String())
	}
	if names := p.models(); len(names) > 1 {
		e.Warnings = append(e.Warnings, fmt.Sprintf("the runs of the pool were answered by %d models (%s): what they are held against has changed under them; where the change is meant, reset the baseline", len(names), listed(names)))
	}
	e.Warnings = oneLiners(e.Warnings)
	return e
}

// models are the different names with which the models of the runs called themselves. Runs
// of which they are not known are left out; several models of one run are one name.
func (p Pool) models() []string {
	var names []string
	for _, r := range p.Runs {
		if name := strings.Join(r.Models, " + "); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// override says who let the run in.
func (r AcceptedRun) override() string {
	said := "no gate was asked"
	if r.Decision != nil {
		said = "its gate said " + string(*r.Decision)
	}
	return oneLine(fmt.Sprintf("run %s was accepted by %s (%s): %s", r.Run, r.Override.Author, said, r.Override.Reason))
}

// Frozen is the history as one that does not roll on.
func (p Pool) Frozen() Frozen {
	f := Frozen{Runs: len(p.Runs), History: map[string]Traces{}}
	for _, i := range p.Items {
		f.History[i.Query] = i.History
	}
	return f
}

// Counts gives, per run and item of the pool, how many traces are right and of how many
// valid ones: what stats.Dispersion is asked with. An item that a run does not have is 0
// of 0.
func (p Pool) Counts() (right, of [][]int) {
	for _, row := range p.Outcomes() {
		r, n := make([]int, len(row)), make([]int, len(row))
		for i, traces := range row {
			n[i] = len(traces)
			for _, ok := range traces {
				if ok {
					r[i]++
				}
			}
		}
		right, of = append(right, r), append(of, n)
	}
	return right, of
}

// Outcomes gives, per run and item of the pool, whether each valid trace is right, in the
// order of the traces: what stats.Concordance is asked with.
func (p Pool) Outcomes() [][][]bool {
	at := map[string]int{}
	for i, item := range p.Items {
		at[item.Query] = i
	}
	all := make([][][]bool, len(p.Runs))
	for r, run := range p.Runs {
		all[r] = make([][]bool, len(p.Items))
		for _, q := range run.Queries {
			i, ok := at[q.Query]
			if !ok {
				continue
			}
			for _, t := range q.Traces {
				if t.Verdict != judge.Unscored {
					all[r][i] = append(all[r][i], t.Verdict == judge.Correct)
				}
			}
		}
	}
	return all
}
