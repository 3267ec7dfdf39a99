package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/limit"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
)

// toolset has the tools of a trace, and decides which of their calls may still run.
type toolset struct {
	*progress
	tools    *tool.Registry  // tools of the strategy
	chosen   map[string]bool // the tools that are offered, by their names; nil for all
	own      []model.ToolSpec
	parts    features
	calls    limit.Calls
	failures limit.Failures
	called   []string       // tools whose calls gave a result, in their order
	children map[string]int // number of calls of each agent, by its name
	blocked  int            // consecutive turns with only blocked repetitions
}

// newToolset returns the tools of a strategy, with the limits of the trace.
func newToolset(p *progress, by Strategy) toolset {
	t, conf := toolset{progress: p, tools: &tool.Registry{}, own: by.Own, children: map[string]int{}}, p.agent.Config
	if by.Tools {
		t.tools = p.agent.Tools
	}
	t.calls.Max = p.task.Child.MaxToolCalls
	if own := &p.agent.Config.MaxToolCalls; conf.HasGuard(config.GuardCalls) && *own > 0 &&
		(t.calls.Max == nil || *own < *t.calls.Max) {
		t.calls.Max = own
	}
	if most := inlineCalls(conf, by); most > 0 && (t.calls.Max == nil || most < *t.calls.Max) {
		t.calls.Max = &most
	}
	if conf.HasGuard(config.GuardRepeat) {
		t.calls.Repeats = conf.MaxRepeats
	}
	if conf.HasGuard(config.GuardFailures) {
		t.failures.Max = conf.MaxToolFailures
	}
	return t
}

// CallsLeft reports whether the trace may run another call.
func (s *toolset) CallsLeft() bool { return s.calls.Max == nil || s.calls.Admitted() < *s.calls.Max }

// Tools returns the tools that the model can call now, without the tools that the loop runs itself.
func (s *toolset) Tools() []model.ToolSpec {
	return slices.DeleteFunc(s.tools.ModelSpecs(), func(t model.ToolSpec) bool {
		return s.failures.Excluded(t.Name) || !s.Offers(t.Name)
	})
}

// Offers reports whether a tool of the agent is among the chosen ones (Chooser).
func (s *toolset) Offers(name string) bool { return s.chosen == nil || s.chosen[name] }

// Offer adds tools of the agent to the chosen ones, from the next request on.
func (s *toolset) Offer(names ...string) {
	for _, name := range names {
		if s.chosen != nil {
			s.chosen[name] = true
		}
	}
}

// Listing lists the tools with their purpose, one on each line.
func (s *toolset) Listing() string {
	var tools []string
	for _, t := range s.Tools() {
		tools = append(tools, t.Name+": "+t.Description)
	}
	return strings.Join(tools, "\n")
}

// Called returns the tools whose calls gave a result so far, in their order.
func (s *toolset) Called() []string { return s.called }

// offered returns the tools that the model may call in a turn: the tools of the strategy and its features,
// without excluded ones.
func (s *toolset) offered() []model.ToolSpec { return s.parts.offer(append(s.Tools(), s.own...)) }

// specs returns all tools of the trace, as shown to the model.
func (s *toolset) specs() []model.ToolSpec {
	return s.parts.offer(append(s.tools.ModelSpecs(), s.own...))
}

// blockingRule returns the rule that blocks a turn's i-th call, and the text that the model reads instead of
// a result. It returns "" and counts the call if it may run.
func (s *toolset) blockingRule(i int, call model.ToolCall) (rule, observation string) {
	if i > 0 && s.agent.Config.SingleTool {
		return "single_tool", errSingleTool
	}
	if _, known := s.tools.Lookup(call.Name); known && !s.Offers(call.Name) {
		return tool.UnknownTool, fmt.Sprintf(errNotOffered, call.Name)
	}
	if s.failures.Excluded(call.Name) {
		return config.GuardFailures, s.failures.Observation(call.Name)
	}
	if d := s.calls.Admit(call); d != limit.Run {
		return string(d), d.Observation()
	}
	return "", ""
}

const errNotOffered = tool.PlainErrorPrefix + "unknown_tool(%s): it is not offered; find it with " +
	config.SearchTools + " first"

// blockTurn counts a turn of blocked repetitions, and reports whether that ends the loop.
func (s *toolset) blockTurn() bool {
	if s.blocked++; s.blocked < maxBlocked {
		return false
	}
	s.Guard(string(limit.Repeated), "limit", "the same call was blocked twice in a row")
	return true
}
