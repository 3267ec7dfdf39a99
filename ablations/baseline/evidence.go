package baseline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/facts"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/stats"
)

// Evidence is the pool's part of what a decision rests on: items with their history, what
// runs cost, how alike they are, overrides and warnings. Pass.Observe adds the run's part.
// draws is the number of permutations of the test of concordance, and seed theirs; 0 draws
// leave it out.
func (p Pool) Evidence(seed int64, draws int) gate.Evidence {
	e := gate.Evidence{PoolRuns: len(p.Runs)}
	if len(p.Runs) > 0 {
		e.K = p.Runs[len(p.Runs)-1].K // until the run's own is known
	}
	for _, i := range p.Items {
		e.Items = append(e.Items, gate.Item{Query: i.Query, Category: i.Category, Safety: i.Expects == answer.Refused, History: i.History, Runs: i.Runs, Last: i.Last})
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
		if r.Versions["norm"] == answer.Version { // what was voted under other rules is not graded anew
			e.Consensus.Pool = append(e.Consensus.Pool, gate.ConsensusCount{Correct: r.Correct, Queries: r.Dataset.Queries})
		}
		if r.Override != nil {
			e.Overrides = append(e.Overrides, r.override())
		}
	}
	right, of, outcomes := p.counts(p.Stored)
	if phi, ok := stats.Dispersion(right, of); ok {
		e.Phi = &gate.Phi{Value: phi.Value, Low: phi.Low, High: phi.High, Line: phi.Line}
	}
	if draws > 0 {
		if chance, ok := stats.Concordance(outcomes, seed, draws); ok {
			e.Concordance = &chance
		}
	}
	for _, o := range p.Odd() {
		e.Warnings = append(e.Warnings, o.String())
	}
	e.Warnings = oneLiners(append(e.Warnings, p.mixed()...))
	return e
}

// mixed warns of a pool whose runs are not of one agent.
func (p Pool) mixed() []string {
	var agents, names, out []string
	for _, r := range p.Runs {
		agents = merged(agents, r.Agent)
		if name := strings.Join(r.Models, " + "); name != "" {
			names = merged(names, name)
		}
	}
	if len(agents) > 1 {
		out = append(out, fmt.Sprintf("the runs of the pool are of %d agents, the last one since %s: a difference to the earlier ones is averaged; where the change is meant, reset the baseline", len(agents), p.since()))
	}
	if len(names) > 1 {
		out = append(out, fmt.Sprintf("the runs of the pool were answered by %d models (%s): where the change is meant, reset the baseline", len(names), listed(names)))
	}
	return out
}

// since is the first run of the last agent.
func (p Pool) since() string {
	last := p.Runs[len(p.Runs)-1]
	run := last.Run
	for _, r := range slices.Backward(p.Runs) {
		if r.Agent != last.Agent {
			break
		}
		run = r.Run
	}
	return run
}

// override says who let the run in.
func (r AcceptedRun) override() string {
	said := "no gate was asked"
	if r.Decision != nil {
		said = "its gate said " + string(*r.Decision)
	}
	return oneLine(fmt.Sprintf("run %s was accepted by %s (%s): %s", r.Run, r.Override.Author, said, r.Override.Reason))
}

// Differences says in what a run differs from the last accepted one of the pool; known is
// false where that one is from before its facts were kept.
func (p Pool) Differences(b *Baseline, pass Pass) (out []string, known bool) {
	if len(p.Runs) == 0 {
		return nil, false
	}
	last := p.Runs[len(p.Runs)-1]
	was, known := b.Facts[last.Facts]
	if !known {
		return nil, false
	}
	was.Agent = last.Agent
	return was.Differences(facts.Of(pass.Manifest, pass.Configuration)), true
}

// Frozen is the history as one that does not roll on.
func (p Pool) Frozen() gate.Frozen {
	f := gate.Frozen{Runs: len(p.Runs), History: map[string]gate.Traces{}}
	for _, i := range p.Items {
		f.History[i.Query] = i.History
	}
	return f
}
