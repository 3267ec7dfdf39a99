package wire

import (
	"errors"
	"fmt"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Delivery is a finished trace.
type Delivery struct {
	trace.ID
	Worker string
	Lines  []Line // in the order in which they were made
}

// Line is either an event or an exchange.
type Line struct {
	Event    *trace.Event    `json:"event,omitempty"`
	Exchange *store.Exchange `json:"exchange,omitempty"`
}

// Kinds of deliveries that are refused.
var (
	ErrStolen = errors.New("a line is of another trace")
	ErrHalf   = errors.New("the trace is not complete")
	ErrForm   = errors.New("the delivery cannot be read")
)

// End returns the end of the trace, which is its last line.
func (d Delivery) End() (end trace.Conclusion, is bool) {
	if len(d.Lines) == 0 {
		return end, false
	}
	return endOf(d.Lines[len(d.Lines)-1])
}

// endOf returns the end of a trace, if this line is one.
func endOf(l Line) (end trace.Conclusion, is bool) {
	if l.Event == nil || l.Event.Path != "" {
		return end, false
	}
	end, is = l.Event.Body.(trace.Conclusion)
	return end, is
}

// Check returns an error unless the delivery is a complete trace and every line is of this trace.
func (d Delivery) Check() error {
	sent := 0
	for i, l := range d.Lines {
		var of trace.ID
		switch {
		case l.Event != nil && l.Exchange == nil:
			of = l.Event.ID
			if _, ends := endOf(l); ends && i < len(d.Lines)-1 {
				return fmt.Errorf("%w: line %d is its end, and %d lines follow", ErrForm, i+1, len(d.Lines)-i-1)
			}
			if l.Event.Name() == trace.ExtractionEvent {
				return fmt.Errorf("%w: line %d is an answer that only the coordinator reads", ErrForm, i+1)
			}
		case l.Exchange != nil && l.Event == nil:
			x := l.Exchange
			of = trace.ID{Agent: x.Agent, Query: x.Query, Trace: x.Trace}
			if sent++; x.Purpose != model.Agent {
				return fmt.Errorf("%w: line %d is an exchange of a %s", ErrForm, i+1, x.Purpose)
			}
		default:
			return fmt.Errorf("%w: line %d is neither an event nor an exchange", ErrForm, i+1)
		}
		if of != d.ID {
			return fmt.Errorf("%w: line %d is of trace %d of %.60q, not of trace %d of %.60q", ErrStolen, i+1, of.Trace,
				of.Query, d.Trace, d.Query)
		}
	}
	end, is := d.End()
	switch {
	case !is:
		return fmt.Errorf("%w: it has no end", ErrHalf)
	case end.StopReason.Unfinished():
		return fmt.Errorf("%w: it was stopped (%s)", ErrHalf, end.StopReason)
	case end.Timing.CallsSent != sent:
		return fmt.Errorf("%w: it has %d of %d exchanges", ErrHalf, sent, end.Timing.CallsSent)
	}
	return nil
}
