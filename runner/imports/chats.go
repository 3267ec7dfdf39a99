package imports

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/trace"
)

// chat is a conversation in the form of OpenAI's chat messages, or a query with its trace array. The id of the
// query, its category and gold, and the model are read if present.
type chat struct {
	ID, Category, Model, Configuration string
	Gold                               scalar
	Messages                           []message
	Query                              string
	Trace                              []reportedEvent
}

// origin is the line on which a query first appears.
type origin struct {
	line  int
	query datasets.Query
}

// readChats reads conversations, one JSON object per line: {"messages": […]} or {"query": "…", "trace":
// [{"step": 0, "event": "action", …}, …]}. The messages before the last question are the query's history.
// Several lines may be traces of one query: they have the same id or, without ids, the same messages up to the
// last question. The lines have no verdicts, so the gold of the line or of a dataset decides.
func readChats(r source) (*Log, error) {
	l := &Log{Tool: "chats", Name: "chats"}
	ungraded, unknown := 0, 0
	first := map[string]origin{} // first line of each query, by id
	err := eachLine(r, func(number int, c chat) error {
		q := datasets.Query{ID: c.ID, Category: c.Category, Text: c.Query, Gold: datasets.Gold{Answer: string(c.Gold)}}
		if c.Messages, q.History = split(c.Messages); len(c.Messages) > 0 {
			q.Text = cmp.Or(q.Text, textOf(c.Messages[0].Content))
		}
		if q.Text == "" {
			return errors.New("it has no message of the user: each line needs messages, or query and trace")
		}
		for _, turn := range q.History {
			q.ID += turn.Content + " "
		}
		if q.ID = cmp.Or(c.ID, q.ID+q.Text); q.Gold.Answer == "" {
			ungraded++
		}
		was, again := first[q.ID]
		switch {
		case !again:
			first[q.ID] = origin{number, q}
		case was.query.Text != q.Text, !slices.Equal(was.query.History, q.History):
			return fmt.Errorf("line %d has a different question under the id %q: give each question an "+
				"id of its own", was.line, q.ID)
		case was.query.Gold.Answer != q.Gold.Answer:
			return fmt.Errorf("it has the gold %q, but line %d has %q for the same query: keep one", q.Gold.Answer,
				was.line, was.query.Gold.Answer)
		}
		var t Trace
		if c.Trace != nil {
			unknown += t.takeEvents(c.Trace)
		} else {
			t.take(c.Messages)
		}
		l.row(cmp.Or(c.Configuration, c.Model, "default"), c.Model).add(l.query(q), t)
		return nil
	})
	l.note(ungraded, "conversation", " has no gold"+nameDataset+"it", " have no gold"+nameDataset+"them")
	l.note(unknown, "event", " of a trace is neither thought, action, observation nor final: it is left out",
		" of traces are neither thought, action, observation nor final: they are left out")
	return l, err
}

// message is a message of a recorded conversation, in the form of OpenAI, Inspect and tau2-bench.
type message struct {
	Role    string
	Content json.RawMessage // a text, parts, or null
	Calls   []call          `json:"tool_calls"`
	Answers string          `json:"tool_call_id"` // id of the call that a tool's message answers
}

// call is a tool call. Its name and arguments are next to its id, or in an object "function"; a text "function"
// is the name.
type call trace.Action

func (c *call) UnmarshalJSON(raw []byte) error {
	type named struct {
		Name      string
		Arguments json.RawMessage // an object, or a text that contains one
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

// take turns a conversation into the steps of the trace. Each message of an assistant is a step. The last
// message without calls is the final message, unless the trace already has one.
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

// textOf returns a JSON text, or the texts of parts; "" for null or a missing value; any other JSON unchanged.
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

// split divides a conversation before its last question. A question is a message of the user that comes first
// or follows an assistant's reply without tool calls. If a conversation has observations as messages of the
// user, only its first message is a question. rest begins with the question, and is empty if there is no
// question.
func split(chat []message) (rest []message, history []datasets.Turn) {
	at, replied := -1, true
	for i, m := range chat {
		switch {
		case m.Role == "user" && strings.HasPrefix(strings.ToLower(strings.TrimSpace(textOf(m.Content))),
			"observation"):
			return chat[slices.IndexFunc(chat, func(m message) bool { return m.Role == "user" }):], nil
		case m.Role == "user" && replied:
			at, replied = i, false
		case m.Role == "assistant":
			replied = len(m.Calls) == 0
		}
	}
	if at < 0 {
		return nil, nil
	}
	for _, m := range chat[:at] {
		text := textOf(m.Content)
		if role := m.Role; text != "" && len(m.Calls) == 0 && (role == datasets.UserRole ||
			role == datasets.AssistantRole) {
			history = append(history, datasets.Turn{Role: role, Content: text})
		}
	}
	return chat[at:], history
}
