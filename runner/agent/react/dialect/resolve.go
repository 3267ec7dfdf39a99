package dialect

import (
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
)

// Resolve finds the tool that a name means: the tool of exactly this name, else the first
// whose name differs in case only, else the one that the name is customary for: "search"
// is the first tool whose name ends in _search, "calculator" is calc.
func Resolve(name string, tools []model.ToolSpec) (model.ToolSpec, bool) {
	meanings := []func(tool string) bool{
		func(tool string) bool { return tool == name },
		func(tool string) bool { return strings.EqualFold(tool, name) },
		func(tool string) bool { return customary(strings.ToLower(name), strings.ToLower(tool)) },
	}
	for _, means := range meanings {
		for _, t := range tools {
			if means(t.Name) {
				return t, true
			}
		}
	}
	return model.ToolSpec{}, false
}

func customary(name, tool string) bool {
	switch name {
	case "search":
		return strings.HasSuffix(tool, "_search")
	case "calculator":
		return tool == "calc"
	default:
		return false
	}
}

// finishes reports whether an action of this name gives the final message. A tool that
// was offered under the name goes first.
func finishes(name string, tools []model.ToolSpec) bool {
	switch strings.ToLower(name) {
	case "finish", "complete_task", "final_answer":
		_, offered := Resolve(name, tools)
		return !offered
	default:
		return false
	}
}

// call makes the turn an action, under the tool's own name where one was offered.
func (p *parser) call(name, arguments string) {
	if t, known := Resolve(name, p.tools); known && t.Name != name {
		p.turn.Alias, name = name, t.Name
	}
	p.turn.Name, p.turn.Arguments = name, arguments
}
