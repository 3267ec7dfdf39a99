package runner

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/store"
)

// schedule is one run on its way.
type schedule struct {
	plan    Plan
	out     *store.Writer
	control Control

	groups  []group
	telling sync.Mutex   // one callback at a time
	decided atomic.Int64 // records that there are
}

func newSchedule(p Plan, out *store.Writer, c Control) *schedule {
	return &schedule{plan: p, groups: groupsOf(p.Arms), out: out, control: c}
}

// run starts traces until all are done or something stops it. Query-major order lets a
// query be decided as early as possible, and keeps only queries in flight in memory.
func (s *schedule) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stopWatching := s.watch(cancel)
	defer stopWatching()

	var group errgroup.Group
	group.SetLimit(s.plan.Arms[0].Configuration.Limits.Traces())
	for _, q := range s.plan.Dataset.Queries {
		for _, g := range turns(s.groups, s.plan.Seed, q) {
			s.start(ctx, &group, g, q)
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	switch {
	case isClosed(s.out.Failed()):
		return s.out.Err()
	case int(s.decided.Load()) == len(s.plan.Dataset.Queries)*len(s.plan.Arms):
		return nil
	case ctx.Err() != nil && context.Cause(ctx) != ErrDrained:
		return context.Cause(ctx)
	default:
		return ErrDrained
	}
}

// start brings what is missing of a query under a group of arms on its way. It returns
// once the last of its traces has begun.
func (s *schedule) start(ctx context.Context, running *errgroup.Group, g group, q datasets.Query) {
	pending, missing := s.newPending(g, q)
	if len(pending.arms) == 0 {
		return
	}
	if len(missing) == 0 && !s.stopped(ctx) {
		running.Go(func() error {
			pending.begin(s.control.Clock())
			s.decideQuery(ctx, pending)
			return nil
		})
	}
	for _, t := range missing {
		if s.stopped(ctx) {
			return
		}
		running.Go(func() error {
			if !s.stopped(ctx) { // it may have waited long for its turn
				pending.begin(s.control.Clock())
				s.finish(ctx, pending, s.runTrace(ctx, g, q, t))
			}
			return nil
		})
	}
}

// finish tells of a trace and adds it; with the last one the query is decided. A query with
// an unfinished trace gets no record, nor does one whose deciding was cancelled: they are
// left to a later session.
func (s *schedule) finish(ctx context.Context, p *pending, t timedTrace) {
	s.tell(func() {
		if s.control.OnTrace != nil {
			s.control.OnTrace(t.Trace)
		}
	})
	if last := p.add(t); last && !anyUnfinished(p.traces) {
		s.decideQuery(ctx, p)
	}
}

// decideQuery writes the records of a query whose traces are all there, one for each arm
// that has none. The owner of the traces comes first: what its judges are asked about, the
// others need not ask again.
func (s *schedule) decideQuery(ctx context.Context, p *pending) {
	for _, a := range p.arms {
		r, err := s.decide(ctx, a, p.query, p.traces[:a.Configuration.K])
		if err != nil {
			return // ctx is done, and run says so
		}
		if a != p.group.owner() {
			r.Timing.CallsSent -= sentBy(p.traces[:a.Configuration.K]) // the owner's record has them
		}
		r.Timing.WallS = s.control.Clock().Sub(p.start).Seconds()
		s.out.Record(r)
		s.decided.Add(1)
		s.tell(func() {
			if s.control.OnRecord != nil {
				s.control.OnRecord(r)
			}
		})
	}
}

// tell keeps callbacks from running side by side.
func (s *schedule) tell(what func()) {
	s.telling.Lock()
	defer s.telling.Unlock()
	what()
}

// stopped reports whether no further trace may begin.
func (s *schedule) stopped(ctx context.Context) bool {
	return ctx.Err() != nil || isClosed(s.control.Drain) || isClosed(s.out.Failed())
}

// watch cancels what is in flight when writing has failed, or when the grace that a
// drain leaves has passed.
func (s *schedule) watch(cancel context.CancelCauseFunc) (stop func()) {
	over := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		select {
		case <-over:
			return
		case <-s.out.Failed():
			cancel(ErrDrained)
			return
		case <-s.control.Drain:
		}
		grace := time.NewTimer(s.control.Grace)
		defer grace.Stop()
		select {
		case <-over:
		case <-s.out.Failed():
			cancel(ErrDrained)
		case <-grace.C:
			cancel(ErrDrained)
		}
	})
	return func() { close(over); watching.Wait() }
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
