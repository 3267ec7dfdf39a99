package runner

import (
	"github.com/seed-5817661a/concur/runner/sureness"
	"github.com/seed-5817661a/concur/runner/tooluse"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// part has the counts of one agent of a trace.
type part struct {
	path  string
	calls actions
	sure  sureness.Check
	uses  tooluse.Counter // of the agent and its sub-agents
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
	return o.Error != nil && !tooluse.Blocked(o) || tooluse.IsEmpty(o)
}

// addSeconds adds the times of tools to a sum, which may be nil.
func addSeconds(sum, more map[string]float64) map[string]float64 {
	for name, seconds := range more {
		if sum == nil {
			sum = map[string]float64{}
		}
		sum[name] += seconds
	}
	return sum
}
