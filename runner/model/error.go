package model

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrorKind classifies a failed call by what the caller can do about it.
type ErrorKind string

// The kinds. ContextOverflow and ContentFilter are answers to what the agent sent; all
// others are the infrastructure's (methods.md §1.1).
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
	// RetryAfter is how long the endpoint asks to wait before the next try; 0 is unknown.
	RetryAfter time.Duration
	// Attempts is how often the request was sent, and Waited the time between attempts;
	// both are 0 where nothing counts them, which means one attempt at most.
	Attempts int
	Waited   time.Duration
}

func (e *Error) Error() string { return fmt.Sprintf("call %s: %s: %v", e.Model, e.Kind, e.Err) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf classifies any error that a Model returned. A cancelled or expired context
// counts as what it is even where a provider did not wrap it; anything unknown is
// ErrUnavailable, which is never held against the agent.
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
