package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

// Aside is a side request: a question to the agent's model that is not a turn of the loop.
type Aside struct {
	// Task names the conversation, such as reflection#2. Usage is summed by the part before the #.
	Task string
	// Messages has the instructions and the data; see asking.Messages.
	Messages []model.Message
	Schema   *model.ResponseSchema
}

// Ask makes a side request. If read returns an error for the reply, Ask sends the request once more. After a
// second error, value is nil and unread is the reason. err is a failure of the model, or the error of ctx; the
// caller then ends the trace with it (Fail).
func Ask[T any](ctx context.Context, s *Session, a Aside, read func(string) (T, error)) (value *T, unread, err error) {
	r, err := asking.Ask(ctx, s.task.Model, model.Request{
		Identity: s.identity(0, a.Task), Messages: a.Messages, Schema: a.Schema,
		Temperature: s.agent.Config.Temperature, Seed: s.task.Seed,
	}, read)
	name, _, _ := strings.Cut(a.Task, "#")
	s.charge(name, r.Effort)
	return r.Value, r.Unread, errors.Join(err, r.Failed)
}

// TextSchema returns the schema of an object with one text.
func TextSchema(task, field string) *model.ResponseSchema {
	return &model.ResponseSchema{
		Name: "concur_" + task + "_v1",
		Schema: fmt.Appendf(nil, `{"type":"object","properties":{%q:{"type":"string"}},"required":[%q],`+
			`"additionalProperties":false}`, field, field),
	}
}

// ReadText returns a function that reads an object with one text. The text must not be empty, and not longer
// than most bytes.
func ReadText(field string, most int) func(string) (string, error) {
	return func(reply string) (string, error) {
		var text string
		err := asking.ReadInto(reply, map[string]any{field: &text})
		switch text = strings.TrimSpace(text); {
		case err != nil:
			return "", err
		case text == "":
			return "", fmt.Errorf("the reply's %s is empty", field)
		case len(text) > most:
			return "", fmt.Errorf("the reply's %s has %d bytes, and at most %d are read", field, len(text), most)
		}
		return text, nil
	}
}

// Note shows the model the result of a side request, in the form of external data.
func (s *Session) Note(task, text string) {
	s.Emit(trace.Reflection{Task: task, Content: text})
	s.inform(strings.ToUpper(task[:1]) + task[1:] + ":\n" + asking.Cut(text, s.agent.Config.MaxOutput))
}

// Fill replaces the placeholders of a user's prompt: data (by label, between borders), the question, columns of the
// query, the tools, and today's date. The date is that of the query, or else of the run.
func (s *Session) Fill(p config.Prompt, data ...asking.Block) string {
	texts := maps.Clone(s.task.Query.Meta)
	if texts == nil {
		texts = map[string]string{}
	}
	texts["tools"], texts["today"] = s.Listing(), "not known"
	texts["question"] = cmp.Or(s.result.Question, s.task.Query.Text)
	if today := s.task.Day(); !today.IsZero() {
		texts["today"] = today.Format("Monday, 2 January 2006")
	}
	for i, fenced := range asking.Fences(s.task.Seed, data...) {
		texts[data[i].Label] = "\n" + fenced // the borders must be lines
	}
	return p.Fill(texts)
}

// Messages returns the messages of a side request about data, with the user's prompt or, if that is empty,
// concur's instructions.
func (s *Session) Messages(own config.Prompt, instructions string, data ...asking.Block) []model.Message {
	if own.IsZero() {
		return asking.Messages(instructions, s.task.Seed, data...)
	}
	return []model.Message{{Role: model.User, Content: s.Fill(own, data...)}}
}

// Drop counts calls that are not run, and records why.
func (s *Session) Drop(calls []model.ToolCall, why string) {
	if len(calls) > 0 {
		s.result.Format.Dropped += len(calls)
		s.Guard("format", "drop", fmt.Sprintf("%d actions are not run: %s", len(calls), why))
	}
}
