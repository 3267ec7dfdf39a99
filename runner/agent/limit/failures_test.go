package limit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/limit"
	"github.com/seed-5817661a/concur/tool"
)

// moody is a tool that fails on request.
type moody struct{}

func (moody) Spec() tool.Spec {
	return tool.Spec{ToolSpec: model.ToolSpec{
		Name: "moody", Description: "fails as told",
		Parameters: json.RawMessage(`{"type":"object","properties":{"how":{"type":"string"}},"additionalProperties":false}`),
	}}
}

func (moody) Call(ctx context.Context, arguments json.RawMessage) (tool.Output, error) {
	var in struct{ How string }
	if err := json.Unmarshal(arguments, &in); err != nil {
		return tool.Output{}, err
	}
	switch in.How {
	case "backend":
		return tool.Output{}, &tool.BackendError{Kind: "quota", Err: errors.New("used up")}
	case "refuse":
		return tool.Output{}, errors.New("no such thing")
	case "hang":
		<-ctx.Done()
		return tool.Output{}, ctx.Err()
	case "panic":
		panic("moody")
	default:
		return tool.Output{Object: map[string]any{}}, nil
	}
}

func ExampleFailures() {
	f := limit.Failures{Max: 1}
	failed := tool.Result{Call: model.ToolCall{Name: "search"}, Failure: tool.BackendFailure, Error: "ERROR: timeout(search)"}
	for range 2 {
		fmt.Println(f.Note(failed), f.Excluded("search"))
	}
	fmt.Println(f.Observation("search"))
	// Output:
	// false false
	// true true
	// ERROR: tool_unavailable(search): it failed 2 times; do without it
}

// TestWhatCountsAsAFailure makes real calls, so that it fails if the kinds of their errors change.
func TestWhatCountsAsAFailure(t *testing.T) {
	tools, err := tool.New(moody{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, tool, arguments string
		spoke, counts         bool
	}{
		{"works", "moody", `{}`, true, false},
		{"backend", "moody", `{"how":"backend"}`, true, true},
		{"own error", "moody", `{"how":"refuse"}`, true, true},
		{"timeout", "moody", `{"how":"hang"}`, true, true},
		{"bad arguments", "moody", `{"why":1}`, false, false},
		{"no JSON", "moody", `{"how`, false, false},
		{"unknown tool", "tool_failed", `{}`, false, false},
		{"panic", "moody", `{"how":"panic"}`, false, false}, // a panic ends the trace anyway
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := tools.Invoke(t.Context(), model.ToolCall{Name: c.tool, Arguments: c.arguments}, time.Second)
				f := limit.Failures{Max: 1}
				f.Note(r)
				if got := limit.ToolSpoke(r); got != c.spoke {
					t.Errorf("the tool spoke: %t, want %t (%+v)", got, c.spoke, r)
				}
				if got := f.Count(c.tool) == 1; got != c.counts {
					t.Errorf("counted %d failures; want it counted: %t (%+v)", f.Count(c.tool), c.counts, r)
				}
			})
		})
	}
}

func TestFailuresAreCountedByTool(t *testing.T) {
	f := limit.Failures{Max: 3}
	fails := func(name string) tool.Result {
		return tool.Result{Call: model.ToolCall{Name: name}, Failure: tool.BackendFailure}
	}
	for i := range 5 {
		f.Note(fails("b"))
		f.Note(tool.Result{Call: model.ToolCall{Name: "a"}}) // a success neither counts nor resets the count
		if out := f.Note(fails("a")); out != (i == 3) || f.Excluded("a") != (i >= 3) {
			t.Errorf("failure %d: taken out now %t, excluded %t", i+1, out, f.Excluded("a"))
		}
	}
	if f.Excluded("c") {
		t.Error("a tool that never failed is excluded")
	}
	var free limit.Failures
	for range 100 {
		if free.Note(fails("a")) || free.Excluded("a") {
			t.Fatal("no limit was set, and a tool was taken out")
		}
	}
}
