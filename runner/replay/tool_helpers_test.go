package replay_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// library is a search tool that fails if the query says so, and counts its calls.
type library struct{ called *atomic.Int64 }

func (library) Spec() tool.Spec {
	return tool.Spec{
		ToolSpec: model.ToolSpec{
			Name: "web_search", Description: "Search.",
			Parameters: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"},"n":{"type":"integer"}},"required":["query"],"additionalProperties":false}`),
		},
		Evidence: true,
	}
}

// attempt is a struct, so that its fields are not written in alphabetical order.
type attempt struct {
	Source string `json:"source"`
	Kind   string `json:"kind"`
	Ms     int64  `json:"ms"`
}

func (l library) Call(ctx context.Context, arguments json.RawMessage) (tool.Output, error) {
	l.called.Add(1)
	var in struct{ Query string }
	if err := json.Unmarshal(arguments, &in); err != nil {
		return tool.Output{}, err
	}
	half := 0.1
	switch in.Query {
	case "quota":
		return tool.Output{}, &tool.BackendError{Kind: "quota", Err: errors.New("used up; wait")}
	case "kindless":
		return tool.Output{}, &tool.BackendError{Err: errors.New("gone")}
	case "refuse":
		return tool.Output{}, errors.New("bad_request: too short; change the query")
	case "hang":
		<-ctx.Done()
		return tool.Output{}, ctx.Err()
	case "nothing":
		return tool.Output{Object: map[string]any{"source_used": "wiki"}, Documents: []trace.Document{}}, nil
	case "bare":
		return tool.Output{}, nil
	case "no documents":
		return tool.Output{Object: map[string]any{"results": []int{1, 2}, "note": nil, "big": uint64(1<<64 - 1)}}, nil
	default:
		return tool.Output{
			Object: map[string]any{"source_used": "<wiki> é \u2028", "tried": []attempt{{"serper", in.Query, 1 << 60}}, "results": "in the way"},
			Documents: []trace.Document{
				{Ref: "Nile", Title: "Nile & " + in.Query, Source: "https://x/?a=1&b=2", Snippet: "6650 km\nlong", Score: 1.0 / 3, BackendScore: &half, Backend: "wiki"},
				{Ref: "Amazon", Title: "Amazon", Backend: "wiki"},
			},
		}, nil
	}
}

// sum is a pure tool.
type sum struct{ called *atomic.Int64 }

func (sum) Spec() tool.Spec {
	return tool.Spec{ToolSpec: model.ToolSpec{
		Name: "sum", Description: "Adds nothing.", Parameters: json.RawMessage(`{"type":"object","additionalProperties":false}`),
	}, Pure: true}
}

func (s sum) Call(context.Context, json.RawMessage) (tool.Output, error) {
	s.called.Add(1)
	return tool.Output{Object: map[string]any{"value": "0"}}, nil
}

// run runs calls of a trace like an agent, and returns the events.
func run(t interface{ Fatal(...any) }, ctx context.Context, id trace.ID, tools []tool.Tool, calls []model.ToolCall) ([]trace.Event, []tool.Result) {
	return runUnder(t, ctx, id, tools, calls, func(model.ToolCall) time.Duration { return time.Minute })
}

// impatient gives no time to the search that does not end.
func impatient(call model.ToolCall) time.Duration {
	if call.Arguments == search("", "hang").Arguments {
		return time.Millisecond
	}
	return time.Minute
}

func runUnder(t interface{ Fatal(...any) }, ctx context.Context, id trace.ID, tools []tool.Tool, calls []model.ToolCall, timeout func(model.ToolCall) time.Duration) (events []trace.Event, results []tool.Result) {
	r, err := tool.New(tools...)
	if err != nil {
		t.Fatal(err)
	}
	var ledger trace.Ledger
	ctx = tool.WithTrace(ctx, id)
	for step, call := range calls {
		add := func(b trace.Body) { events = append(events, trace.Event{ID: id, Step: step, Body: b}) }
		add(trace.Action{Name: call.Name, Input: trace.InputOf(call.Arguments), CallID: call.ID})
		res := r.Invoke(ctx, call, timeout(call))
		o := trace.Observation{CallID: call.ID}
		if res.Error != "" {
			o.Error, o.ErrorKind = &res.Error, &res.Kind
		} else {
			if res.Output.Documents != nil {
				o.Documents = ledger.Enter(res.Output.Documents)
			}
			if o.Output, err = res.Output.Render(o.Documents); err != nil {
				t.Fatal(err)
			}
		}
		add(o)
		results = append(results, res)
	}
	return events, results
}

func openEvents(events []trace.Event) *replay.Recording {
	return replay.New(memory{events: events})
}

func search(id, query string) model.ToolCall {
	raw, err := json.Marshal(map[string]string{"query": query})
	if err != nil { // encoding a text never fails
		raw = []byte(err.Error())
	}
	return model.ToolCall{ID: id, Name: "web_search", Arguments: string(raw)}
}
