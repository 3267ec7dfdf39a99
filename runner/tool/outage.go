package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// A circuit opens after outageCalls failures in a row, or after outageLeast over outageTime:
// a single search that fails says nothing, and ten that wait for their timeout take minutes.
const (
	outageCalls = 10
	outageLeast = 3
	outageTime  = 20 * time.Second
)

// Circuit tells when every call to every evidence tool fails through what stands behind it,
// so that a run ends instead of asking models about nothing. It is shared by the tools of a
// run and safe for concurrent use.
type Circuit struct {
	OnOpen func(*OutageError) // told once

	mu     sync.Mutex
	calls  int // that failed in a row
	since  time.Time
	opened bool
}

// OutageError is why a run whose searches all fail does not go on. As the cause of a
// context's end it ends a trace tool_backend.
type OutageError struct {
	Calls int           // that failed in a row
	Over  time.Duration // from the first one's beginning
	Cause error         // of the last one, which names the hosts
}

func (e *OutageError) Error() string {
	return fmt.Sprintf("every search fails, %d in a row over %v; mend the cause, or search the built-in texts with --corpus offline: %v",
		e.Calls, e.Over.Round(100*time.Millisecond), e.Cause)
}

// Unwrap gives the cause.
func (e *OutageError) Unwrap() error { return e.Cause }

// Watch learns from the calls of an evidence tool; any other is returned as it is.
func (c *Circuit) Watch(t Tool) Tool {
	if !t.Spec().Evidence {
		return t
	}
	return watched{t, c}
}

type watched struct {
	Tool
	circuit *Circuit
}

// Call calls the tool. A failure for the agent's fault says nothing of the backend.
func (w watched) Call(ctx context.Context, arguments json.RawMessage) (Output, error) {
	began := time.Now()
	out, err := w.Tool.Call(ctx, arguments)
	if _, failed := errors.AsType[*BackendError](err); err == nil || failed && !errors.Is(ctx.Err(), context.Canceled) {
		w.circuit.learn(began, err)
	}
	return out, err
}

func (c *Circuit) learn(began time.Time, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.calls = 0
		return
	}
	if c.calls == 0 {
		c.since = began
	}
	c.calls++
	over := time.Since(c.since)
	if !c.opened && (c.calls >= outageCalls || c.calls >= outageLeast && over >= outageTime) {
		c.opened = true
		c.OnOpen(&OutageError{Calls: c.calls, Over: over, Cause: err})
	}
}
