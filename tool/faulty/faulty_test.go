package faulty_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/faulty"
	"github.com/seed-5817661a/concur/trace"
)

func search() tool.Tool {
	return tool.Func(tool.Spec{
		ToolSpec: model.ToolSpec{Name: "search", Description: "Searches.", Parameters: json.RawMessage(`{"type":"object","properties":{}}`)},
		Evidence: true, Pure: true,
	}, func(context.Context, json.RawMessage) (tool.Output, error) {
		return tool.Output{Object: map[string]any{"n": 1}, Documents: []trace.Document{{Ref: "a", Snippet: "found"}}}, nil
	})
}

// results returns the results of the first calls of a trace, by kind; "" for a call that works.
func results(t *testing.T, f faulty.Tool, id trace.ID, calls int) (kinds []string) {
	t.Helper()
	registry, err := tool.New(f)
	if err != nil {
		t.Fatal(err)
	}
	var order tool.Order
	ctx := tool.WithOrder(tool.WithTrace(t.Context(), id), &order)
	for i := range calls {
		order.Request("", fmt.Sprint("c", i), "search", 0)
	}
	kinds = make([]string, calls)
	for i := calls - 1; i >= 0; i-- { // the order in which calls run does not matter
		r := registry.Invoke(ctx, model.ToolCall{ID: fmt.Sprint("c", i), Name: "search", Arguments: "{}"}, time.Minute)
		switch {
		case r.Error != "":
			kinds[i] = r.Kind
			if r.Failure != tool.AgentFailure || !r.Reached {
				t.Errorf("%+v is a fault of the infrastructure", r)
			}
		case len(r.Output.Documents) == 0:
			kinds[i] = "empty"
		}
	}
	return kinds
}

// TestDraws checks that the rate is correct, that each kind occurs, and that a draw depends only on seed,
// query, trace and call.
func TestDraws(t *testing.T) {
	f := faulty.Tool{Inner: search(), Kinds: []faulty.Kind{faulty.Timeout, faulty.Error, faulty.Empty}, Rate: 0.4, Seed: 7}
	counts := map[string]int{}
	const n = 2000
	for i := range n / 4 {
		for _, kind := range results(t, f, trace.ID{Query: fmt.Sprint("q", i)}, 4) {
			counts[kind]++
		}
	}
	if failed := n - counts[""]; failed < n*36/100 || failed > n*44/100 {
		t.Errorf("%d of %d calls failed: %v", failed, n, counts)
	}
	for _, kind := range []string{"fault_timeout", "fault_error", "empty"} {
		if counts[kind] < n*10/100 {
			t.Errorf("kinds %v", counts)
		}
	}
	at := func(f faulty.Tool, id trace.ID) string { return fmt.Sprint(results(t, f, id, 12)) }
	id := trace.ID{Agent: "a", Query: "q", Trace: 1}
	first := at(f, id)
	if again := at(f, trace.ID{Agent: "another", Query: "q", Trace: 1}); again != first {
		t.Errorf("another agent meets other faults: %s, %s", first, again)
	}
	other := f
	other.Seed = 8
	for _, s := range []string{at(f, trace.ID{Query: "q", Trace: 2}), at(f, trace.ID{Query: "p", Trace: 1}), at(other, id)} {
		if s == first {
			t.Errorf("the same faults: %s", s)
		}
	}
	never, always := f, f
	never.Rate, always.Rate = 0, 1
	for _, kind := range results(t, never, id, 50) {
		if kind != "" {
			t.Error("a rate of 0 fails")
		}
	}
	for _, kind := range results(t, always, id, 50) {
		if kind == "" {
			t.Error("a rate of 1 works")
		}
	}
}

// TestTexts checks that the model gets the same text as for a real failure, and that a recording gives the
// same failure again.
func TestTexts(t *testing.T) {
	for kind, want := range map[faulty.Kind]string{
		faulty.Timeout: "ERROR: timeout(search)",
		faulty.Error:   "ERROR: tool_failed(search): upstream: the server answered 503 Service Unavailable",
	} {
		registry, err := tool.New(faulty.Tool{Inner: search(), Kinds: []faulty.Kind{kind}, Rate: 1})
		if err != nil {
			t.Fatal(err)
		}
		var order tool.Order
		order.Request("", "c", "search", 0)
		r := registry.Invoke(tool.WithOrder(tool.WithTrace(t.Context(), trace.ID{Query: "q"}), &order), model.ToolCall{ID: "c", Name: "search"}, time.Minute)
		if r.Error != want {
			t.Errorf("%s: %q", kind, r.Error)
		}
		again, is := tool.Observed(r.Error, r.Kind).(*tool.ObservedError)
		if !is || again.Failure != r.Failure || again.Text != want {
			t.Errorf("%s again: %+v", kind, again)
		}
	}
	if f := (faulty.Tool{Inner: search()}); f.Spec().Pure {
		t.Error("a replay would run the tool again")
	}
	if _, err := (faulty.Tool{Inner: search(), Kinds: []faulty.Kind{faulty.Empty}}).Call(t.Context(), nil); err == nil {
		t.Error("a call outside of a trace draws something")
	}
}
