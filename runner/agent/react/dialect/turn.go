package dialect

import (
	"errors"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
)

// Dialect is the form that a turn was written in.
type Dialect string

// The dialects (wire-formats.md §12.4). A turn that could not be read at all has none.
const (
	Labels   Dialect = "labels"    // Action: name, Action Input: {…}, Final: …
	Call     Dialect = "call"      // Action: name(…) or name[…]
	Numbered Dialect = "numbered"  // Action 1: Search[…], Finish[…]
	JSON     Dialect = "json"      // [{"name", "arguments"}], fenced or bare, alone or in a list
	Tag      Dialect = "tool_call" // <tool_call>{"name", "arguments"}</tool_call>, and other tokens of tags.tsv
	Fields   Dialect = "fields"    // [[ ## next_tool_name ## ]]
	Inline   Dialect = "inline"    // [Calculator(2 * 3) → 6] within prose
	Answer   Dialect = "answer"    // Final Answer: …, or Answer: … without any action
)

// What makes a turn unreadable, for errors.Is.
var (
	// ErrNoAction: nothing in the turn is an action or a final message.
	ErrNoAction = errors.New("the turn has neither an Action line nor a Final line")
	// ErrNoTool: an action is there, but it does not say which.
	ErrNoTool = errors.New("the Action line names no tool")
)

// Turn is one reply, read. It is an action where Name is set, unreadable where Problem is
// set, and a final message otherwise; never two of them.
type Turn struct {
	Thought string // what stands before the action or the final message

	Name      string // the tool's name
	Arguments string // a JSON object; as the model wrote it where it wrote one
	Alias     string // what the model called the tool, where that is not its name
	Dropped   int    // further actions of the turn: the first wins
	// Further are those of Dropped that stand beside the first in the same form, for protocols
	// whose turns hold several; at most maxFurther. Each is a turn of its own.
	Further []Turn

	Final string // the final message; empty where the model announced one and said nothing

	Kept    string // the reply without what the model invented: a prefix, trimmed
	Dialect Dialect

	Invented bool  // the model wrote an observation itself; it and all behind it is cut off
	Repaired bool  // the arguments were broken JSON, and were mended
	Problem  error // why the turn is neither an action nor a final message
}

// Parse reads a reply without its think blocks (model.Message.Speech). The first action of a turn wins, unless a final message stands
// before it. tools are those that were offered: names are resolved among them, and values
// without names are bound by their schemas. Time is linear in the reply.
func Parse(reply string, tools []model.ToolSpec) Turn {
	p := parser{tools: tools, text: reply, turn: Turn{Kept: reply}}
	if at, found := inventedIn(p.text); found {
		p.cut(at)
	}
	p.marks = marksIn(p.text)
	p.read()
	t := p.turn
	if t.Problem != nil {
		t.Name, t.Arguments, t.Alias, t.Final, t.Further = "", "", "", "", nil
	}
	t.Repaired = t.Repaired && t.Name != ""
	return t
}

// parser is a reply on its way.
type parser struct {
	tools []model.ToolSpec
	text  string // without what was invented
	marks []mark
	turn  Turn
}

// cut takes away what the model invented, from an offset on.
func (p *parser) cut(at int) {
	p.turn.Invented = true
	p.text = strings.TrimRight(p.text[:at], " \t\n")
	p.turn.Kept = p.text
}

// read finds the first form that decides the turn.
func (p *parser) read() {
	first := p.decisive()
	before, kind := len(p.text), none
	if first < len(p.marks) {
		before, kind = p.marks[first].start, p.marks[first].kind
	}
	if p.readTag(before) {
		return
	}
	// JSON in front of a labelled action is part of the thought.
	if kind != action && kind != toolName && (p.readJSON(before, kind == none) || p.readInline(before) || p.readCallLine(before)) {
		return
	}
	p.turn.Thought = p.thoughtBefore(before)
	switch kind {
	case action:
		p.readAction(first)
	case toolName:
		p.readFields(first)
	case final:
		p.turn.Dialect, p.turn.Final = Labels, strings.TrimSpace(p.text[p.marks[first].end:])
	case finalAnswer:
		p.turn.Dialect, p.turn.Final = Answer, withAnswerLine(p.text[p.marks[first].end:])
		if first == 0 { // the explanation in front of it is no thought
			p.turn.Final, p.turn.Thought = joinThoughts([]string{p.turn.Thought, p.turn.Final}), ""
		}
	case answerField:
		p.turn.Dialect, p.turn.Final = Fields, withAnswerLine(p.section(first))
	default:
		p.readAnswer()
	}
}

// maxFurther bounds Turn.Further, each of which may cost the length of the reply.
const maxFurther = 16

// further notes an action beside the first, and reads it unless the model has gone on after
// a result that it invented.
func (p *parser) further(take func(*parser)) {
	p.turn.Dropped++
	if p.turn.Invented || len(p.turn.Further) == maxFurther {
		return
	}
	q := parser{tools: p.tools, text: p.text}
	if take(&q); q.turn.Name != "" || q.turn.Problem != nil {
		p.turn.Further = append(p.turn.Further, q.turn)
	}
}

// fail makes the turn unreadable.
func (p *parser) fail(d Dialect, problem error) { p.turn.Dialect, p.turn.Problem = d, problem }

func joinThoughts(parts []string) string {
	return strings.TrimSpace(strings.Join(parts, "\n"))
}
