package replay_test

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

func ExampleTool() {
	id := trace.ID{Agent: "3f2a", Query: "nile", Trace: 0}
	recorded := replay.New(memory{events: []trace.Event{
		{ID: id, Body: trace.Action{Name: "web_search", Input: []byte(`{"query":"length of the Nile"}`), CallID: "call_1"}},
		{ID: id, Body: trace.Observation{
			CallID:    "call_1",
			Output:    []byte(`{"results":[{"id":"wiki_1","title":"Nile","snippet":"6650 km","source":"","score":1}],"source_used":"wikipedia"}`),
			Documents: []trace.Document{{ID: "wiki_1", Ref: "Nile", Title: "Nile", Snippet: "6650 km", Score: 1, Backend: "wiki"}},
		}},
	}})
	tools, err := tool.New(replay.Tool{Inner: library{}, Recording: recorded}) // library would use the network
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := tool.WithTrace(context.Background(), id)
	for _, callID := range []string{"call_1", "call_2"} {
		res := tools.Invoke(ctx, model.ToolCall{ID: callID, Name: "web_search", Arguments: `{"query": "length of the Nile"}`}, time.Second)
		for _, d := range res.Output.Documents {
			fmt.Println(d.Title, d.Snippet)
		}
		if res.Error != "" {
			fmt.Println(res.Error)
		}
	}
	// Output:
	// Nile 6650 km
	// ERROR: tool_failed(web_search): replay: find recorded tool call call_2 of nile trace 0 (by 3f2a): the recording has no such call; replay with --record-missing to ask the model or tool, or record again
}
