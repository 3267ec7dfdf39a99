package imports

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/trace"
)

// message is a message of a recorded conversation.
type message struct {
	role, content string
	calls         []trace.Action
	answers       string // the id of the call that a tool's message answers
}

// take turns a conversation into the steps of the trace: an assistant's message is a step. The
// last one without calls is the final message, unless there is one already.
func (t *Trace) take(chat []message) {
	last := ""
	for _, m := range chat {
		step := max(0, t.Steps-1)
		switch {
		case m.role == "assistant":
			step = t.Steps
			t.Steps++
			t.ModelCalls++
			last = ""
			if len(m.calls) == 0 {
				last = m.content
			} else if m.content != "" {
				t.Events = append(t.Events, Event{step, trace.Thought{Content: m.content}})
			}
			for _, c := range m.calls {
				t.Events = append(t.Events, Event{step, c})
			}
		case m.answers != "":
			t.ToolCalls++
			t.Events = append(t.Events, Event{step, trace.Observation{CallID: m.answers, Output: trace.InputOf(m.content)}})
		}
	}
	t.Message = cmp.Or(t.Message, last)
}

// origin is where a query was first asked.
type origin struct {
	line  int
	query datasets.Query
}

// maxLine is the length of a line of chats, in bytes.
const maxLine = 64 << 20

// Chats reads conversations in the form of OpenAI's chat messages, one JSON object a line:
// {"messages": […]}, and beside them, as far as they are known, id (of the query), category,
// gold, model. Lines with the same id, or without one the same first message of the user, are
// repeats of one query. There are no verdicts in them: the gold decides, of the line or of a dataset.
func Chats(r io.Reader) (*Log, error) {
	l := &Log{Tool: "chats", Name: "chats"}
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	number, ungraded := 0, 0
	first := map[string]origin{} // by id
	for in.Scan() {
		number++
		raw := bytes.TrimSpace(in.Bytes())
		if len(raw) == 0 {
			continue
		}
		var line struct {
			ID, Category, Model, Configuration string
			Gold                               answerText
			Messages                           []struct {
				Role      string
				Content   json.RawMessage
				ToolCalls []struct {
					ID       string
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
				ToolCallID string `json:"tool_call_id"`
			}
		}
		if err := json.Unmarshal(raw, &line); err != nil {
			return nil, fmt.Errorf("read chats: line %d: %w; write one object {\"messages\": […]} on each line, and copy the file again if it was cut", number, err)
		}
		q := datasets.Query{ID: line.ID, Category: line.Category}
		q.Gold.Answer = string(line.Gold)
		var chat []message
		for _, m := range line.Messages {
			c := message{role: m.Role, answers: m.ToolCallID}
			if len(m.Content) > 0 && string(m.Content) != "null" {
				c.content = textOf(m.Content)
			}
			for _, call := range m.ToolCalls {
				c.calls = append(c.calls, trace.Action{Name: call.Function.Name, Input: trace.InputOf(call.Function.Arguments), CallID: call.ID})
			}
			if m.Role == "user" && q.Text == "" {
				q.Text = c.content
			}
			chat = append(chat, c)
		}
		if q.Text == "" {
			return nil, fmt.Errorf("read chats: line %d has no message of the user: each line needs messages", number)
		}
		if q.ID = cmp.Or(q.ID, q.Text); q.Gold.Answer == "" {
			ungraded++
		}
		was, again := first[q.ID]
		switch {
		case !again:
			first[q.ID] = origin{number, q}
		case was.query.Text != q.Text:
			return nil, fmt.Errorf("read chats: line %d asks another question than line %d under the id %q: give each question an id of its own", number, was.line, q.ID)
		case was.query.Gold.Answer != q.Gold.Answer:
			return nil, fmt.Errorf("read chats: line %d has the gold %q, and line %d %q for the same query: keep one", number, q.Gold.Answer, was.line, was.query.Gold.Answer)
		}
		var t Trace
		t.take(chat)
		row := l.row(cmp.Or(line.Configuration, line.Model, "default"), line.Model)
		id := l.query(q)
		row.Traces[id] = append(row.Traces[id], t)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("read chats: line %d: %w", number+1, err)
	}
	if number == 0 {
		return nil, fmt.Errorf("read chats: the file is empty")
	}
	l.note(ungraded, "%d conversations have no gold: name a dataset with --dataset to judge them")
	return l, nil
}

// answerText is a text or a number.
type answerText string

func (a *answerText) UnmarshalJSON(raw []byte) error {
	var id sampleID
	err := id.UnmarshalJSON(raw)
	*a = answerText(id)
	return err
}
