package dialect

import "strings"

// readFields reads [[ ## next_tool_name ## ]] and its arguments. The answer of finish is in
// its arguments or in an answer field.
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
	if !finishes(name, p.tools) {
		return
	}
	for j := i + 1; j < len(p.marks); j++ {
		if p.marks[j].kind == answerField && p.section(j) != "" {
			p.turn.Final = withAnswerLine(p.section(j))
			return
		}
	}
}
