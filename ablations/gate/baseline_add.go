package gate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/store"
)

// Candidate is a run that is to be accepted.
type Candidate struct {
	Configuration string // that the run is added for; "" where the run has one only
	// Passes are all valid full passes of the same commit: the run itself, then its
	// replications. To leave out a worse one would teach the pool luck.
	Passes []RunPass
	// Decision is what the gate said of the run at last, which the line records; "" where it
	// is accepted by hand.
	Decision Decision
	// Decisions are all that the gate ever said of this run and configuration, in order. The
	// most severe stands, unless one with more evidence has cleared it. Without them,
	// Decision alone is taken for what was said.
	Decisions []Asked
	Override  *Override // nil where there is none
	// Deterministic says that the same agent with the same seed gives the same traces.
	Deterministic bool
}

// Add accepts a run over the dataset as it is now. It refuses, and leaves the baseline as
// it was: a replay, a run that is not complete or stopped early, one over a part of the
// dataset or over another one, one that is there already or brings the same traces again,
// one that began before the last reset, and without an override one whose gate said
// REGRESSION, DRIFT or INVALID, or INCONCLUSIVE for more than lack of history, and one that
// is invalid as methods.md §1.1 has it, whatever its gate said.
func (b *Baseline) Add(c Candidate, d *datasets.Dataset) error {
	run, err := b.accept(c, d)
	if err != nil {
		name := "a run"
		if len(c.Passes) > 0 {
			name = "run " + c.Passes[0].Manifest.Run
		}
		return fmt.Errorf("add %s to the baseline: %w", name, err)
	}
	b.Runs = append(b.Runs, run)
	b.sort()
	return nil
}

func (b *Baseline) accept(c Candidate, d *datasets.Dataset) (AcceptedRun, error) {
	var run AcceptedRun
	if len(c.Passes) == 0 {
		return run, errors.New("there is no pass in it")
	}
	for i, p := range c.Passes {
		of, err := p.configuration(c.Configuration)
		if err != nil {
			return run, err
		}
		if i == 0 {
			run = runOf(p, of)
		}
		if err := run.fits(p, of, d); err != nil {
			if i > 0 {
				err = fmt.Errorf("replication %s: %w", p.Manifest.Run, err)
			}
			return run, err
		}
		if i == 0 {
			if err := run.sum(p, of); err != nil {
				return run, err
			}
		}
		run.Passes = append(run.Passes, AcceptedPass{p.Manifest.Run, p.Manifest.Seed, c.digest(p)})
		run.Models = append(run.Models, p.Models...)
	}
	slices.Sort(run.Models)
	run.Models = slices.Compact(run.Models)
	if c.Decision != "" {
		run.Decision = &c.Decision
	}
	run.Override = c.Override
	if err := c.admits(); err != nil {
		return run, err
	}
	if err := c.valid(run.Configuration); err != nil {
		return run, err
	}
	if err := b.admits(run, c.Deterministic); err != nil {
		return run, err
	}
	run.Queries = queriesOf(run.Configuration, c.Passes, d)
	return run, run.readable()
}

// digest is that of a pass; none of a deterministic model, which may well say the same
// whatever the seed.
func (c Candidate) digest(p RunPass) string {
	if c.Deterministic {
		return ""
	}
	return p.Digest
}

// runOf is the run's own line, so far as the manifest of its first pass tells it.
func runOf(p RunPass, c store.Configuration) AcceptedRun {
	m := p.Manifest
	return AcceptedRun{
		Run: m.Run, Start: m.Start.Round(0).UTC(), Configuration: c.Name, Agent: c.Agent, Model: c.Model, K: c.K, Seed: m.Seed,
		Dataset:  AcceptedDataset{m.Dataset.Name, m.Dataset.Hash, m.Dataset.Queries},
		Versions: m.Versions, GitCommit: m.GitCommit,
	}
}

// sum fills in what plain thresholds need, as the run's summary has it.
func (run *AcceptedRun) sum(p RunPass, c store.Configuration) error {
	m := p.Manifest
	m.Configurations = []store.Configuration{c}
	all, err := result.Summarize(m, func(yield func(store.Record, error) bool) {
		for _, r := range p.Records {
			if r.Configuration == c.Name && !yield(r, nil) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	row := all.Configurations[0]
	run.Correct, run.USD, run.P95S = row.Counts.Correct, row.Usage.USD, row.Timing.TraceP95S
	return nil
}

// queriesOf gathers the traces of every query over all passes, which were looked at before.
func queriesOf(configuration string, passes []RunPass, d *datasets.Dataset) []AcceptedQuery {
	queries := make([]AcceptedQuery, len(d.Queries))
	at := map[string]int{}
	for i, q := range d.Queries {
		queries[i] = AcceptedQuery{Query: q.ID, Hash: q.Hash(), Question: questionHash(q), Category: q.Category, Expects: expects(q.Gold), Traces: []AcceptedTrace{}}
		at[q.ID] = i
	}
	for _, p := range passes {
		for _, r := range p.Records {
			i, ok := at[r.Query]
			if !ok || r.Configuration != configuration {
				continue
			}
			for _, a := range r.Answers {
				queries[i].Traces = append(queries[i].Traces, traceOf(d.Queries[i].Gold, r, a, p))
			}
		}
	}
	return queries
}

func expects(g datasets.Gold) answer.Kind {
	if g.Outcome == "" {
		return answer.Answered
	}
	return g.Outcome
}
