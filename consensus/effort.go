package consensus

import "github.com/seed-5817661a/concur/internal/asking"
import "github.com/seed-5817661a/concur/runner/model"

// Effort is what asking a model took.
type Effort struct {
	Calls       int // requests, a repeated one counted again
	Errors      int // questions that the model failed to answer
	Unparseable int // questions without a readable reply, asked twice
	Usage       model.Usage
}

// Add returns the sum of two efforts.
func (e Effort) Add(f Effort) Effort {
	return Effort{e.Calls + f.Calls, e.Errors + f.Errors, e.Unparseable + f.Unparseable, e.Usage.Add(f.Usage)}
}

// effortOf is that of one question.
func effortOf[T any](r asking.Reply[T]) Effort {
	e := Effort{Calls: r.Calls, Usage: r.Usage}
	switch {
	case r.Failed != nil:
		e.Errors = 1
	case r.Unread != nil:
		e.Unparseable = 1
	}
	return e
}
