package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/internal/text"
)

// A circuit opens after outageCalls consecutive failures, or after outageLeast consecutive failures over
// outageTime. One failure is too little evidence, and ten timeouts would take minutes.
const (
	outageCalls = 10
	outageLeast = 3
	outageTime  = 20 * time.Second
)

// Circuit detects that every call of every evidence tool fails because of its backend, so that the run ends
// and the models do not have to answer without evidence. All tools of a run share it. It is safe for
// concurrent use.
type Circuit struct {
	OnOpen func(*OutageError) // called once, when the circuit opens

	mu    sync.Mutex
	calls int      // number of consecutive failures
	tools []string // the tools that failed, sorted
	since time.Time
	open  bool
}

// OutageError ends a run in which all calls of evidence tools fail. As the cause of a context, it ends a trace with the
// stop reason tool_backend.
type OutageError struct {
	Tools []string      // the tools that failed, sorted
	Calls int           // number of consecutive failures
	Over  time.Duration // time since the start of the first failed call
	Cause error         // error of the last call, with the names of the hosts
}

func (e *OutageError) Error() string {
	advice := "fix the cause"
	if slices.Contains(e.Tools, webSearch) {
		advice += ", or search the built-in texts with --corpus offline"
	}
	return fmt.Sprintf("every call of %s fails, %d consecutive times in %v; %s: %v", text.Listed(e.Tools), e.Calls,
		e.Over.Round(100*time.Millisecond), advice, e.Cause)
}

// webSearch is the tool that --corpus gives another source.
const webSearch = "web_search"

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

// Call calls the tool. Failures of the agent are not counted.
func (w watchedTool) Call(ctx context.Context, arguments json.RawMessage) (Output, error) {
	began := time.Now()
	out, err := w.Tool.Call(ctx, arguments)
	if _, failed := errors.AsType[*BackendError](err); err == nil || failed && !callerGone(ctx) {
		w.circuit.learn(w.Spec().Name, began, err)
	}
	return out, err
}

func (c *Circuit) learn(name string, began time.Time, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.calls, c.tools = 0, nil
		return
	}
	if at, known := slices.BinarySearch(c.tools, name); !known {
		c.tools = slices.Insert(c.tools, at, name)
	}
	if c.calls == 0 {
		c.since = began
	}
	c.calls++
	over := time.Since(c.since)
	if !c.open && (c.calls >= outageCalls || c.calls >= outageLeast && over >= outageTime) {
		c.open = true
		c.OnOpen(&OutageError{Tools: slices.Clone(c.tools), Calls: c.calls, Over: over, Cause: err})
	}
}
