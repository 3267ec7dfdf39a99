package dialect

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
)

// finishing marks a finishing action in aliases.tsv.
const finishing = "(finish)"

// Resolve finds the tool of a name: the tool with exactly this name, else the first whose
// name differs only in case or by a namespace (functions.), else the first that aliases.tsv
// lists for the name: "search" is the first tool whose name ends in _search.
func Resolve(name string, tools []model.ToolSpec) (model.ToolSpec, bool) {
	bare := strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(name, "functions."), ".call"))
	for _, means := range []func(tool string) bool{
		func(tool string) bool { return tool == name },
		func(tool string) bool { return strings.ToLower(tool) == bare },
		func(tool string) bool { return isAlias(bare, strings.ToLower(tool)) },
	} {
		if i := slices.IndexFunc(tools, func(t model.ToolSpec) bool { return means(t.Name) }); i >= 0 {
			return tools[i], true
		}
	}
	return model.ToolSpec{}, false
}

func isAlias(name, tool string) bool {
	return slices.ContainsFunc(rows(aliasTable), func(row [2]string) bool {
		return row[0] == name && strings.HasSuffix(tool, row[1])
	})
}

// finishes reports whether an action of this name gives the final message. An offered tool
// with the name takes precedence.
func finishes(name string, tools []model.ToolSpec) bool {
	_, offered := Resolve(name, tools)
	return !offered && isAlias(strings.ToLower(name), finishing)
}

// call makes the turn an action, with the name of the offered tool and arguments of its
// types.
func (p *parser) call(name, arguments string) {
	t, known := Resolve(name, p.tools)
	if known && t.Name != name {
		p.turn.Alias, name = name, t.Name
	}
	if known {
		var fitted bool
		arguments, fitted = signatureOf(name, p.tools).fit(arguments)
		p.turn.Repaired = p.turn.Repaired || fitted
	}
	p.turn.Name, p.turn.Arguments = name, arguments
}

// ReadCall reads a native call: it resolves the name and repairs the arguments. The result
// is a call, a final message, or has a problem, as in a Turn.
func ReadCall(name, arguments string, tools []model.ToolSpec) Turn {
	p := parser{tools: tools}
	if text, ok := unquote(strings.TrimSpace(arguments)); ok { // encoded twice
		arguments, p.turn.Repaired = text, true
	}
	p.takeObject(name, arguments, "the value of arguments of "+name)
	if p.turn.Problem != nil || p.turn.Final != "" {
		p.turn.Repaired = false
	}
	return p.turn
}
