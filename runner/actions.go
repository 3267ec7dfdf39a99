package runner

import (
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// actions counts the tool calls of a trace, and the repeats among them: the same tool with
// the same arguments as an earlier call.
type actions struct {
	n, repeated int
	seen        map[string]bool
}

func (a *actions) add(x trace.Action) {
	if a.seen == nil {
		a.seen = map[string]bool{}
	}
	a.n++
	call := x.Name + "\x00" + tool.Canonical(string(x.Input))
	if a.seen[call] {
		a.repeated++
	}
	a.seen[call] = true
}
