package dialect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// callHead matches the beginning of an action that is written as a call.
var callHead = lazy.Compile(`^([A-Za-z_][A-Za-z0-9_.\-]*)[ \t]*[\[(]`)

// readAction reads a labelled action: a name with an Action Input, a call, or JSON.
func (p *parser) readAction(i int) {
	m := p.marks[i]
	p.turn.Dialect = Labels
	p.turn.Dropped = p.actionsFrom(i + 1)
	written, input := p.section(i), ""
	if m.hasNumber {
		p.turn.Dialect = NumberedLabels
		// A numbered turn is read line by line: the following lines do not belong to the action.
		if line, _, _ := strings.Cut(p.text[m.end:], "\n"); strings.TrimSpace(line) == "" {
			written = ""
		}
	}
	if i+1 < len(p.marks) && p.marks[i+1].kind == actionInput {
		input = p.section(i + 1)
	}
	if input == "" && p.readLabelledJSON(written) {
		return
	}
	written = strings.Trim(written, "`*\"' ")
	head := callHead.FindStringSubmatch(written)
	switch {
	case written == "":
		p.turn.Problem = ErrNoTool
	case head == nil:
		p.takeObject(written, input, "the Action Input")
	case input != "":
		p.takeObject(head[1], input, "the Action Input")
	default:
		if !m.hasNumber {
			p.turn.Dialect = Call
		}
		p.takeCall(head[1], written[len(head[1]):])
	}
}

// readLabelledJSON reads a line with the label Action that has a call as JSON.
func (p *parser) readLabelledJSON(written string) bool {
	text := unfence(written)
	d := JSON
	if found := findTags(text); len(found) > 0 && found[0].start == 0 {
		text, d = text[found[0].body:], Tag
	}
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return false
	}
	v, _ := firstJSON(text)
	calls := callsIn(v.raw)
	if len(calls) == 0 {
		return false
	}
	p.takeCalls(d, calls, v.repaired)
	return true
}

// takeCall turns the parsed turn into a call of name; rest begins at the call's opening bracket.
func (p *parser) takeCall(name, rest string) {
	rest = strings.TrimLeft(rest, " \t")
	c, closed := scanCall(rest)
	if !closed {
		p.turn.Problem = fmt.Errorf("the '%c' behind %s is never closed", rest[0], name)
		return
	}
	sig := signatureOf(name, p.tools)
	if sig.finishes {
		p.finishCall(c)
		return
	}
	arguments, repaired, err := sig.bindCall(c)
	if p.turn.Problem, p.turn.Repaired = err, repaired; err == nil {
		p.call(name, arguments, sig)
	}
}

// finishCall reads the final message from Finish[…].
func (p *parser) finishCall(c callText) {
	values := c.values(signature{})
	switch {
	case strings.HasPrefix(c.inner, "{") && isObject(c.inner):
		p.finishWith(c.inner)
	case len(values) == 1 && (values[0].quoted || slices.Contains(messageKeys, values[0].key)):
		p.turn.Final = withAnswerLine(values[0].text)
	default:
		p.turn.Final = withAnswerLine(c.inner)
	}
}

// readFields reads the field [[ ## next_tool_name ## ]] and the arguments, or the field answer of the tool
// finish.
func (p *parser) readFields(i int) {
	p.turn.Dialect = Fields
	name := strings.Trim(p.section(i), "`*\"' ")
	if name == "" {
		p.turn.Problem = ErrNoTool
		return
	}
	p.turn.Dropped = p.actionsFrom(i + 1)
	raw := ""
	if i+1 < len(p.marks) && p.marks[i+1].kind == toolArgs {
		raw = p.section(i + 1)
	}
	p.takeObject(name, raw, "next_tool_args")
	if !signatureOf(name, p.tools).finishes {
		return
	}
	for j := i + 1; j < len(p.marks); j++ {
		if p.marks[j].kind == answerField && p.section(j) != "" {
			p.turn.Final = withAnswerLine(p.section(j))
			return
		}
	}
}

// callLine matches the beginning of a call, or of a list of calls, on a line of its own.
var callLine = lazy.Compile(`(?m)^[ \t]*\[?[ \t]*([A-Za-z_][\w.\-]*)\(`)

// readCallLine looks for calls in Python's notation. Each must be a call of an offered tool. If the message has
// an answer line, it is not searched, because it may contain code.
func (p *parser) readCallLine(before int) bool {
	if answerLine.MatchString(p.text) {
		return false
	}
	for _, m := range callLine.FindAllStringSubmatchIndex(p.text[:before], maxCandidates) {
		name, rest := p.text[m[2]:m[3]], p.text[m[3]:before]
		_, offered := Resolve(name, p.tools)
		if !offered {
			continue
		}
		c, closed := scanCall(rest)
		if !closed {
			continue
		}
		after, _, _ := strings.Cut(rest[len(c.inner)+2:], "\n")
		if after = strings.TrimSpace(after); after != "" && after[0] != ']' && after[0] != ',' {
			continue
		}
		p.turn.Thought, p.turn.Dialect = p.thoughtBefore(m[0]), Call
		p.takeCall(name, rest)
		for _, at := range nextCall.FindAllStringSubmatchIndex(after, -1) {
			p.addFurther(func(q *parser) { q.takeCall(after[at[2]:at[3]], after[at[3]:]) })
		}
		return true
	}
	return false
}

// nextCall matches the beginning of a further call of a list.
var nextCall = lazy.Compile(`[,;][ \t]*([A-Za-z_][\w.\-]*)\(`)

// inline matches a call within prose, in Toolformer's notation, up to the arrow before a result.
var inline = lazy.Compile(`\[([A-Za-z_]\w*)\(([^\[\]\n]*?)\)[ \t]*(?:→|->)`)

// readInline looks for a call of an offered tool inside prose, before an offset. If an arrow and a text follow
// the call, the model invented this text, even if it is right.
func (p *parser) readInline(before int) bool {
	for _, m := range inline.FindAllStringSubmatchIndex(p.text[:before], maxCandidates) {
		name := p.text[m[2]:m[3]]
		if _, offered := Resolve(name, p.tools); !offered {
			continue
		}
		p.turn.Thought = p.thoughtBefore(m[0])
		p.turn.Dialect = Inline
		p.cut(m[1])
		p.takeCall(name, p.text[m[3]:])
		return true
	}
	return false
}
