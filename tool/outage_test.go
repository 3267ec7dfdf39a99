package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
)

func TestCircuit(t *testing.T) {
	gone := &tool.BackendError{Kind: "upstream", Err: errors.New("wiki.example: connection refused")}
	repeat := func(n int, err error) []error {
		out := make([]error, n)
		for i := range out {
			out[i] = err
		}
		return out
	}
	for _, c := range []struct {
		name  string
		takes time.Duration // duration of each call
		errs  []error
		open  bool
	}{
		{"ten in a row", 0, repeat(10, gone), true},
		{"nine in a row", 0, repeat(9, gone), false},
		{"three that take long", 7 * time.Second, repeat(3, gone), true},
		{"two that take long", 30 * time.Second, repeat(2, gone), false},
		{"one that works", time.Second, append(append(repeat(9, gone), nil), repeat(9, gone)...), false},
		{"the agent's fault does not count", 0, append(append(repeat(9, gone), repeat(5, errors.New("bad"))...), gone), true},
		{"the agent's fault alone", 0, repeat(30, &tool.RequestError{Kind: tool.BadRequest, Err: errors.New("no")}), false},
	} {
		synctest.Test(t, func(t *testing.T) {
			var told []*tool.OutageError
			circuit := &tool.Circuit{OnOpen: func(e *tool.OutageError) { told = append(told, e) }}
			next := 0
			f := named("search", noArguments, func(context.Context, json.RawMessage) (tool.Output, error) {
				time.Sleep(c.takes)
				next++
				return tool.Output{}, c.errs[next-1]
			})
			f.spec.Evidence = true
			watched := circuit.Watch(f)
			for range c.errs {
				_, _ = watched.Call(t.Context(), nil)
			}
			if len(told) > 1 || (len(told) == 1) != c.open {
				t.Fatalf("%s: told %v", c.name, told)
			}
			if c.open && (!errors.Is(told[0].Cause, gone.Err) || !strings.Contains(told[0].Error(), "wiki.example") ||
				!strings.HasPrefix(told[0].Error(), "every call of search fails, ")) {
				t.Errorf("%s: %v", c.name, told[0])
			}
		})
	}
}

// The error names the tools that failed since the last call that worked, and a way out that they have.
func TestCircuitNamesTheTools(t *testing.T) {
	var told *tool.OutageError
	circuit := &tool.Circuit{OnOpen: func(e *tool.OutageError) { told = e }}
	fails := true
	of := func(name string) tool.Tool {
		f := named(name, noArguments, func(context.Context, json.RawMessage) (tool.Output, error) {
			if fails {
				return tool.Output{}, &tool.BackendError{Kind: "upstream", Err: errors.New("refused")}
			}
			return tool.Output{}, nil
		})
		f.spec.Evidence = true
		return circuit.Watch(f)
	}
	call := func(tools ...tool.Tool) {
		for _, one := range tools {
			_, _ = one.Call(t.Context(), nil)
		}
	}
	sql, web, kb := of("sql"), of("web_search"), of("kb_search")
	call(web)
	fails = false
	call(kb)
	fails = true
	for range 5 {
		call(sql, kb)
	}
	if got := told.Error(); !strings.HasPrefix(got, "every call of kb_search, sql fails, 10 consecutive times in ") || strings.Contains(got, "--corpus") {
		t.Error(got)
	}
	told.Tools = []string{"sql", "web_search"}
	if got := told.Error(); !strings.Contains(got, "fix the cause, or search the built-in texts with --corpus offline: ") {
		t.Error(got)
	}
}

// Cancelled calls, and calls of tools that return no evidence, do not count.
func TestCircuitOverlooks(t *testing.T) {
	circuit := &tool.Circuit{OnOpen: func(e *tool.OutageError) { t.Error(e) }}
	fails := named("search", noArguments, func(context.Context, json.RawMessage) (tool.Output, error) {
		return tool.Output{}, &tool.BackendError{Kind: "timeout", Err: context.Canceled}
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	other := circuit.Watch(fails)
	fails.spec.Evidence = true
	search := circuit.Watch(fails)
	for range 20 {
		_, _ = other.Call(t.Context(), nil)
		_, _ = search.Call(ctx, nil)
	}
}

// TestCircuitOverlooksCallers checks that a search that ends because of its caller's deadline does not count.
func TestCircuitOverlooksCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		circuit := &tool.Circuit{OnOpen: func(e *tool.OutageError) { t.Error(e) }}
		calls := 0
		slow := named("search", noArguments, func(ctx context.Context, _ json.RawMessage) (tool.Output, error) {
			<-ctx.Done()
			calls++
			return tool.Output{}, &tool.BackendError{Kind: "timeout", Err: ctx.Err()}
		})
		slow.spec.Evidence = true
		r, err := tool.New(circuit.Watch(slow))
		if err != nil {
			t.Fatal(err)
		}
		for n := range 20 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			r.Invoke(ctx, model.ToolCall{ID: "c", Name: "search"}, time.Hour)
			synctest.Wait()
			if cancel(); calls != n+1 {
				t.Fatalf("%d calls have ended, want %d", calls, n+1)
			}
		}
	})
}
