package result

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/checking"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Cause is a reason why traces failed as infra, or gave a reply that could not be read.
type Cause struct {
	StopReason trace.StopReason `json:"stop_reason"`
	Text       string           `json:"text"`   // the first line of one trace's cause, for people
	Traces     int              `json:"traces"` // with this cause, apart from numbers and quotations
	Query      string           `json:"query"`  // query of the trace that gave Text
	Trace      int              `json:"trace"`  // index of the trace that gave Text
}

// mostCauses is the maximum number of causes that are counted separately. shownCauses is the maximum number of
// causes in a result.
const (
	mostCauses  = 200
	shownCauses = 5
)

// causes counts the causes of one configuration.
type causes map[string]*Cause

// detail matches the parts of an error text that may differ although the cause is the same: numbers, and
// quotations from a reply.
var detail = lazy.Compile(`"(?:[^"\\]|\\.)*"|[0-9]+`)

// add counts a failed trace. As example it keeps the trace with the smallest query id and index, so that the
// example does not depend on the order in which traces ended.
func (c causes) add(query string, a store.Answer) {
	if a.Outcome != trace.Infra && a.StopReason != trace.FormatError || a.StopReason.Unfinished() {
		return
	}
	said := string(a.StopReason)
	if a.Cause != nil {
		said = *a.Cause
	}
	key := string(a.StopReason) + " " + detail.ReplaceAllString(said, "#")
	c.put(key, Cause{StopReason: a.StopReason, Text: said, Traces: 1, Query: query, Trace: a.Trace})
}

// undecided counts the traces of a query that have a check whose program failed, from its turns. It reports whether
// there are any.
func (c causes) undecided(turns []store.Record) (found bool) {
	for _, turn := range turns {
		for _, a := range turn.Answers {
			reason := checking.Failed(a.Checks)
			if reason == "" {
				continue
			}
			found = true
			said, _, _ := strings.Cut(reason, "\n")
			c.put(detail.ReplaceAllString(said, "#"), Cause{a.StopReason, said, 1, turn.Query, a.Trace})
		}
	}
	return found
}

// put adds traces to a cause. If there are more than mostCauses causes, it forgets the cause whose key is the
// last in alphabetical order. So the causes that are kept do not depend on the order of traces.
func (c causes) put(key string, more Cause) {
	of := c[key]
	if of == nil {
		c[key] = &more
		if len(c) > mostCauses {
			delete(c, slices.Max(slices.Collect(maps.Keys(c))))
		}
		return
	}
	of.Traces += more.Traces
	if order := cmp.Or(strings.Compare(more.Query, of.Query), more.Trace-of.Trace); order < 0 {
		of.Text, of.Query, of.Trace = more.Text, more.Query, more.Trace
	}
}

func (c causes) merge(o causes) {
	for key, more := range o {
		c.put(key, *more)
	}
}

// figures returns the most frequent causes, the most frequent first.
func (c causes) figures() []Cause {
	out := []Cause{}
	for _, of := range c {
		out = append(out, *of)
	}
	slices.SortFunc(out, func(a, b Cause) int {
		return cmp.Or(b.Traces-a.Traces, strings.Compare(a.Query, b.Query), strings.Compare(a.Text, b.Text))
	})
	return out[:min(len(out), shownCauses)]
}

// String returns the cause with its count and an example, for reports and errors.
func (c Cause) String() string {
	out := fmt.Sprintf("%s failed like trace %d of %s (%s)", text.Counted(c.Traces, "trace"), c.Trace, c.Query,
		c.StopReason)
	if c.Text == string(c.StopReason) {
		return out
	}
	return out + ": " + c.Text
}

// failed maps a stop reason to a description of traces without a valid end.
var failed = map[trace.StopReason]string{
	trace.ModelError: "every model call failed", trace.AgentError: "the agent failed",
	trace.Timeout: "the time limit was reached",
}

// failedTool matches the names of tools in the cause of a trace that ended with the stop reason tool_backend: in the
// error of a call, and in a tool.OutageError.
var failedTool = lazy.Compile(`(?:^every call of ([\w-]+(?:, [\w-]+)*)|\b(?:tool_failed|timeout)\(([\w-]+)\))`)

// failedTools describes the tools that failed according to causes with the stop reason tool_backend.
func failedTools(all []Cause) string {
	names := map[string]bool{}
	for _, c := range all {
		found := failedTool.FindStringSubmatch(c.Text)
		switch {
		case c.StopReason != trace.ToolBackend:
			continue
		case found == nil:
			return "the tools failed"
		}
		for name := range strings.SplitSeq(found[1]+found[2], ", ") {
			names[name] = true
		}
	}
	return "the calls of " + text.Listed(slices.Sorted(maps.Keys(names))) + " failed"
}

// WithoutValid says how many queries have no valid trace, and why. It returns "" if every query has one.
func (c Configuration) WithoutValid() string {
	n := c.Traces.QueriesWithoutValid
	if n == 0 {
		return ""
	}
	why := "every trace failed"
	if causes := c.Traces.Causes; len(causes) > 0 &&
		c.Traces.StopReasons[causes[0].StopReason] == c.Traces.Outcomes[trace.Infra] {
		why = cmp.Or(failed[causes[0].StopReason], why)
		if causes[0].StopReason == trace.ToolBackend {
			why = failedTools(causes)
		}
	}
	if n == c.Counts.Queries {
		return "no query got an answer because " + why
	}
	return fmt.Sprintf("%s got no answer because %s", text.Counted(n, "query"), why)
}

// WithoutVerdict says how many queries have no verdict because the program or the model of a check failed. It
// returns "" if every query has one.
func (c Configuration) WithoutVerdict() string {
	n := c.Traces.QueriesUndecided
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s got no verdict because the program or the model of a check failed", text.Counted(n, "query"))
}

// undecidedBy reports whether checks left a query without a verdict.
func undecidedBy(v judge.Verdict) bool { return v.Verdict == judge.Unscored && v.By == judge.ByChecks }
