package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Job is a trace to make. Its seed follows from the seed of the run and this identity (TraceSeed), so the trace is the
// same in whichever process it is made.
type Job struct{ trace.ID }

// Lines receives the lines of traces. An Output and a store.Writer are Lines.
type Lines interface {
	Exchange(store.Exchange)
	Event(trace.Event)
}

// Executor makes the traces of a run somewhere else. Consensus, judges and records stay in the run.
type Executor interface {
	// Places returns the number of traces that are asked for at the same time. It may change during the run.
	Places() int
	// Run makes a trace and then passes its lines to out, in order: the last line is the end of the trace. The run
	// calls stored when the lines are in the files of the run folder, unless it is nil. Run returns an error, and
	// passes no lines, if ctx is done or if no further trace can be made; then the run ends.
	Run(ctx context.Context, job Job, out Lines) (stored func(), err error)
	// Drain is called when the run starts no more traces, and returns at once. Traces that have begun go on. Those that
	// were asked for and have not begun are not made: their Run returns ErrDrained, which does not end the run.
	Drain()
}

// elsewhere makes a trace with the executor of the run. Thousands of calls may wait at the same time, so it needs
// little of the stack while it waits: delivered, which has large variables, is not inlined.
func (s *schedule) elsewhere(ctx context.Context, p *pendingQuery, index int) {
	id := trace.ID{Agent: p.group.owner().AgentHash, Query: p.query.ID, Trace: index}
	kept := &keeper{Lines: s.out, events: p.events}
	stored, err := s.control.Executor.Run(ctx, Job{id}, kept)
	s.delivered(ctx, p, id, kept, stored, err)
}

// delivered adds a trace to its query after the executor has returned.
//
//go:noinline
func (s *schedule) delivered(ctx context.Context, p *pendingQuery, id trace.ID, kept *keeper, stored func(),
	err error) {
	if err == nil && kept.end == nil {
		err = fmt.Errorf("trace %d of %s was delivered without its end", id.Trace, id.Query)
	}
	if err != nil {
		if ctx.Err() == nil && !errors.Is(err, ErrDrained) {
			s.giveUp(err)
		}
		cause := err.Error()
		kept.Event(trace.Event{ID: id, Time: s.control.Clock(), Body: trace.Conclusion{Outcome: trace.Infra,
			StopReason: trace.Cancelled, Extract: "none", Cause: &cause, Supporting: []string{}}})
	}
	if stored != nil {
		s.folder.Stored(stored)
	}
	s.finish(ctx, p, store.FinishedTrace{Trace: kept.end.Trace(id), Timing: kept.end.Timing, Events: kept.all})
}

// keeper passes lines on. It keeps the end of the trace and, if events is set, all events.
type keeper struct {
	Lines
	events bool
	all    []trace.Event
	end    *trace.Conclusion
}

func (k *keeper) Event(e trace.Event) {
	k.Lines.Event(e)
	if k.events {
		k.all = append(k.all, e)
	}
	if end, is := e.Body.(trace.Conclusion); is && e.Path == "" {
		k.end = &end
	}
}

// Local makes traces in this process, with the agents of a plan.
type Local struct {
	plan    Plan
	clock   clock
	parents Parents                   // may be nil
	queries map[string]datasets.Query // only for Run
}

// ErrUnknownJob means that a plan does not have the agent or the query of a job.
var ErrUnknownJob = errors.New("this plan has no such agent or query")

// NewLocal returns a Local for a plan whose agents are open. It keeps all queries of the plan in memory.
func NewLocal(p Plan) (*Local, error) {
	l := &Local{plan: p, clock: time.Now, queries: make(map[string]datasets.Query, p.Dataset.Len())}
	for q, err := range p.Dataset.Queries() {
		if err != nil {
			return nil, err
		}
		l.queries[q.ID] = q
	}
	return l, nil
}

// Buffer receives the lines of one trace.
type Buffer interface {
	Lines
	// Written returns the size of the lines in bytes, as limits.trace_mb counts it.
	Written() int64
}

// Run makes a trace, and passes each line to out as it is made, one at a time. The last line is the end of the trace.
// Its stop reason is Cancelled if ctx was done. The caller limits the local work of all traces with slot.With.
func (l *Local) Run(ctx context.Context, job Job, out Buffer) error {
	q, known := l.queries[job.Query]
	for _, g := range groupsOf(l.plan.Arms) {
		if a := g.owner(); known && a.AgentHash == job.Agent && job.Trace >= a.First && job.Trace < a.First+g.k() {
			l.trace(ctx, g, q, job.Trace, &oneByOne{Lines: out}, out.Written)
			return nil
		}
	}
	return fmt.Errorf("trace %d of %.60q by agent %.16s: %w", job.Trace, job.Query, job.Agent, ErrUnknownJob)
}

// oneByOne passes on one line at a time. An agent's sub-agents work at the same time.
type oneByOne struct {
	mu sync.Mutex
	Lines
}

func (o *oneByOne) Exchange(x store.Exchange) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.Lines.Exchange(x)
}

func (o *oneByOne) Event(e trace.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.Lines.Event(e)
}
