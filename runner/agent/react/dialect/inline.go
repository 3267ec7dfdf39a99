package dialect

import "regexp"

// inline is a call within prose, as Toolformer writes it, up to the arrow that a result
// follows.
var inline = regexp.MustCompile(`\[([A-Za-z_]\w*)\(([^\[\]\n]*?)\)[ \t]*(?:→|->)`)

// readInline looks for a call within prose before an offset. Only an offered tool's name
// makes one; what stands behind the arrow the model invented, even if it is right.
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
