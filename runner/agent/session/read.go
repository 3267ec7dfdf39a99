package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
)

// Turn is a parsed reply of the model.
type Turn struct {
	Calls   []model.ToolCall
	Finish  model.FinishReason
	Problem error // why the reply is neither a call nor a final message with an answer

	message   model.Message // added to the conversation
	thought   string
	final     string   // the final message; in a turn with calls, the text besides them
	misplaced bool     // the call was in the text of a native reply
	repaired  int      // calls with repaired arguments
	invented  bool     // the model wrote an observation itself, which was removed
	dropped   int      // further actions, which are ignored
	aliases   []string // names that the model used for tools, if they differ
	before    string   // in the protocol inline, what the reply adds to the text, without its call
}

// maxCalls limits the tool calls of a turn, because even a blocked call needs events and a message.
const maxCalls = 128

// cut reports whether the reply is a final message that ended at the token limit.
func (t Turn) cut() bool { return t.Finish == model.FinishLength && len(t.Calls) == 0 }

// certain returns the final message. If the token limit cut it off, its last line is left out, because it may
// be incomplete.
func (t Turn) certain() string {
	if !t.cut() {
		return t.final
	}
	return t.final[:max(0, strings.LastIndexByte(t.final, '\n'))]
}

// read parses a reply: its native calls, or, if it has no native calls, its text in any dialect. tools are all
// tools that the model knows, also those that it cannot call now.
func (p Protocol) read(reply model.Response, tools []model.ToolSpec) Turn {
	thought, text := reply.Message.Speech()
	t := Turn{message: reply.Message, thought: thought, final: text, Finish: reply.Finish}
	t.message.Content, t.message.ToolCalls = text, nil
	if p.text { // the unchanged message of text protocols is not sent back
		t.message.Opaque = nil
	}
	if calls := reply.Message.ToolCalls; len(calls) > 0 && !p.text {
		t.readCalls(calls, tools)
		t.think(text)
		return t
	}
	d := dialect.Parse(text, tools)
	if !p.text && !isForm(d, tools) {
		if (d.Dialect == dialect.Labels || d.Dialect == dialect.Answer) && d.Final != "" && !d.Invented {
			t.final = strings.TrimSpace(d.Thought + "\n\n" + d.Final)
		}
		return t // prose
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
	if !p.text || p.lists {
		for _, further := range d.Further {
			t.take(further, "")
			t.dropped--
		}
	}
	if t.final = d.Final; !p.text && len(t.Calls) > 0 {
		t.misplaced, t.message.Content, t.message.ToolCalls = true, d.Thought, t.Calls
	}
	return t
}

// isForm reports whether the text of a native reply is a call, or a final message in the form of a dialect,
// and not prose.
func isForm(d dialect.Turn, tools []model.ToolSpec) bool {
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

// readCalls reads native calls. If one call cannot be read, the whole turn cannot be read, because each call in
// the conversation needs a result.
func (t *Turn) readCalls(calls []model.ToolCall, tools []model.ToolSpec) {
	if n := len(calls); n > maxCalls {
		t.Problem = fmt.Errorf("the turn has %d tool calls, and at most %d are read", n, maxCalls)
		return
	}
	for _, c := range calls {
		d := dialect.ReadCall(c.Name, c.Arguments, tools)
		if t.take(d, c.ID); d.Final != "" { // the call finishes the trace
			t.final = d.Final
		}
	}
	if t.Problem != nil {
		t.Calls = nil
	}
	t.message.ToolCalls = t.Calls
}

// take adds a call.
func (t *Turn) take(d dialect.Turn, id string) {
	t.dropped += d.Dropped
	if d.Problem != nil {
		t.Problem = d.Problem
	}
	if d.Alias != "" {
		t.aliases = append(t.aliases, fmt.Sprintf("%.64q is taken for %s", d.Alias, d.Name))
	}
	if d.Repaired {
		t.repaired++
	}
	if d.Name != "" {
		t.Calls = append(t.Calls, model.ToolCall{ID: id, Name: d.Name, Arguments: d.Arguments})
	}
}

func (t *Turn) think(text string) { t.thought = strings.TrimSpace(t.thought + "\n" + text) }

// unreadCall is the problem of a reply with markup of a tool call that could not be read. Such a reply has no
// answer.
type unreadCall string

func (e unreadCall) Error() string {
	return fmt.Sprintf("the reply has %q of a tool call that cannot be read; write the call in the form that was "+
		"asked for, or the answer", string(e))
}

var (
	errUnmarked = errors.New(`the reply has neither a tool call nor a line that begins with "Answer:"`)
	errMisfit   = errors.New(`the line that begins with "Answer:" must hold the answer alone`)
	errCut      = errors.New("the reply was cut off at the token limit before its answer line was complete; be brief")
	errBadCall  = errors.New("the endpoint could not read the tool call of this reply; write the call again, with " +
		"arguments that are valid JSON")
	errCutCall = errors.New("the tool call was cut off at the token limit; be brief")
)

// isUnmarked reports whether the problem is a final message without a marked answer of the query's type.
func isUnmarked(problem error) bool {
	return errors.Is(problem, errUnmarked) || errors.Is(problem, errCut) || errors.Is(problem, errMisfit)
}
