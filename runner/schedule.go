package runner

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// schedule is a run in progress.
type schedule struct {
	plan    Plan
	folder  *store.Writer // an error of the folder stops the run
	out     *outputs      // all outputs, including the folder
	control Control
	local   *Local

	groups   []group
	progress map[*Arm]*Progress // nil without a Watcher
	decided  atomic.Int64       // number of records
	wiring   wiring
	giveUp   context.CancelCauseFunc
}

func newSchedule(p Plan, folder *store.Writer, out *outputs, c Control) *schedule {
	return &schedule{plan: p, groups: groupsOf(p.Arms), folder: folder, out: out, control: c,
		local: &Local{plan: p, clock: c.Clock, parents: c.Parents}}
}

// run starts traces until all are done or the run is stopped. It goes query by query. So each query is decided
// early, and only the queries that are running are in memory.
func (s *schedule) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.giveUp = cancel
	stopWatching := s.watch(cancel)
	defer stopWatching()
	s.watchProgress()

	running := newPlaces(s.places)
	for q, err := range s.undecided().Queries() {
		if err != nil {
			cancel(err)
			break
		}
		for _, g := range order(s.groups, s.plan.Seed, q) {
			s.start(ctx, running, g, q)
		}
	}
	running.wait.Wait()
	switch {
	case isClosed(s.folder.Failed()):
		return s.folder.Err()
	case int(s.decided.Load()) == s.plan.Dataset.Len()*len(s.plan.Arms):
		return nil
	case ctx.Err() != nil && context.Cause(ctx) != ErrDrained:
		return context.Cause(ctx)
	default:
		return ErrDrained
	}
}

// undecided returns the queries that some arm has not decided yet. It counts the other queries; these do not
// have to be read.
func (s *schedule) undecided() *queries.Set {
	all := s.plan.Dataset
	if s.control.Prior == nil {
		return all
	}
	left := all.Only(func(id string) bool {
		return slices.ContainsFunc(s.groups, func(g group) bool {
			arms, _ := g.undecided(s.control.Prior, id)
			return arms > 0
		})
	})
	s.decided.Add(int64((all.Len() - left.Len()) * len(s.plan.Arms)))
	return left
}

// start starts the missing traces of a query for a group. It returns when the last of these traces has started.
func (s *schedule) start(ctx context.Context, running *places, g group, q datasets.Query) {
	p, missing := s.newPending(g, q)
	if len(p.arms) == 0 {
		return
	}
	if len(missing) == 0 && !s.stopped(ctx) {
		running.run(func() {
			p.begin(s.control.Clock())
			s.decideQuery(ctx, p)
		})
	}
	for _, t := range missing {
		if s.stopped(ctx) {
			return
		}
		running.run(func() {
			if !s.stopped(ctx) { // waiting for a free place may have taken long
				p.begin(s.control.Clock())
				s.progressed(func(p *Progress) { p.InFlight++ }, g.owner())
				if s.control.Executor != nil {
					s.elsewhere(ctx, p, t)
				} else {
					s.here(ctx, p, t)
				}
			}
		})
	}
}

// places returns the number of traces that run at the same time.
func (s *schedule) places() int {
	if s.control.Executor != nil {
		return s.control.Executor.Places()
	}
	return s.plan.Arms[0].Configuration.Limits.Traces()
}

// here makes one trace in this process.
//
//go:noinline
func (s *schedule) here(ctx context.Context, p *pendingQuery, index int) {
	id := trace.ID{Agent: p.group.owner().AgentHash, Query: p.query.ID, Trace: index}
	t := s.local.trace(ctx, p.group, p.query, index, s.out, func() int64 { return s.folder.Written(id) })
	s.finish(ctx, p, t)
}

// finish adds a trace to its query. After the last trace, the query is decided. If a trace was not finished, or
// if the decision is cancelled, the query gets no record in this session.
func (s *schedule) finish(ctx context.Context, p *pendingQuery, t store.FinishedTrace) {
	if s.watched(p.group) {
		if err := s.wiring.ended(t); err != nil {
			s.giveUp(err)
		}
	}
	s.progressed(func(p *Progress) { p.InFlight-- }, p.group.owner())
	s.progressed(func(p *Progress) { p.ended++; p.failed(t.Trace) }, p.group.arms...)
	unfinished := func(t store.FinishedTrace) bool { return t.StopReason.Unfinished() }
	if last := p.add(t); last && !slices.ContainsFunc(p.traces, unfinished) {
		s.decideQuery(ctx, p)
	}
}

// decideQuery writes the records of a query whose traces are complete, one for each arm that has no record. The
// arm that ran the traces comes first. Its judges' replies are then in the cache, where the other arms find
// them.
func (s *schedule) decideQuery(ctx context.Context, p *pendingQuery) {
	for _, a := range p.arms {
		r, err := s.decide(ctx, a, p.query, p.traces[:a.Configuration.K])
		if err != nil {
			return // ctx is done; run reports its error
		}
		if a != p.group.owner() {
			for _, t := range p.traces[:a.Configuration.K] {
				r.Timing.CallsSent -= t.Timing.CallsSent // the owner's record has counted them
			}
		}
		r.Timing.WallS = s.control.Clock().Sub(p.start).Seconds()
		s.out.Record(r)
		s.decided.Add(1)
		s.progressed(func(p *Progress) { p.decided(r) }, a)
	}
}

// stopped reports whether new traces are prevented.
func (s *schedule) stopped(ctx context.Context) bool {
	return ctx.Err() != nil || isClosed(s.control.Drain) || isClosed(s.folder.Failed())
}

// watch cancels running traces when writing fails, or when Grace has passed after a drain.
func (s *schedule) watch(cancel context.CancelCauseFunc) (stop func()) {
	over := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		drain, grace := s.control.Drain, (<-chan time.Time)(nil)
		for {
			select {
			case <-drain:
				drain, grace = nil, time.After(s.control.Grace)
				if s.control.Executor != nil {
					s.control.Executor.Drain()
				}
				continue
			case <-grace:
				cancel(ErrDrained)
			case <-s.folder.Failed():
				cancel(ErrDrained)
			case <-over:
			}
			return
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
