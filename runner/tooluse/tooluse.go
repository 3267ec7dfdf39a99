// Package tooluse counts how a trace used its tools: calls, failures by kind, and the size of the results.
package tooluse

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Name is the name of a Record among the extras of a trace (trace.Extras).
const Name = "tool_use"

// Empty is the kind of a call whose result has no content and no documents.
const Empty = "empty"

// Record is the use of the tools of a trace, by their names. A tool of a sub-agent has the names of both, such as
// researcher/web_search. A tool that was not called is missing.
type Record map[string]Use

// Use is the use of one tool in a trace. Calls that a guard blocked, and calls of unknown tools, did not run and do
// not count.
type Use struct {
	Calls    int            `json:"calls"`
	Failures map[string]int `json:"failures,omitempty"` // calls that failed, by the kind of their failure, or Empty
	Bytes    int            `json:"bytes"`              // of the results and errors, before they are cut
}

// Counter counts the tool calls of a trace by its events. The zero value is ready; it is safe for concurrent use.
type Counter struct {
	mu      sync.Mutex
	called  map[[2]string]string // names of calls without a result, by path and id
	record  Record
	seconds map[string]float64
}

// Note counts an event of the agent at a path: "" for the trace's own agent, researcher#1 for a sub-agent.
func (c *Counter) Note(path string, b trace.Body) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.record == nil {
		c.called, c.record, c.seconds = map[[2]string]string{}, Record{}, map[string]float64{}
	}
	switch b := b.(type) {
	case trace.Action:
		c.called[[2]string{path, b.CallID}] = b.Name
	case trace.Observation:
		name, requested := c.called[[2]string{path, b.CallID}]
		if !requested || Blocked(b) || b.ErrorKind != nil && *b.ErrorKind == tool.UnknownTool {
			return
		}
		delete(c.called, [2]string{path, b.CallID})
		if agents := run().ReplaceAllString(path, ""); agents != "" {
			name = agents + "/" + name
		}
		c.record[name] = c.record[name].plus(b)
		c.seconds[name] += b.DurationMS / 1e3
	}
}

// run matches the numbers of runs in a path.
var run = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`#\d+`) })

// plus returns the use with the result of one more call.
func (u Use) plus(o trace.Observation) Use {
	u.Calls++
	kind := ""
	switch {
	case o.Error != nil:
		u.Bytes += len(*o.Error)
		if kind = "error"; o.ErrorKind != nil && *o.ErrorKind != "" {
			kind = *o.ErrorKind
		}
	default:
		u.Bytes += len(o.Output)
		if IsEmpty(o) {
			kind = Empty
		}
	}
	if kind != "" {
		if u.Failures == nil {
			u.Failures = map[string]int{}
		}
		u.Failures[kind]++
	}
	return u
}

// Record returns the counts so far; nil without a call.
func (c *Counter) Record() Record {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.record) == 0 {
		return nil
	}
	return maps.Clone(c.record)
}

// Seconds returns the time that the calls of each tool took, in seconds; nil without a call.
func (c *Counter) Seconds() map[string]float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.seconds) == 0 {
		return nil
	}
	return maps.Clone(c.seconds)
}

// Blocked reports whether a guard blocked the call, so that it did not run.
func Blocked(o trace.Observation) bool {
	return o.ErrorKind != nil && (*o.ErrorKind == "single_tool" || slices.Contains(config.Guards(), *o.ErrorKind))
}

// IsEmpty reports whether a result has no content, or no documents although the tool returns documents.
func IsEmpty(o trace.Observation) bool {
	return o.Error == nil && (strings.TrimSpace(string(o.Output)) == "{}" || o.Documents != nil && len(o.Documents) == 0)
}
