package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// A circuit opens after outageCalls failures in a row, or after outageLeast failures over outageTime: a
// single failure is too little evidence, and ten timeouts would take minutes.
const (
	outageCalls = 10
	outageLeast = 3
	outageTime  = 20 * time.Second
)

// Circuit detects when every call to every evidence tool fails because of its backend, so that a run ends instead of
// asking models without evidence. The tools of a run share it. It is safe for concurrent use.
type Circuit struct {
	OnOpen func(*OutageError) // called once

	mu    sync.Mutex
	calls int // failures in a row
	since time.Time
	open  bool
}

// OutageError ends a run whose searches all fail. As the cause of a context's end, it ends a trace with tool_backend.
type OutageError struct {
	Calls int           // failures in a row
	Over  time.Duration // from the start of the first failed call
	Cause error         // error of the last call, which names the hosts
}

func (e *OutageError) Error() string {
	return fmt.Sprintf("every search fails, %d in a row over %v; fix the cause, or search the built-in texts with "+
		"--corpus offline: %v",
		e.Calls, e.Over.Round(100*time.Millisecond), e.Cause)
}

// Watch observes the calls of an evidence tool; other tools are returned unchanged.
func (c *Circuit) Watch(t Tool) Tool {
	if !t.Spec().Evidence {
		return t
	}
	return watchedTool{t, c}
}

type watchedTool struct {
	Tool
	circuit *Circuit
}

// Call calls the tool. A failure of the agent is not counted.
func (w watchedTool) Call(ctx context.Context, arguments json.RawMessage) (Output, error) {
	began := time.Now()
	out, err := w.Tool.Call(ctx, arguments)
	if _, failed := errors.AsType[*BackendError](err); err == nil || failed && !callerGone(ctx) {
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
	if !c.open && (c.calls >= outageCalls || c.calls >= outageLeast && over >= outageTime) {
		c.open = true
		c.OnOpen(&OutageError{Calls: c.calls, Over: over, Cause: err})
	}
}
