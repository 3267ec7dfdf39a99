package limit

import (
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
)

// Decision is what Calls says of a tool call.
type Decision string

// The decisions. All but Run are the rule that blocked the call.
const (
	Run      Decision = "run"
	Repeated Decision = "repeat" // the same call was run as often as is allowed
	TooMany  Decision = "calls"  // the trace has used up its calls
)

// Observation is what the model reads that stands in for a call that may not run; "" for Run.
func (d Decision) Observation() string {
	switch d {
	case Repeated:
		return tool.PlainErrorPrefix + "repeated_same_tool_call_too_many_times"
	case TooMany:
		return tool.PlainErrorPrefix + "exceeded_max_tool_calls"
	default:
		return ""
	}
}

// Calls counts the tool calls of one trace. It is not safe for concurrent use: a turn's
// calls are admitted in order, then run together.
type Calls struct {
	Max     int // calls in all; 0 is no limit
	Repeats int // runs of one same call; 0 is no limit

	admitted int
	seen     map[string]int
}

// Admit decides on a call and, where it may run, counts it. Two calls are the same when
// name and canonical arguments are, wherever in the trace they stand.
func (c *Calls) Admit(call model.ToolCall) Decision {
	signature := call.Name + "\x00" + tool.Canonical(call.Arguments)
	if c.Repeats > 0 && c.seen[signature] >= c.Repeats {
		return Repeated
	}
	if c.Max > 0 && c.admitted >= c.Max {
		return TooMany
	}
	if c.seen == nil {
		c.seen = map[string]int{}
	}
	c.seen[signature]++
	c.admitted++
	return Run
}

// Admitted is the number of calls that were let through.
func (c *Calls) Admitted() int { return c.admitted }
