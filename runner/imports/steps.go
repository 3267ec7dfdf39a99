package imports

import (
	"bytes"
	"cmp"
	"encoding/json"

	"github.com/seed-5817661a/concur/trace"
)

// reportedEvent is an event of the trace array that ReAct agents write: {step, event, …}. It accepts the
// events and fields of trace.jsonl, and also the names tool for name, args for input, and content for output
// and message.
type reportedEvent struct {
	Step                             int
	Event, Content                   string
	Name, Tool                       string
	CallID                           string `json:"call_id"`
	Input, Args, Output, Observation json.RawMessage
	Error                            *string
	Message, Answer                  string
}

// takeEvents turns a trace array into the steps of the trace, numbered in order of first occurrence. unknown
// is the number of events with unknown names, which are omitted.
func (t *Trace) takeEvents(list []reportedEvent) (unknown int) {
	steps := map[int]int{}
	call := trace.Action{}
	for _, e := range list {
		if _, known := steps[e.Step]; !known {
			steps[e.Step] = len(steps)
		}
		add := func(body trace.Body) { t.Events = append(t.Events, Event{steps[e.Step], body}) }
		switch e.Event {
		case "thought":
			add(trace.Thought{Content: e.Content})
		case "action":
			call = trace.Action{Name: cmp.Or(e.Name, e.Tool), Input: given(e.Input, e.Args), CallID: e.CallID}
			add(call)
		case "observation":
			t.ToolCalls++
			out := trace.Observation{CallID: cmp.Or(e.CallID, call.CallID), Error: e.Error}
			if e.Error == nil {
				out.Output = given(e.Output, e.Observation, trace.InputOf(e.Content))
			}
			add(out)
		case "final":
			t.Message = cmp.Or(e.Message, e.Answer, e.Content)
		default:
			unknown++
		}
	}
	t.Steps, t.ModelCalls = len(steps), len(steps)
	return unknown
}

// given returns the first value that is present; null without one.
func given(values ...json.RawMessage) json.RawMessage {
	for _, v := range values {
		if len(bytes.TrimSpace(v)) > 0 {
			return v
		}
	}
	return json.RawMessage("null")
}
