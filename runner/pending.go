package runner

import (
	"sync"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/trace"
)

// pendingQuery collects the traces of a query that a group of arms shares.
type pendingQuery struct {
	query datasets.Query
	group group
	arms  []*Arm // those without a record, in the group's order

	mu     sync.Mutex
	start  time.Time    // of the first trace; zero before
	traces []timedTrace // in order of their index
	left   int
}

// timedTrace is a trace with its timing.
type timedTrace struct {
	trace.Trace
	trace.Timing
	events []trace.Event // kept only if needed, see group.needsEvents
}

// newPending starts with the traces that an earlier session finished. missing are the
// indices of the others.
func (s *schedule) newPending(g group, q datasets.Query) (p *pendingQuery, missing []int) {
	p = &pendingQuery{query: q, group: g}
	k := 0
	for _, a := range g.arms {
		if s.control.Prior.Decided(a.Configuration.Name, q.ID) {
			s.decided.Add(1)
			continue
		}
		p.arms = append(p.arms, a)
		k = max(k, a.Configuration.K)
	}
	p.traces = make([]timedTrace, k)
	for i := range p.traces {
		index := g.owner().First + i
		if t, ok := s.control.Prior.Trace(trace.ID{Agent: g.owner().AgentHash, Query: q.ID, Trace: index}); ok {
			p.traces[i] = timedTrace{Trace: t.Trace, Timing: t.Timing, events: t.Events}
		} else {
			missing = append(missing, index)
		}
	}
	p.left = len(missing)
	return p, missing
}

// add stores a trace and reports whether it was the query's last.
func (p *pendingQuery) add(t timedTrace) (last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.traces[t.Trace.Trace-p.group.owner().First] = t
	p.left--
	return p.left == 0
}

// begin notes the start of the query's first trace.
func (p *pendingQuery) begin(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.start.IsZero() {
		p.start = now
	}
}
