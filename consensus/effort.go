package consensus

import (
	"time"

	"github.com/seed-5817661a/concur/internal/asking"
	"github.com/seed-5817661a/concur/runner/model"
)

// Effort is what asking a model took.
type Effort struct {
	Calls       int // requests, a repeated one counted again
	Errors      int // questions that the model failed to answer
	Unparseable int // questions without a readable reply, asked twice
	Usage       model.Usage
	Time        time.Duration
	// Unread is the number of replies that could not be read, with what they took.
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

// effortOf is that of one question.
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
