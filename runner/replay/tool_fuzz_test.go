package replay_test

import (
	"encoding/json"
	"sync/atomic"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// FuzzObservation replays any recorded output of a tool.
func FuzzObservation(f *testing.F) {
	f.Add(`{"value":"6650","results":[1]}`, false)
	f.Add(`{"results":[],"tried":[{"b":1,"a":[null,1e999]}],"é":"\u00e9\/<"}`, true)
	f.Add(`null`, true)
	f.Add(`{"a":"\ud800","a":2}`, false)
	f.Fuzz(func(t *testing.T, output string, documents bool) {
		o := trace.Observation{CallID: "c", Output: json.RawMessage(output)}
		if documents {
			o.Documents = []trace.Document{}
		}
		rec := openEvents([]trace.Event{
			{ID: traceOf(0), Body: trace.Action{Name: "web_search", Input: []byte(`{"query":"nile"}`), CallID: "c"}},
			{ID: traceOf(0), Body: o},
		})
		var asked atomic.Int64
		_, results := run(t, t.Context(), traceOf(0), []tool.Tool{replay.Tool{Inner: library{&asked}, Recording: rec}}, []model.ToolCall{search("c", "nile")})
		var object map[string]any
		if json.Unmarshal([]byte(output), &object) != nil || object == nil {
			return
		}
		if documents {
			object["results"] = []any{}
		}
		want, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		got, err := results[0].Output.Render(o.Documents)
		if err != nil || results[0].Failure != tool.NoFailure {
			t.Fatalf("%s: %v, %+v", output, err, results[0])
		}
		var back any
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(back); err != nil || string(again) != string(want) {
			t.Errorf("%s came back as %s, %v", output, got, err)
		}
	})
}
