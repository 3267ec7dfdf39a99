package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// whoami is a tool that returns the facts about its caller.
func whoami(who *tool.Caller, known *bool) fake {
	return named("whoami", noArguments, func(ctx context.Context, _ json.RawMessage) (tool.Output, error) {
		*who, *known = tool.CallerOf(ctx)
		return tool.Output{}, nil
	})
}

func TestInvokeNamesTheCaller(t *testing.T) {
	var who tool.Caller
	var known bool
	r, err := tool.New(whoami(&who, &known))
	if err != nil {
		t.Fatal(err)
	}
	id := trace.ID{Agent: "a1", Query: "q0", Trace: 2}
	r.Invoke(tool.WithTrace(t.Context(), id), model.ToolCall{ID: "call_7", Name: "whoami"}, time.Minute)
	if want := (tool.Caller{Trace: id, Call: "call_7"}); !known || who != want {
		t.Errorf("%+v, %t; want %+v", who, known, want)
	}
	r.Invoke(t.Context(), model.ToolCall{ID: "call_8", Name: "whoami"}, time.Minute)
	if known {
		t.Errorf("outside of a trace: %+v", who)
	}
	if _, known := tool.CallerOf(tool.WithTrace(t.Context(), id)); known {
		t.Error("a trace alone is no call")
	}
}

func ExampleObserved() {
	r, err := tool.New(named("search", noArguments, func(context.Context, json.RawMessage) (tool.Output, error) {
		return tool.Output{}, tool.Observed("ERROR: timeout(search)", "timeout")
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	res := r.Invoke(context.Background(), model.ToolCall{ID: "1", Name: "search"}, time.Second)
	fmt.Println(res.Error, res.Failure, res.Kind)
	// Output: ERROR: timeout(search) backend timeout
}

// TestObservedGivesAFailureAgain makes every failure that Invoke knows, and returns it again through a tool
// that uses Observed.
func TestObservedGivesAFailureAgain(t *testing.T) {
	for _, was := range []tool.Result{
		{Error: "ERROR: unknown_tool(x)", Failure: tool.AgentFailure, Kind: tool.UnknownTool},
		{Error: "ERROR: bad_tool_arguments(x): no", Failure: tool.AgentFailure, Kind: tool.BadArguments},
		{Error: "ERROR: tool_failed(x): division by zero", Failure: tool.AgentFailure, Kind: tool.Refused},
		{Error: "ERROR: tool_failed(x): bad_request: no such language", Failure: tool.AgentFailure, Kind: tool.BadRequest},
		{Error: "ERROR: tool_failed(x): not_found: no such page", Failure: tool.AgentFailure, Kind: tool.NotFound},
		{Error: "ERROR: tool_failed(x): quota: used up", Failure: tool.BackendFailure, Kind: "quota"},
		{Error: "ERROR: timeout(x)", Failure: tool.BackendFailure, Kind: "timeout"},
		{Error: "ERROR: tool_failed(x): it has no kind", Failure: tool.BackendFailure},
		{Error: "ERROR: tool_panicked(x): boom", Failure: tool.PanicFailure, Kind: "panic"},
	} {
		r, err := tool.New(named("again", noArguments, func(context.Context, json.RawMessage) (tool.Output, error) {
			return tool.Output{}, fmt.Errorf("replay: %w", tool.Observed(was.Error, was.Kind))
		}))
		if err != nil {
			t.Fatal(err)
		}
		got := r.Invoke(t.Context(), model.ToolCall{Name: "again"}, time.Minute)
		if got.Error != was.Error || got.Failure != was.Failure || got.Kind != was.Kind {
			t.Errorf("%+v came back as %+v", was, got)
		}
	}
	if err := tool.Observed("", "quota"); err == nil {
		t.Error("an error without text")
	}
}
