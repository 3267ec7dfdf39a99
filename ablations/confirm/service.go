package confirm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/store"
)

// Fresh keeps and runs the fresh traces of a gated run's agent.
type Fresh interface {
	// State gives the fresh traces that exist, after it has run lost ones again, once. Where that is
	// stopped, the error wraps ErrStopped.
	State(ctx context.Context) (State, error)
	// Run runs batches. An error that wraps ErrStopped leaves the decision open; any other ends it.
	Run(ctx context.Context, batches []Batch) error
}

// State are the fresh traces that exist.
type State struct {
	Marks             map[string][]gate.Mark // how they ended, by query, in the order of their numbers without gaps
	Stopped           bool                   // a run of fresh traces was, so that some are still to come
	Invalid, Warnings []string               // sentences on what makes them no evidence, or should be known
}

// Traces counts them.
func (s State) Traces() (n int) {
	for _, marks := range s.Marks {
		n += len(marks)
	}
	return n
}

// ErrStopped is that fresh traces are needed, and cannot or must not be run.
var ErrStopped = errors.New("fresh traces were not run")

// Service decides on a run. Only Fresh is needed.
type Service struct {
	Fresh Fresh
	// Before is asked before each round of fresh traces; nil allows all. An error that wraps
	// ErrStopped leaves the decision open.
	Before func(Round) error
	// Late traces begin no sooner than Spaced after Ended, the end of the run (methods.md
	// §6.2, Spacing). Wait waits until then.
	Spaced time.Duration
	Ended  time.Time
	Wait   func(context.Context, time.Duration) error
}

// Round are the batches that come next.
type Round struct {
	Batches []Batch
	Traces  int           // in them
	Before  int           // fresh traces that were asked for before, and exist
	Most    int           // more that the decision can need, this round included
	Wait    time.Duration // before it begins
}

// mostRounds is more than the looks of both tests.
const mostRounds = 12

// Decide runs the fresh traces that the gate asks for and decides, until nothing is needed or nothing
// more can be run. It returns the evidence with the fresh traces that were asked for alone.
func (s Service) Decide(ctx context.Context, e gate.Evidence, o gate.Options) (gate.Evidence, gate.Outcome, error) {
	for range mostRounds {
		state, err := s.Fresh.State(ctx)
		if errors.Is(err, ErrStopped) {
			o.NoFresh = err.Error()
		} else if err != nil {
			return e, gate.Outcome{}, err
		}
		now, out := state.decide(e, o)
		r := Round{Batches: Batches(state, out.Need), Most: most(now, out)}
		if len(r.Batches) == 0 || o.NoFresh != "" { // nothing is needed, or it was lost again
			return now, out, nil
		}
		for _, it := range now.Items {
			r.Before += len(it.Fresh)
		}
		if err := s.run(ctx, r, out.Need); errors.Is(err, ErrStopped) {
			o.NoFresh = err.Error()
		} else if err != nil {
			return now, out, err
		}
	}
	return e, gate.Outcome{}, fmt.Errorf("decide on the run: %d rounds of fresh traces were not enough; this is a defect of concur", mostRounds)
}

// decide decides with the fresh traces that exist, as many as are asked for, and only then with
// what makes them no evidence.
func (s State) decide(e gate.Evidence, o gate.Options) (now gate.Evidence, out gate.Outcome) {
	e.Items, e.Warnings = slices.Clone(e.Items), slices.Concat(e.Warnings, s.Warnings)
	for further := true; further; {
		out, further = gate.Decide(e, o), false
		for i := range e.Items {
			it := &e.Items[i]
			for _, a := range out.Need {
				if n := min(a.Traces, len(s.Marks[it.Query])); a.Query == it.Query && n > len(it.Fresh) {
					it.Fresh, further = s.Marks[it.Query][:n], true
				}
			}
		}
	}
	if len(s.Invalid) > 0 {
		e.Invalid = slices.Concat(e.Invalid, s.Invalid)
		out = gate.Decide(e, o)
	}
	return e, out
}

func (s Service) run(ctx context.Context, r Round, need []gate.Ask) error {
	for _, b := range r.Batches {
		r.Traces += len(b.Queries) * b.Traces
	}
	if s.Spaced > 0 && slices.ContainsFunc(need, func(a gate.Ask) bool { return a.Late }) {
		r.Wait = max(0, time.Until(s.Ended.Add(s.Spaced)))
	}
	if s.Before != nil {
		if err := s.Before(r); err != nil {
			return err
		}
	}
	if r.Wait > 0 {
		if err := s.Wait(ctx, r.Wait); err != nil {
			return err
		}
	}
	return s.Fresh.Run(ctx, r.Batches)
}

// Batches are what is missing of the traces that a decision needs, those with the same numbers
// together. Lost ones have been run again, and have to stay as they are.
func Batches(s State, need []gate.Ask) (out []Batch) {
	for _, a := range need {
		marks := s.Marks[a.Query]
		if len(marks) >= a.Traces || slices.Contains(marks, gate.Lost) {
			continue
		}
		b := Batch{[]string{a.Query}, len(marks), a.Traces - len(marks)}
		if i := slices.IndexFunc(out, func(c Batch) bool { return c.First == b.First && c.Traces == b.Traces }); i >= 0 {
			out[i].Queries = append(out[i].Queries, a.Query)
		} else {
			out = append(out, b)
		}
	}
	return out
}

