package confirm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// Fresh keeps and runs the fresh traces of a gated run's agent.
type Fresh interface {
	// State gives the fresh traces that exist.
	State(ctx context.Context) (State, error)
	// Run runs batches, and returns when their traces are kept. An error that wraps ErrStopped
	// leaves the decision open; any other ends it.
	Run(ctx context.Context, batches []Batch) error
}

// State are the fresh traces that exist.
type State struct {
	// Marks say how they ended, by query and in the order of their numbers, from 0 and
	// without gaps.
	Marks map[string][]gate.Mark
	// Stopped tells that a run of fresh traces was, so that some are still to come.
	Stopped bool
	// Invalid and Warnings are sentences on what makes them no evidence, or should be known.
	Invalid, Warnings []string
}

// Traces counts them.
func (s State) Traces() (n int) {
	for _, marks := range s.Marks {
		n += len(marks)
	}
	return n
}

// Batch are fresh traces to be run: Traces of each query, the first with the number First.
type Batch struct {
	Queries       []string
	First, Traces int
	// Again tells that the traces exist and were lost to the infrastructure: they are run
	// again under their numbers.
	Again bool
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
	// §6.2, Spacing). Now and Wait are the clock; nil is the real one.
	Spaced time.Duration
	Ended  time.Time
	Now    func() time.Time
	Wait   func(context.Context, time.Duration) error
}

// Round are the batches that come next.
type Round struct {
	Batches []Batch
	Traces  int // in them
	Before  int // fresh traces that exist
	// Most is how many more the decision can need, this round included.
	Most int
	Wait time.Duration // before it begins
}

// mostRounds is more than any decision takes: five looks of Test B, four of Test A, one for
// safety queries, and one again for each.
const mostRounds = 24

// Decide asks for fresh traces, runs them and decides, until nothing is needed or nothing more
// can be run. Those that exist count in any case. It returns the evidence with all fresh
// traces in it.
func (s Service) Decide(ctx context.Context, e gate.Evidence, o gate.Options) (gate.Evidence, gate.Outcome, error) {
	again := map[string]int{} // lost traces are run again once
	for range mostRounds {
		state, err := s.Fresh.State(ctx)
		if err != nil {
			return e, gate.Outcome{}, err
		}
		now := e
		now.Items = slices.Clone(e.Items)
		for i := range now.Items {
			now.Items[i].Fresh = state.Marks[now.Items[i].Query]
		}
		now.Invalid = slices.Concat(e.Invalid, state.Invalid)
		now.Warnings = slices.Concat(e.Warnings, state.Warnings)
		out := gate.Decide(now, o)
		if len(out.Need) == 0 || o.NoFresh != "" {
			return now, out, nil
		}
		batches := Batches(state, out.Need, again)
		if len(batches) == 0 { // lost twice: the decision says so
			return now, out, nil
		}
		if err := s.round(ctx, now, out, state, batches); errors.Is(err, ErrStopped) {
			o.NoFresh = err.Error()
		} else if err != nil {
			return now, out, err
		}
	}
	return e, gate.Outcome{}, fmt.Errorf("decide on the run: %d rounds of fresh traces were not enough; this is a defect of concur", mostRounds)
}

// round runs the batches that come next.
func (s Service) round(ctx context.Context, e gate.Evidence, out gate.Outcome, state State, batches []Batch) error {
	r := Round{Batches: batches, Before: state.Traces(), Most: most(e, out)}
	for _, b := range batches {
		r.Traces += len(b.Queries) * b.Traces
	}
	if slices.ContainsFunc(out.Need, func(a gate.Ask) bool { return a.Late }) && !s.Ended.IsZero() {
		now := time.Now
		if s.Now != nil {
			now = s.Now
		}
		r.Wait = max(0, s.Ended.Add(s.Spaced).Sub(now()))
	}
	if s.Before != nil {
		if err := s.Before(r); err != nil {
			return err
		}
	}
	if r.Wait > 0 {
		wait := s.Wait
		if wait == nil {
			wait = sleep
		}
		if err := wait(ctx, r.Wait); err != nil {
			return err
		}
	}
	return s.Fresh.Run(ctx, batches)
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}

// Batches are what is missing of the traces that a decision needs, those with the same numbers
// together. Lost ones are among them once: again notes how many traces of a query had been run
// when that was done last.
func Batches(s State, need []gate.Ask, again map[string]int) []Batch {
	var out []Batch
	add := func(query string, b Batch) {
		for i := range out {
			if out[i].First == b.First && out[i].Traces == b.Traces && out[i].Again == b.Again {
				out[i].Queries = append(out[i].Queries, query)
				return
			}
		}
		b.Queries = []string{query}
		out = append(out, b)
	}
	for _, a := range need {
		marks := s.Marks[a.Query]
		lost := slices.Index(marks[:min(a.Traces, len(marks))], gate.Lost)
		switch {
		case lost >= 0 && len(marks) > again[a.Query]:
			again[a.Query] = len(marks)
			add(a.Query, Batch{First: lost, Traces: 1, Again: true})
		case lost < 0 && len(marks) < a.Traces:
			add(a.Query, Batch{First: len(marks), Traces: a.Traces - len(marks)})
		}
	}
	return out
}

// most bounds the fresh traces that a decision can still need.
func most(e gate.Evidence, out gate.Outcome) int {
	suspects := map[string]bool{}
	tested := map[string]bool{}
	for _, c := range []*gate.Comparison{out.Rolling, out.Frozen} {
		if c == nil {
			continue
		}
		for _, s := range c.Slips {
			suspects[s.Query] = suspects[s.Query] || s.Suspect
		}
	}
	for _, it := range e.Items {
		tested[it.Query] = !it.Safety
	}
	for _, q := range out.NotGated {
		tested[q.Query] = false
	}
	asked := map[string]int{}
	for _, a := range out.Need {
		asked[a.Query] = a.Traces
	}
	n := 0
	for _, it := range e.Items {
		want := asked[it.Query]
		if tested[it.Query] {
			want = max(want, gate.MostTotal(e.K))
		}
		if suspects[it.Query] {
			want = max(want, gate.MostSuspect)
		}
		n += max(0, want-len(it.Fresh))
	}
	return n
}
