package limit

import (
	"fmt"

	"github.com/seed-5817661a/concur/runner/tool"
)

// Failures takes a tool that keeps failing out of a trace, so that no more turns are
// spent on it. The zero value takes out none. It is not safe for concurrent use: results
// are noted in the order of their calls.
type Failures struct {
	Max int // failures of one tool that are borne, repeated calls included; 0 is no limit

	counts map[string]int
}

// Note counts a result of a call that was run. It reports true for the one failure that
// takes the tool out.
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

// Excluded reports whether a tool has been taken out.
func (f *Failures) Excluded(name string) bool { return f.Max > 0 && f.counts[name] > f.Max }

// Count is the number of failures of a tool that were noted.
func (f *Failures) Count(name string) int { return f.counts[name] }

// Observation is what the model reads that stands in for a call of an excluded tool.
func (f *Failures) Observation(name string) string {
	return fmt.Sprintf("%stool_unavailable(%s): it failed %d times; do without it", tool.PlainErrorPrefix, name, f.Count(name))
}

// ToolSpoke reports whether a result came from the tool or from what stands behind it: an
// output, its own error, a timeout. A call of an unknown tool, or with arguments that the
// schema refuses, never reached one: that is the agent's doing, whatever the tool's state.
func ToolSpoke(r tool.Result) bool {
	return r.Failure == tool.NoFailure || r.Failure == tool.BackendFailure || tool.IsRefusal(r.Kind)
}
