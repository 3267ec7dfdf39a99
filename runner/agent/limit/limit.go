// Package limit limits a trace: the number of tool calls, the repetitions of one call, the failures of a tool
// after which the agent may no longer use it, and the length of a tool's output. It only makes decisions,
// before a call runs.
package limit

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
)

// Decision is the result of Calls.Admit.
type Decision string

// The decisions. Each except Run names the rule that blocked the call.
const (
	Run      Decision = "run"
	Repeated Decision = "repeat" // the same call has reached its limit
	TooMany  Decision = "calls"  // the trace has reached its limit of calls
)

// Observation returns the text that the model reads in place of a blocked call's result; "" for Run.
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

// Calls counts the tool calls of one trace. It is not safe for concurrent use: the calls of a turn are first
// admitted one by one, and then run at the same time.
type Calls struct {
	Max     *int // all calls; nil means no limit
	Repeats int  // runs allowed for the same call; 0 means no limit

	admitted int
	seen     map[string]int
}

// Admit decides on a call, and counts it if it may run. Calls are the same if their names and canonical
// arguments are equal.
func (c *Calls) Admit(call model.ToolCall) Decision {
	signature := call.Name + "\x00" + tool.Canonical(call.Arguments)
	if c.Repeats > 0 && c.seen[signature] >= c.Repeats {
		return Repeated
	}
	if c.Max != nil && c.admitted >= *c.Max {
		return TooMany
	}
	if c.seen == nil {
		c.seen = map[string]int{}
	}
	c.seen[signature]++
	c.admitted++
	return Run
}

// Charge counts calls made by an agent that was called as a tool.
func (c *Calls) Charge(n int) { c.admitted += n }

// Share divides the remaining calls among agents that run at the same time. The parts are equal, but the last
// ones may have one call more. If there is no limit, all parts are nil.
func (c *Calls) Share(agents int) []*int {
	parts := make([]*int, agents)
	if c.Max == nil {
		return parts
	}
	left := max(0, *c.Max-c.admitted)
	for i := range parts {
		part := left / (agents - i)
		parts[i] = &part
		left -= part
	}
	return parts
}

// Admitted returns the number of calls that were allowed.
func (c *Calls) Admitted() int { return c.admitted }

// Output cuts a tool's output to at most n bytes, at the end of a character, and adds a note for the model. cut
// reports whether it did.
func Output(text string, n int) (shown string, cut bool) {
	if len(text) <= n {
		return text, false
	}
	return strings.ToValidUTF8(text[:n], "") + fmt.Sprintf("\n[output cut after %d of %d bytes]", n, len(text)), true
}

// Failures excludes a tool that fails too often, so that the agent spends no more turns on it. The zero value
// excludes no tool. It is not safe for concurrent use: results are noted in the order of their calls.
type Failures struct {
	Max int // tolerated failures of one tool, repeated calls included; 0 means no limit

	counts map[string]int
}

// Note counts the result of a call. It returns true for the failure that excludes the tool.
func (f *Failures) Note(r tool.Result) (out bool) {
	if f.Max <= 0 || r.Failure == tool.NoFailure || !ToolSpoke(r) {
		return false
	}
	if f.counts == nil {
		f.counts = map[string]int{}
	}
	f.counts[r.Call.Name]++
	return f.counts[r.Call.Name] == f.Max+1
}

func (f *Failures) Excluded(name string) bool { return f.Max > 0 && f.counts[name] > f.Max }

// Count returns the number of failures of a tool.
func (f *Failures) Count(name string) int { return f.counts[name] }

// Observation returns the text that the model reads when it calls an excluded tool.
func (f *Failures) Observation(name string) string {
	return fmt.Sprintf("%stool_unavailable(%s): it failed %d times; do without it", tool.PlainErrorPrefix, name,
		f.Count(name))
}

// ToolSpoke reports whether a result came from the tool or its backend: an output, an error of the tool itself,
// or a timeout. If a call names an unknown tool, or has arguments that do not fit the schema, it does not reach
// the tool.
func ToolSpoke(r tool.Result) bool {
	return r.Failure == tool.NoFailure || r.Failure == tool.BackendFailure ||
		r.Failure == tool.AgentFailure && r.Reached
}