// most bounds the fresh traces that a decision can still need.
func most(e gate.Evidence, out gate.Outcome) (n int) {
	for _, it := range e.Items {
		want := 0
		if it.Gated() {
			want = gate.MostTotal(e.K)
		}
		for _, a := range out.Need {
			if a.Query == it.Query {
				want = max(want, a.Traces)
				if it.Gated() && (!a.Total || out.Frozen != nil) { // beside a frozen baseline it may be a suspect too
					want = max(want, gate.MostSuspect)
				}
			}
		}
		n += max(0, want-len(it.Fresh))
	}
	return n
}

// Case is a run with what it is compared with.
type Case struct {
	Pass     baseline.Pass
	Data     *datasets.Dataset // that the run was over
	Baseline *baseline.Baseline
	Release  *baseline.Baseline // the frozen baseline; nil without one
	PoolRuns int                // 0 is baseline.PoolRuns

	// Prepare fills in the rest.
	Pool, Frozen baseline.Pool
	Evidence     gate.Evidence // without fresh traces
	Differs      []string      // in what the run was made otherwise than the last accepted one
}

// Estimate is what a round takes, by the run's own traces of the same queries; usd may be unknown.
func (c *Case) Estimate(r Round) (tokens float64, usd *float64) {
	return c.cost(func(of store.Record) (traces float64) {
		for _, b := range r.Batches {
			if slices.Contains(b.Queries, of.Query) {
				traces += float64(b.Traces)
			}
		}
		return traces
	})
}

// EstimateMean is what a number of traces takes by the mean of the run's, for queries not known yet.
func (c *Case) EstimateMean(traces int) (tokens float64, usd *float64) {
	made := 0
	for _, r := range c.Pass.Records {
		made += len(r.Answers)
	}
	return c.cost(func(r store.Record) float64 { return float64(traces*len(r.Answers)) / float64(max(1, made)) })
}

// cost is that of so many traces of each record's query.
func (c *Case) cost(traces func(store.Record) float64) (tokens float64, usd *float64) {
	if c.Evidence.USD != nil {
		usd = new(float64)
	}
	for _, r := range c.Pass.Records {
		share := traces(r) / float64(max(1, len(r.Answers)))
		tokens += share * float64(r.Usage.InputTokens+r.Usage.OutputTokens)
		if usd != nil && r.Usage.USD != nil {
			*usd += share * *r.Usage.USD
		}
	}
	return tokens, usd
}

// Permutations is the number of draws of the test of concordance.
const Permutations = 10_000

// Prepare grades the accepted runs by the dataset and gathers what a decision rests on. It
// refuses runs that say nothing about the agent as it is now.
func (c *Case) Prepare() error {
	name := c.Pass.Configuration.Name
	if err := c.Pass.Judged(); err != nil {
		return err
	}
	known := c.Baseline.Configurations()
	if len(known) > 0 && !slices.Contains(known, name) {
		return fmt.Errorf("the baseline has no runs of configuration %q; it has %v", name, known)
	}
	pool, warnings, err := c.graded(c.Baseline, c.PoolRuns)
	if err != nil {
		return err
	}
	c.Pool, c.Evidence = pool, pool.Evidence(c.Pass.Manifest.Seed, Permutations)
	c.Evidence.Warnings = append(c.Evidence.Warnings, warnings...)
	if c.Release != nil {
		c.Frozen, warnings, err = c.graded(c.Release, len(c.Release.Runs))
		if err == nil && len(c.Frozen.Runs) == 0 {
			err = fmt.Errorf("it has no runs of configuration %q", name)
		}
		if err != nil {
			return fmt.Errorf("frozen baseline: %w", err)
		}
		for _, warning := range warnings {
			c.Evidence.Warnings = append(c.Evidence.Warnings, "frozen baseline: "+warning)
		}
		c.Evidence.FrozenRuns = len(c.Frozen.Runs)
		for i := range c.Evidence.Items {
			c.Evidence.Items[i].Frozen = c.Frozen.Items[i].History
		}
	}
	if err := c.Pass.Observe(&c.Evidence, c.Pool); err != nil {
		return err
	}
	if err := c.Pool.SameReader(c.Baseline, c.Pass); err != nil {
		return err
	}
	last := baseline.AcceptedRun{}
	if n := len(c.Pool.Runs); n > 0 {
		last = c.Pool.Runs[n-1]
	}
	invalid, warnings := baseline.Cached(c.Pass, last.Run, last.Copies)
	c.Evidence.Invalid = append(c.Evidence.Invalid, invalid...)
	c.Evidence.Warnings = append(c.Evidence.Warnings, warnings...)
	c.Differs = c.Pool.Differences(c.Baseline, c.Pass)
	return nil
}

// graded is the pool of a baseline by the dataset as it is now.
func (c *Case) graded(b *baseline.Baseline, runs int) (baseline.Pool, []string, error) {
	name := c.Pass.Configuration.Name
	if err := baseline.Known(b.Counting(name), c.Pass); err != nil {
		return baseline.Pool{}, nil, fmt.Errorf("it is in the baseline already: %w", err)
	}
	pool, graded, err := b.Pool(name, runs, c.Pass.Configuration.K).Regrade(c.Data)
	return pool, graded.Warnings(), err
}
