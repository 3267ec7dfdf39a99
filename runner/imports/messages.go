package imports

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/seed-5817661a/concur/runner/trace"
)

// message is a message of a recorded conversation, as OpenAI, Inspect and tau2-bench write it.
type message struct {
	Role    string
	Content json.RawMessage // a text, parts, or null
	Calls   []call          `json:"tool_calls"`
	Answers string          `json:"tool_call_id"` // of a tool's message
}

// call is a tool call. Its name and arguments lie beside its id, or in an object "function";
// a text "function" is the name.
type call trace.Action

func (c *call) UnmarshalJSON(raw []byte) error {
	type named struct {
		Name      string
		Arguments json.RawMessage // an object, or a text that holds one
	}
	var in struct {
		named
		ID       string
		Function json.RawMessage
	}
	err := json.Unmarshal(raw, &in)
	if err == nil && len(in.Function) > 0 && json.Unmarshal(in.Function, &in.Name) != nil {
		err = json.Unmarshal(in.Function, &in.named)
	}
	*c = call{Name: in.Name, Input: trace.InputOf(textOf(in.Arguments)), CallID: in.ID}
	return err
}

// take turns a conversation into the steps of the trace: an assistant's message is a step. The
// last one without calls is the final message, unless there is one already.
func (t *Trace) take(chat []message) {
	last := ""
	for _, m := range chat {
		step, text := max(0, t.Steps-1), textOf(m.Content)
		switch {
		case m.Role == "assistant":
			step = t.Steps
			t.Steps++
			t.ModelCalls++
			last = ""
			if len(m.Calls) == 0 {
				last = text
			} else if text != "" {
				t.Events = append(t.Events, Event{step, trace.Thought{Content: text}})
			}
			for _, c := range m.Calls {
				t.Events = append(t.Events, Event{step, trace.Action(c)})
			}
		case m.Answers != "":
			t.ToolCalls++
			t.Events = append(t.Events, Event{step, trace.Observation{CallID: m.Answers, Output: trace.InputOf(text)}})
		}
	}
	t.Message = cmp.Or(t.Message, last)
}

// textOf is a JSON text, or the texts of parts; "" for null or nothing; any other JSON stays as it is.
func textOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct{ Text string }
	if json.Unmarshal(raw, &parts) == nil {
		var out []string
		for _, p := range parts {
			if p.Text != "" {
				out = append(out, p.Text)
			}
		}
		return strings.Join(out, "\n")
	}
	return string(raw)
}

// scalar is a text or a number.
type scalar string

func (s *scalar) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, (*string)(s)) == nil {
		return nil
	}
	var number json.Number
	err := json.Unmarshal(raw, &number)
	*s = scalar(number)
	return err
}
