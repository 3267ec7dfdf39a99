package dialect

import (
	"regexp"
	"strings"
)

// callLine matches the beginning of a call, or of a list of calls, on a line of its own.
var callLine = regexp.MustCompile(`(?m)^[ \t]*\[?[ \t]*([A-Za-z_][\w.\-]*)\(`)

// readCallLine looks for calls in Python's notation, each of an offered tool. A message
// with an answer line may contain code, so it is not searched.
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
		behind, _, _ := strings.Cut(rest[len(c.inner)+2:], "\n")
		if behind = strings.TrimSpace(behind); behind != "" && behind[0] != ']' && behind[0] != ',' {
			continue
		}
		p.turn.Thought, p.turn.Dialect = p.thoughtBefore(m[0]), Call
		p.takeCall(name, rest)
		for _, beside := range callBeside.FindAllStringSubmatchIndex(behind, -1) {
			p.addFurther(func(q *parser) { q.takeCall(behind[beside[2]:beside[3]], behind[beside[3]:]) })
		}
		return true
	}
	return false
}

// callBeside matches the beginning of a further call of a list.
var callBeside = regexp.MustCompile(`[,;][ \t]*([A-Za-z_][\w.\-]*)\(`)

// inline matches a call within prose, in Toolformer's notation, up to the arrow before a
// result.
var inline = regexp.MustCompile(`\[([A-Za-z_]\w*)\(([^\[\]\n]*?)\)[ \t]*(?:→|->)`)

// readInline looks for a call of an offered tool within prose, before an offset. The model
// invented the text after the arrow, even if it is right.
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
