package dialect

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/model"
)

//go:embed inline.tsv
var inlineTable string

// Arrow separates an inline call from its result.
const Arrow = "→"

// InlineStops end a reply at the arrow behind a call: the bracket is a part of them, so that arrows of prose do not end
// it. Four are the most that OpenAI's API takes.
func InlineStops() []string { return []string{") →", ")→", ") ->", ")->"} }

// InlineCall is a call in a text, in the notation of Toolformer: [Calculator(7823 * 4991) → 39044593].
type InlineCall struct {
	Start int    // where its bracket is
	Text  string // the call as written, from its bracket to its closing parenthesis, which is added if it is missing
	// Turn is the call with the name of the offered tool and its arguments by name, or the problem why it cannot be read.
	Turn Turn
	// Own is what the model wrote behind the arrow in place of the result, or behind a call without an arrow.
	Own string
}

// inlineHead matches the beginning of an inline call.
var inlineHead = lazy.Compile(`\[([A-Za-z_][\w.\-]{0,63})\(`)

// inlineArrow matches the end of an inline call.
var inlineArrow = lazy.Compile(`\)[ \t]*(?:→|->)`)

// maxInline limits the places at which a text is tried as an inline call, each in time linear in the text.
const maxInline = 64

// FindInline finds the first inline call in a text that a model wrote. A call ends at an arrow. If the text ends within
// the call, which it does if a stop sequence ended it, stopped says so; the call is then closed. A call of a tool that
// is offered also ends at its closing bracket, without an arrow.
func FindInline(text string, tools []model.ToolSpec, stopped bool) (InlineCall, bool) {
	for _, m := range inlineHead.FindAllStringSubmatchIndex(text, maxInline) {
		written, from := text[m[2]:m[3]], m[3] // from is at the opening parenthesis
		name := inlineName(written, tools)
		_, offered := Resolve(name, tools)
		length, rest, ok := inlineEnd(text[from:], offered, stopped)
		if !ok {
			continue
		}
		call := InlineCall{Start: m[0], Text: text[m[0] : from+length], Own: strings.TrimSpace(rest)}
		if c, closed := scanCall(text[from : from+length]); !closed || c.broken {
			call.Text += ")"
		}
		p := parser{tools: tools, text: call.Text, turn: Turn{Dialect: Inline}}
		if p.takeCall(name, call.Text[from-m[0]:]); p.turn.Final != "" { // a finishing action is no tool here
			continue
		}
		if name != written && p.turn.Name != "" {
			p.turn.Alias = written
		}
		call.Turn = p.turn
		return call, true
	}
	return InlineCall{}, false
}

// inlineEnd returns the length of a call's parentheses at the beginning of a text, and the text behind the arrow or the
// bracket that ends the call.
func inlineEnd(from string, offered, stopped bool) (length int, rest string, ok bool) {
	if c, closed := scanCall(from); closed && !c.broken {
		end := len(c.inner) + 2
		after := strings.TrimLeft(from[end:], " \t")
		if rest, arrow := cutArrow(after); arrow {
			return end, rest, true
		}
		if rest, shut := strings.CutPrefix(after, "]"); shut && offered {
			return end, rest, true
		}
		return end, "", after == "" && (offered || stopped)
	}
	arrow := inlineArrow.FindStringIndex(from)
	switch {
	case arrow != nil && !strings.Contains(from[:arrow[0]], "\n"):
		return arrow[0] + 1, from[arrow[1]:], true
	case arrow == nil && stopped && len(from) <= maxInlineArguments:
		return len(from), "", true
	}
	return 0, "", false
}

func cutArrow(text string) (rest string, found bool) {
	if rest, found = strings.CutPrefix(text, Arrow); found {
		return rest, true
	}
	return strings.CutPrefix(text, "->")
}

// maxInlineArguments limits the arguments of a call that the end of the text closes.
const maxInlineArguments = 4 << 10

// inlineName returns the name of the tool that a name of the paper means, and other names unchanged.
func inlineName(name string, tools []model.ToolSpec) string {
	if _, offered := Resolve(name, tools); offered {
		return name
	}
	for _, row := range tableRows(inlineTable) {
		i := slices.IndexFunc(tools, func(t model.ToolSpec) bool {
			return strings.HasSuffix(strings.ToLower(t.Name), row[1])
		})
		if i >= 0 && row[0] == strings.ToLower(name) {
			return tools[i].Name
		}
	}
	return name
}
