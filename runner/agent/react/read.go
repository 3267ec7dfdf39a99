package react

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/runner/agent/react/dialect"
	"github.com/seed-5817661a/concur/runner/model"
)

// turn is a model's reply, read.
type turn struct {
	message model.Message // what enters the conversation
	thought string
	calls   []model.ToolCall
	final   string // the final message, without any call; beside calls, what is said with them
	finish  model.FinishReason

	problem   error    // why the reply is neither a call nor a final message with an answer
	misplaced bool     // the call stood in the text of a native reply
	repaired  int      // calls whose arguments were mended
	invented  bool     // the model wrote an observation itself, which was cut off
	dropped   int      // further actions, which are not read
	aliases   []string // what tools were called, where that is not their name
}

// maxCalls is the number of tool calls that one turn may hold; each would cost events and
// messages even where a limit keeps it from running.
const maxCalls = 128

// cut reports whether the reply is a final message that ended at the token limit.
func (t turn) cut() bool { return t.finish == model.FinishLength && len(t.calls) == 0 }

// certain is the final message without what a token limit has cut off: its last line.
func (t turn) certain() string {
	if !t.cut() {
		return t.final
	}
	return t.final[:max(0, strings.LastIndexByte(t.final, '\n'))]
}

// read reads a reply: calls that came as such, else the text, in any dialect. tools are all
// that the model knows of, also where none may be used.
func (p protocol) read(reply model.Response, tools []model.ToolSpec) turn {
	thought, said := reply.Message.Speech()
	t := turn{message: reply.Message, thought: thought, final: said, finish: reply.Finish}
	t.message.Content, t.message.ToolCalls = said, nil
	if p.text { // it belongs to a message that is not sent back as it came
		t.message.Opaque = nil
	}
	if calls := reply.Message.ToolCalls; len(calls) > 0 && !p.text {
		t.readCalls(calls, tools)
		t.think(said)
		return t
	}
	d := dialect.Parse(said, tools)
	if !p.text && !certainly(d, tools) {
		if (d.Dialect == dialect.Labels || d.Dialect == dialect.Answer) && d.Final != "" && !d.Invented {
			t.final = strings.TrimSpace(d.Thought + "\n\n" + d.Final)
		}
		return t // prose, to which other labels mean nothing
	}
	t.invented, t.message.Content = d.Invented, d.Kept
	if errors.Is(d.Problem, dialect.ErrNoAction) {
		if t.final = d.Kept; p.text && d.Thought != "" {
			t.final = d.Thought // without its labels
		}
		return t
	}
	t.think(d.Thought)
	t.take(d, "")
	if !p.text {
		for _, further := range d.Further {
			t.take(further, "")
			t.dropped--
		}
	}
	if t.final = d.Final; !p.text && len(t.calls) > 0 {
		t.misplaced, t.message.Content, t.message.ToolCalls = true, d.Thought, t.calls
	}
	return t
}

// certainly reports whether a native reply's text is a call, however badly written, or a
// final message in the form of one.
func certainly(d dialect.Turn, tools []model.ToolSpec) bool {
	_, offered := dialect.Resolve(d.Name, tools)
	switch d.Dialect {
	case dialect.Tag, dialect.JSON:
		return true
	case dialect.Answer, dialect.Labels:
		return offered
	default:
		return offered || d.Final != ""
	}
}

// readCalls reads calls that came as such. One that cannot be read spoils the turn: a call
// that stays in the conversation must be answered.
func (t *turn) readCalls(calls []model.ToolCall, tools []model.ToolSpec) {
	if n := len(calls); n > maxCalls {
		t.problem = fmt.Errorf("the turn has %d tool calls, and at most %d are read", n, maxCalls)
		return
	}
	for _, c := range calls {
		d := dialect.ReadCall(c.Name, c.Arguments, tools)
		if t.take(d, c.ID); d.Final != "" { // a call that gives the answer
			t.final = d.Final
		}
	}
	if t.problem != nil || len(t.calls) == 0 {
		t.calls = nil
	}
	t.message.ToolCalls = t.calls
}

// take adds a call.
func (t *turn) take(d dialect.Turn, id string) {
	t.dropped += d.Dropped
	if d.Problem != nil {
		t.problem = d.Problem
	}
	if d.Alias != "" {
		t.aliases = append(t.aliases, fmt.Sprintf("%.64q is taken for %s", d.Alias, d.Name))
	}
	if d.Repaired {
		t.repaired++
	}
	if d.Name != "" {
		t.calls = append(t.calls, model.ToolCall{ID: id, Name: d.Name, Arguments: d.Arguments})
	}
}

func (t *turn) think(text string) { t.thought = strings.TrimSpace(t.thought + "\n" + text) }
