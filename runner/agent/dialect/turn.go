package dialect

import (
	"errors"
	"strings"

	"github.com/seed-5817661a/concur/model"
)

// Dialect is the form of a turn.
type Dialect string

// These are the dialects of docs/agent.md#dialects. The dialect of a turn that cannot be read is empty.
const (
	Labels         Dialect = "labels"    // Action: name, Action Input: {…}, Final: …
	Call           Dialect = "call"      // Action: name(…) or name[…]
	NumberedLabels Dialect = "numbered"  // Action 1: Search[…], Finish[…]
	JSON           Dialect = "json"      // [{"name", "arguments"}], fenced or bare, alone or in a list
	Tag            Dialect = "tool_call" // <tool_call>{"name", "arguments"}</tool_call>, and other tokens of tags.tsv
	Fields         Dialect = "fields"    // [[ ## next_tool_name ## ]]
	Inline         Dialect = "inline"    // [Calculator(2 * 3) → 6] within prose
	Answer         Dialect = "answer"    // Final Answer: …, or Answer: … without any action
)

// Problems of an unreadable turn, for errors.Is.
var (
	// ErrNoAction means that no part of the turn is an action or a final message.
	ErrNoAction = errors.New("the turn has neither an Action line nor a Final line")
	// ErrNoTool means that an action does not name its tool.
	ErrNoTool = errors.New("the Action line names no tool")
)

// Turn is a parsed reply. It is an action if Name is set, it cannot be read if Problem is set, and it is a
// final message otherwise.
type Turn struct {
	Thought string // the text before the action or the final message

	Name      string // the tool's name
	Arguments string // a JSON object, unchanged if the model wrote one
	Alias     string // the model's name for the tool, if it differs
	Dropped   int    // further actions of the turn, which are ignored
	// Further has the actions after the first one, at most maxFurther, in the same form. A protocol with several calls
	// per turn runs them too; other protocols drop them.
	Further []Turn

	Final string // the final message; empty if the model announced a message and wrote none

	Kept    string // the reply without text that the model invented: a prefix, trimmed
	Dialect Dialect

	Invented bool  // the model wrote an observation itself; the text from there on is removed
	Repaired bool  // the arguments were broken JSON and were repaired
	Problem  error // why the turn is unreadable; nil for an action or a final message
}

// Parse reads a reply without its think blocks (model.Message.Speech). The first action of a turn counts,
// unless a final message comes before it. tools are the offered tools. Parse looks for names among them, and
// uses their schemas to give names to positional values. Its time is linear in the length of the reply.
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

// parser is the state of Parse.
type parser struct {
	tools []model.ToolSpec
	text  string // without invented text
	marks []mark
	turn  Turn
}

// cut removes the invented text from an offset on.
func (p *parser) cut(at int) {
	p.turn.Invented = true
	p.text = strings.TrimRight(p.text[:at], " \t\n")
	p.turn.Kept = p.text
}

// read finds the first form that determines the turn.
func (p *parser) read() {
	first := p.decisive()
	before, kind := len(p.text), none
	if first < len(p.marks) {
		before, kind = p.marks[first].start, p.marks[first].kind
	}
	if p.readTag(before) {
		return
	}
	// JSON before a labelled action is part of the thought.
	if kind != action && kind != toolName && (p.readJSON(before, kind == none) || p.readInline(before) ||
		p.readCallLine(before)) {
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
		if first == 0 { // the text before it is the explanation
			p.turn.Final, p.turn.Thought = joinThoughts([]string{p.turn.Thought, p.turn.Final}), ""
		}
	case answerField:
		p.turn.Dialect, p.turn.Final = Fields, withAnswerLine(p.section(first))
	default:
		p.readAnswer()
	}
}

// maxFurther limits Turn.Further; each may cost time linear in the reply.
const maxFurther = 16

// addFurther counts an additional action. It also reads the action, unless the action comes after an invented
// result.
func (p *parser) addFurther(take func(*parser)) {
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

func joinThoughts(parts []string) string { return strings.TrimSpace(strings.Join(parts, "\n")) }

// Version changes when the same reply is read differently.
const Version = "dialect/v5"
