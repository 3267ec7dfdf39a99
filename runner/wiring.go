package runner

import (
	"fmt"
	"sync"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// wiringTraces is a number of traces: if this many first traces of an external agent all fail, the run stops.
// An agent that fails in nine of ten traces passes this test with a probability of 0.65.
const wiringTraces = 10

// WiringError reports that a run's external agent never worked: each of its first traces crashed, or ended
// with a reply that cannot be read.
type WiringError struct {
	Traces int      // number of traces that have ended
	First  trace.ID // the first trace with this cause
	Cause  string   // for people; may have several lines
	Reason trace.StopReason
}

func (e *WiringError) Error() string {
	return fmt.Sprintf("the agent does not work: its first %d traces all failed, such as trace %d of %s (%s): %s",
		e.Traces, e.First.Trace, e.First.Query, e.Reason, e.Cause)
}

// wiring counts how the first traces of each external agent of a session end.
type wiring struct {
	mu     sync.Mutex
	failed map[string]*WiringError // by agent hash; a nil entry means that a trace worked
}

// watched reports whether the traces of a group can show that its agent does not work. In a resumed run they
// cannot, because the remaining queries may be exactly those on which a working agent fails. In a run with few
// traces this is not needed, because the run ends soon anyway.
func (s *schedule) watched(g group) bool {
	a := g.owner()
	fresh := s.control.Prior == nil || s.control.Prior.Queries() == 0
	return fresh && a.Configuration.Agent.External.Used() && a.Recording == nil &&
		s.plan.Dataset.Len()*g.k() >= 2*wiringTraces
}

// ended records the end of a trace. If the first wiringTraces finished traces of an agent have all failed, it
// returns an error, only once, and the run ends. Traces that did not finish do not count. After a trace that
// worked, nothing more is counted.
func (w *wiring) ended(t store.FinishedTrace) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed == nil {
		w.failed = map[string]*WiringError{}
	}
	first, begun := w.failed[t.Agent]
	switch {
	case begun && first == nil: // an earlier trace worked
		return nil
	case t.StopReason.Unfinished():
		return nil
	case t.StopReason != trace.AgentError && t.StopReason != trace.FormatError:
		w.failed[t.Agent] = nil
		return nil
	case !begun:
		first = &WiringError{First: t.ID, Cause: t.Cause, Reason: t.StopReason}
		w.failed[t.Agent] = first
	}
	if first.Traces++; first.Traces != wiringTraces {
		return nil
	}
	ends := *first
	return &ends
}
