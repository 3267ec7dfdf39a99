package runner

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// schedule is one run on its way.
type schedule struct {
	plan    Plan
	out     *store.Writer
	control Control

	telling sync.Mutex   // one callback at a time
	decided atomic.Int64 // queries with a record
}

func newSchedule(p Plan, out *store.Writer, c Control) *schedule {
	return &schedule{plan: p, out: out, control: c}
}

// run starts traces until all are done or something stops it. Query-major order lets a
// query be decided as early as possible, and keeps only queries in flight in memory.
func (s *schedule) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stopWatching := s.watch(cancel)
	defer stopWatching()

	var group errgroup.Group
	group.SetLimit(s.plan.Configuration.Limits.Concurrency)
	for _, q := range s.plan.Dataset.Queries {
		if s.control.Prior.Decided(s.plan.Configuration.Name, q.ID) {
			s.decided.Add(1)
			continue
		}
		pending, missing := s.newPending(q)
		if len(missing) == 0 && !s.stopped(ctx) {
			group.Go(func() error {
				pending.begin(s.control.Clock())
				s.decideQuery(ctx, pending)
				return nil
			})
		}
		for _, t := range missing {
			if s.stopped(ctx) {
				break
			}
			group.Go(func() error {
				if !s.stopped(ctx) { // it may have waited long for its turn
					pending.begin(s.control.Clock())
					s.finish(ctx, pending, s.runTrace(ctx, q, t))
				}
				return nil
			})
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	switch {
	case isClosed(s.out.Failed()):
		return s.out.Err()
	case int(s.decided.Load()) == len(s.plan.Dataset.Queries):
		return nil
	case ctx.Err() != nil && context.Cause(ctx) != ErrDrained:
		return context.Cause(ctx)
	default:
		return ErrDrained
	}
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

// pending collects the K traces of a query.
type pending struct {
	query datasets.Query

	mu     sync.Mutex
	start  time.Time    // of the first trace; zero before
	traces []timedTrace // by trace index
	left   int
}

// timedTrace is a trace with what it took.
type timedTrace struct {
	trace.Trace
	trace.Timing
	events []trace.Event // kept only where a judge will read them
}

// newPending begins with the traces that an earlier session has finished. missing are the
// indices of the others.
func (s *schedule) newPending(q datasets.Query) (p *pending, missing []int) {
	p = &pending{query: q, traces: make([]timedTrace, s.plan.Configuration.K)}
	for i := range p.traces {
		if t, ok := s.control.Prior.Trace(trace.ID{Agent: s.plan.AgentHash, Query: q.ID, Trace: i}); ok {
			p.traces[i] = timedTrace{Trace: t.Trace, Timing: t.Timing, events: t.Events}
		} else {
			missing = append(missing, i)
		}
	}
	p.left = len(missing)
	return p, missing
}

// add keeps a trace and reports whether it was the query's last.
func (p *pending) add(t timedTrace) (last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.traces[t.Trace.Trace] = t
	p.left--
	return p.left == 0
}

// begin notes when the query's first trace started.
func (p *pending) begin(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.start.IsZero() {
		p.start = now
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

// decideQuery writes the record of a query whose traces are all there.
func (s *schedule) decideQuery(ctx context.Context, p *pending) {
	r, err := s.decide(ctx, p.query, p.traces)
	if err != nil {
		return // ctx is done, and run says so
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

// tell keeps callbacks from running side by side.
func (s *schedule) tell(what func()) {
	s.telling.Lock()
	defer s.telling.Unlock()
	what()
}

func anyUnfinished(traces []timedTrace) bool {
	for _, t := range traces {
		if t.StopReason.Unfinished() {
			return true
		}
	}
	return false
}
