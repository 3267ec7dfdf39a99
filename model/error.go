package model

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrorKind is the kind of a failed call. It says what the caller can do about the failure.
type ErrorKind string

// The kinds of failed calls. ContextOverflow and ContentFilter are caused by the agent's request. All other
// kinds are failures of the infrastructure (docs/method.md §1.1).
const (
	ErrAuth            ErrorKind = "auth"
	ErrQuota           ErrorKind = "quota"
	ErrRateLimited     ErrorKind = "rate_limited"
	ErrBadRequest      ErrorKind = "bad_request"
	ErrContextOverflow ErrorKind = "context_overflow"
	ErrContentFilter   ErrorKind = "content_filter"
	ErrUnavailable     ErrorKind = "unavailable"
	ErrTimeout         ErrorKind = "timeout"
	ErrMalformed       ErrorKind = "malformed"
	ErrCancelled       ErrorKind = "cancelled"
	ErrBudget          ErrorKind = "budget" // the run's own budget is spent; nothing was sent
)

// Error is a failed call.
type Error struct {
	Kind  ErrorKind
	Model string // provider:model as configured
	Err   error  // the cause, for people
	// RetryAfter is the wait that the endpoint demands before the next attempt; 0 if unknown.
	RetryAfter time.Duration
	// Attempts is the number of times that the request was sent. Waited is the time between the attempts. Both
	// are 0 if not counted; then there was at most one attempt.
	Attempts int
	Waited   time.Duration
}

func (e *Error) Error() string { return fmt.Sprintf("call %s: %s: %v", e.Model, e.Kind, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf classifies any error of a Model. It recognises a cancelled or expired context even if the provider
// did not wrap the error. For an unknown error it returns ErrUnavailable, which does not count against the
// agent.
func KindOf(err error) ErrorKind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	switch {
	case errors.Is(err, context.Canceled):
		return ErrCancelled
	case errors.Is(err, context.DeadlineExceeded):
		return ErrTimeout
	default:
		return ErrUnavailable
	}
}
