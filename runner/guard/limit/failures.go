package limit

import (
	"fmt"

	"github.com/seed-5817661a/concur/runner/tool"
)

// Failures excludes a tool that keeps failing, so that no more turns are spent on it. The zero value excludes none.
// It is not safe for concurrent use: results are noted in the order of their calls.
type Failures struct {
	Max int // tolerated failures of one tool, repeated calls included; 0 means no limit

	counts map[string]int
}

// Note counts the result of a call that was run. It returns true for the failure that excludes the tool.
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

// Count is the number of failures of a tool.
func (f *Failures) Count(name string) int { return f.counts[name] }

// Observation is the text that the model reads instead of a result of an excluded tool.
func (f *Failures) Observation(name string) string {
	return fmt.Sprintf("%stool_unavailable(%s): it failed %d times; do without it", tool.PlainErrorPrefix, name, f.Count(name))
}

// ToolSpoke reports whether a result came from the tool or its backend: an output, its own error, a timeout. A call
// of an unknown tool, or with arguments that violate the schema, does not reach the tool.
func ToolSpoke(r tool.Result) bool {
	return r.Failure == tool.NoFailure || r.Failure == tool.BackendFailure || r.Failure == tool.AgentFailure && r.Reached
}
