package confirm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// Fresh stores and runs fresh traces of a gated run's agent.
type Fresh interface {
	// State returns the fresh traces that exist. Before that, it runs lost traces again, once. If this is
	// stopped, the error wraps ErrStopped.
	State(ctx context.Context) (State, error)
	// Run runs batches of fresh traces. If its error wraps ErrStopped, the decision stays open. Any other error
	// ends the decision.
	Run(ctx context.Context, batches []Batch) error
}

// State describes the fresh traces that exist.
type State struct {
	// results of the traces, by query, by number, up to the first gap
	Marks             map[string][]gate.TraceResult
	Stopped           bool     // a run of fresh traces was stopped, so that some are missing
	Invalid, Warnings []string // sentences: why the traces cannot be used, and other warnings
}

// Traces returns the number of fresh traces.
func (s State) Traces() (n int) {
	for _, marks := range s.Marks {
		n += len(marks)
	}
	return n
}

// ErrStopped reports that fresh traces are needed but cannot or must not be run.
var ErrStopped = errors.New("fresh traces were not run")

// Service decides on a run. Only Fresh is required.
type Service struct {
	Fresh Fresh
	// Before is called before each round of fresh traces. If it is nil, every round is allowed. If its error
	// wraps ErrStopped, the decision stays open.
	Before func(Round) error
	// Late traces begin at least Spaced after Ended, the end of the run. Wait waits for that time. If Wait is
	// nil, the decision stays open, and Again is the command that continues it.
	Spaced time.Duration
	Ended  time.Time
	Wait   func(ctx context.Context, until time.Time) error
	Again  string
}

// Round describes the batches that are run next.
type Round struct {
	Batches []Batch
	Traces  int       // in these batches
	Before  int       // fresh traces that exist from earlier rounds
	Most    int       // upper bound of the fresh traces that the decision can still need, including this round
	Begins  time.Time // start of another session of the provider, for which the round waits; zero to begin now
}

// mostRounds is more than the number of looks of both tests, each in two parts.
const mostRounds = 24

// Decide runs the fresh traces that the gate requests and asks the gate again, until it requests no traces or
// none can be run. It first runs the traces that can be run now. If all other traces need another session of
// the provider, it waits for that session; or it leaves the decision open, and sets Outcome.GoOn to the command
// that continues. Of the fresh traces, the returned evidence has only those that were requested.
func (s Service) Decide(ctx context.Context, e gate.Evidence, o gate.Options) (gate.Evidence, gate.Outcome, error) {
	for range mostRounds {
		state, err := s.Fresh.State(ctx)
		if errors.Is(err, ErrStopped) {
			o.NoFresh = err.Error()
		} else if err != nil {
			return e, gate.Outcome{}, err
		}
		now, out := state.decide(e, o)
		if o.NoFresh != "" {
			return now, out, nil
		}
		r := Round{Most: mostFresh(now, out)}
		early, late := s.sessions(out.Need)
		if r.Batches = Batches(state, early); len(r.Batches) == 0 {
			r.Batches, r.Begins = Batches(state, late), s.another()
		}
		switch {
		case len(r.Batches) == 0: // no batch is needed, or its traces were lost again
			return now, out, nil
		case !r.Begins.IsZero() && s.Wait == nil:
			s.leaveOpen(&out, r.Begins)
			return now, out, nil
		}
		for _, it := range now.Items {
			r.Before += len(it.Fresh)
		}
		if err := s.run(ctx, r); errors.Is(err, ErrStopped) {
			o.NoFresh = err.Error()
		} else if err != nil {
			return now, out, err
		}
		if !r.Begins.IsZero() {
			s.Spaced = 0 // the other session has begun, even if the clock was set back
		}
	}
	return e, gate.Outcome{}, fmt.Errorf("decide on the run: %d rounds of fresh traces were not enough; this is a "+
		"defect of concur", mostRounds)
}

// decide decides with the fresh traces that exist. It uses only as many of them as the gate requests. If some
// cannot be used, it adds the reasons.
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

// sessions divides the requests for fresh traces: early can be run now, and late must wait for another session.
func (s Service) sessions(need []gate.FreshRequest) (early, late []gate.FreshRequest) {
	at := s.another()
	begun := !time.Now().Before(at)
	for _, a := range need {
		if a.Late && !begun {
			late = append(late, a)
		} else {
			early = append(early, a)
		}
	}
	return early, late
}

// another returns the time at which another session of the provider begins. If the clock was set back, this is
// at most Spaced from now.
func (s Service) another() time.Time {
	at := s.Ended.Add(s.Spaced)
	if latest := time.Now().Add(s.Spaced); at.After(latest) {
		at = latest
	}
	return at.Round(0)
}

// leaveOpen records in the outcome how to continue.
func (s Service) leaveOpen(out *gate.Outcome, at time.Time) {
	at = at.UTC().Truncate(time.Second).Add(time.Second)
	out.GoOn = &gate.Continuation{After: at, Command: s.Again}
	out.Reasons = append(out.Reasons, fmt.Sprintf(
		"they must come from another session of the provider: run `%[2]s` after %[1]s UTC, or add --wait",
		at.Format("2006-01-02 15:04:05"), s.Again))
}

func (s Service) run(ctx context.Context, r Round) error {
	for _, b := range r.Batches {
		r.Traces += len(b.Queries) * b.Traces
	}
	if s.Before != nil {
		if err := s.Before(r); err != nil {
			return err
		}
	}
	if !r.Begins.IsZero() {
		if err := s.Wait(ctx, r.Begins); err != nil {
			return err
		}
	}
	return s.Fresh.Run(ctx, r.Batches)
}

// Batches returns the missing traces that a decision needs. Queries with the same numbers of traces are in the
// same batch. A query with a lost trace is left out, because its lost traces were already run again.
func Batches(s State, need []gate.FreshRequest) (out []Batch) {
	for _, a := range need {
		marks := s.Marks[a.Query]
		if len(marks) >= a.Traces || slices.Contains(marks, gate.Lost) {
			continue
		}
		b := Batch{[]string{a.Query}, len(marks), a.Traces - len(marks)}
		if i := slices.IndexFunc(out, func(c Batch) bool {
			return c.First == b.First &&
				c.Traces == b.Traces
		}); i >= 0 {
			out[i].Queries = append(out[i].Queries, a.Query)
		} else {
			out = append(out, b)
		}
	}
	return out
}

// mostFresh returns an upper bound of the number of fresh traces that a decision can still need.
func mostFresh(e gate.Evidence, out gate.Outcome) (n int) {
	for _, it := range e.Items {
		want := 0
		if it.Gated() {
			want = gate.MostTotal(e.K)
		}
		for _, a := range out.Need {
			if a.Query == it.Query {
				want = max(want, a.Traces)
				// with a frozen baseline the query can also become a suspect
				if it.Gated() && (!a.Total || out.Frozen != nil) {
					want = max(want, gate.MostSuspect)
				}
			}
		}
		n += max(0, want-len(it.Fresh))
	}
	return n
}
