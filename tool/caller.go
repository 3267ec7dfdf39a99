package tool

import (
	"context"
	"errors"
	"time"

	"github.com/seed-5817661a/concur/trace"
)

// Caller names the call that a tool runs for.
type Caller struct {
	Trace trace.ID
	Path  string // path of the calling agent within the trace; "" for the trace's own agent
	Call  string // the call's id, unique in the agent's conversation
}

// scope has the facts about a call that are stored in its context.
type scope struct {
	Caller
	trace   context.Context // a context that ends with the trace; nil outside of a trace
	order   *Order          // numbers the calls of the trace; nil without numbers
	parents Parents         // nil unless the spans of the run are sent
	invoker context.Context // the context with which Invoke was called; nil outside of a call
	timeout time.Duration   // time limit of the call
	day     time.Time       // the date of the query or of the run; zero if it is not known
}

type scopeKey struct{}

func scopeOf(ctx context.Context) scope {
	s, _ := ctx.Value(scopeKey{}).(scope)
	return s
}

func (s scope) within(ctx context.Context) context.Context {
	return context.WithValue(ctx, scopeKey{}, s)
}

// WithTrace returns a context with the trace to which calls belong. The code that calls an agent must end ctx
// with the trace. Invoke adds the call.
func WithTrace(ctx context.Context, id trace.ID) context.Context {
	return scope{Caller: Caller{Trace: id}, trace: ctx}.within(ctx)
}

// OnTraceEnd calls do, once and in a new goroutine, after the end of the trace to which a call belongs.
// Outside of a trace it does nothing.
func OnTraceEnd(ctx context.Context, do func()) {
	if s := scopeOf(ctx); s.trace != nil {
		context.AfterFunc(s.trace, do)
	}
}

// WithPath returns a context with the path of the agent that makes the calls.
func WithPath(ctx context.Context, path string) context.Context {
	s := scopeOf(ctx)
	s.Path = path
	return s.within(ctx)
}

// WithDay returns a context with the date that tools take as today; the zero time means that it is not known.
func WithDay(ctx context.Context, day time.Time) context.Context {
	s := scopeOf(ctx)
	s.day = day
	return s.within(ctx)
}

// DayOf returns the date of WithDay. ok is false without one.
func DayOf(ctx context.Context) (day time.Time, ok bool) {
	day = scopeOf(ctx).day
	return day, !day.IsZero()
}

// callerGone reports, from the context of a Call, whether the caller was cancelled or reached its own
// deadline. In neither case is the tool at fault.
func callerGone(ctx context.Context) bool {
	s := scopeOf(ctx)
	return errors.Is(ctx.Err(), context.Canceled) || s.invoker != nil && s.invoker.Err() != nil
}

// TimeoutOf returns, from the context of a Call, how long a tool with its own deadline may wait for other
// processes or machines. ok is false outside of Invoke.
func TimeoutOf(ctx context.Context) (timeout time.Duration, ok bool) {
	s := scopeOf(ctx)
	return s.timeout, s.invoker != nil
}

// CallerOf returns, from the context of a Call, the call that runs the tool. Use it only for records: a
// tool's output must not depend on it. ok is false outside of a trace.
func CallerOf(ctx context.Context) (c Caller, ok bool) {
	s := scopeOf(ctx)
	return s.Caller, s.trace != nil && s.invoker != nil
}
