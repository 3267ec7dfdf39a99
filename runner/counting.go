package runner

import (
	"slices"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// part has the counts of one agent of a trace.
type part struct {
	path  string
	calls actions
	sure  sureness
}

// actions counts the tool calls of a trace, and the calls with the same tool and arguments as an earlier call.
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

// hasFailed reports whether a call that ran returned an error or no result. A call that a guard blocked did
// not run.
func hasFailed(o trace.Observation) bool {
	if o.Error != nil {
		blocked := o.ErrorKind != nil && (*o.ErrorKind == "single_tool" || slices.Contains(config.Guards(), *o.ErrorKind))
		return !blocked
	}
	return string(o.Output) == "{}" || o.Documents != nil && len(o.Documents) == 0
}
