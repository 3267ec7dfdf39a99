package tooluse_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/tooluse"
	"github.com/seed-5817661a/concur/trace"
)

func action(id, name string) trace.Action { return trace.Action{Name: name, CallID: id} }

func result(id, output string) trace.Observation {
	return trace.Observation{CallID: id, Output: json.RawMessage(output), DurationMS: 250}
}

func failure(id, kind string) trace.Observation {
	text := "ERROR: x"
	return trace.Observation{CallID: id, Error: &text, ErrorKind: &kind, DurationMS: 250}
}

func Example() {
	var c tooluse.Counter
	c.Note("", action("c1", "calc"))
	c.Note("", result("c1", `{"value":"4"}`))
	fmt.Println(c.Record(), c.Seconds())
	// Output: map[calc:{1 map[] 13}] map[calc:0.25]
}

func TestCounter(t *testing.T) {
	var c tooluse.Counter
	if c.Record() != nil || c.Seconds() != nil {
		t.Error("a trace without a call has a record")
	}
	for _, e := range []struct {
		path string
		body trace.Body
	}{
		{"", action("c1", "search")}, {"", result("c1", `{"x":1}`)},
		{"", action("c2", "search")}, {"", failure("c2", "timeout")},
		{"", action("c3", "search")}, {"", result("c3", "{}")}, // nothing found
		{"", action("c4", "search")}, {"", failure("c4", "repeat")}, // blocked by a guard
		{"", action("c5", "nowhere")}, {"", failure("c5", "unknown_tool")},
		{"", result("memory", `{"x":1}`)}, // documents of a feature are no call
		{"", action("c6", "helper")},
		{"helper#1", action("c1", "search")}, {"helper#1", result("c1", `{"x":1}`)}, // the same id in a sub-agent
		{"helper#1/reader#2", action("c1", "calc")}, {"helper#1/reader#2", failure("c1", "refused")},
		{"", result("c6", `{"answer":"4"}`)},
		{"", action("c7", "search")}, // without a result
	} {
		c.Note(e.path, e.body)
	}
	want := tooluse.Record{
		"search":             {Calls: 3, Failures: map[string]int{"timeout": 1, "empty": 1}, Bytes: 7 + 8 + 2},
		"helper":             {Calls: 1, Bytes: 14},
		"helper/search":      {Calls: 1, Bytes: 7},
		"helper/reader/calc": {Calls: 1, Failures: map[string]int{"refused": 1}, Bytes: 8},
	}
	if diff := cmp.Diff(want, c.Record()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := c.Seconds()["search"]; got != .75 {
		t.Errorf("%v seconds, want 0.75", got)
	}
}

func TestEmptyDocuments(t *testing.T) {
	o := result("c1", `{"results":[]}`)
	if o.Documents = []trace.Document{}; !tooluse.IsEmpty(o) {
		t.Error("a result without documents is not empty")
	}
	if o.Documents = nil; tooluse.IsEmpty(o) {
		t.Error("a result of a tool without documents is empty")
	}
}
