package consensus

import (
	"time"

	"github.com/seed-5817661a/concur/internal/asking"
	"github.com/seed-5817661a/concur/runner/model"
)

// Effort is the cost of asking a model.
type Effort struct {
	Calls       int // requests, retries included
	Errors      int // questions on which the model failed
	Unparseable int // questions without a readable reply after two attempts
	Usage       model.Usage
	Time        time.Duration
	// Unread counts the replies that could not be parsed; UnreadUsage and UnreadTime are their cost.
	Unread      int
	UnreadUsage model.Usage
	UnreadTime  time.Duration
}

// Add returns the sum of two efforts.
func (e Effort) Add(f Effort) Effort {
	return Effort{
		Calls: e.Calls + f.Calls, Errors: e.Errors + f.Errors, Unparseable: e.Unparseable + f.Unparseable,
		Usage: e.Usage.Add(f.Usage), Time: e.Time + f.Time,
		Unread: e.Unread + f.Unread, UnreadUsage: e.UnreadUsage.Add(f.UnreadUsage), UnreadTime: e.UnreadTime + f.UnreadTime,
	}
}

// effortOf is the effort of one question.
func effortOf[T any](r asking.Reply[T]) Effort {
	e := Effort{
		Calls: r.Calls, Usage: r.Usage, Time: r.Time,
		Unread: r.Unreadable.Calls, UnreadUsage: r.Unreadable.Usage, UnreadTime: r.Unreadable.Time,
	}
	switch {
	case r.Failed != nil:
		e.Errors = 1
	case r.Unread != nil:
		e.Unparseable = 1
	}
	return e
}
