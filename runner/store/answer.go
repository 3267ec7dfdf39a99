package store

import (
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/trace"
)

// Answer is the result of one trace.
type Answer struct {
	Trace      int              `json:"trace"`
	Answer     *string          `json:"answer"`
	Key        *string          `json:"key"`
	Outcome    trace.Outcome    `json:"outcome"`
	StopReason trace.StopReason `json:"stop_reason"`
	Steps      int              `json:"steps"`
	ToolCalls  int              `json:"tool_calls"`
	Actions    int              `json:"actions"`            // tool calls that the model requested, executed or not
	Repeated   int              `json:"repeated"`           // those equal to an earlier one of the trace
	Sureness   *trace.Sureness  `json:"sureness,omitempty"` // nil unless the confidence check asked
	// FailedCalls counts calls that ran and brought an error or nothing.
	FailedCalls int             `json:"failed_calls,omitempty"`
	Grounded    *bool           `json:"grounded"` // nil if citations were not audited
	Grounding   trace.Grounding `json:"grounding"`
	Extract     string          `json:"extract"` // line, fallback, none, or model
	// Unread reports that there is a final message in which no answer of the gold's type could be read.
	Unread bool `json:"unread,omitempty"`
	// RightAs is the answer type, other than the gold's, under which answer and gold are equal; "" if the
	// answer is right, or wrong under every type.
	RightAs answer.Type  `json:"right_as,omitempty"`
	Format  trace.Format `json:"format"`
	Cause   *string      `json:"cause"` // first line, for infra and no_answer
	// Verdict on this trace is the gold's or, if a judge decides, the judge's on this answer.
	Verdict judge.Ruling `json:"verdict"`
	Calls   *judge.Calls `json:"calls"` // nil unless the query expects tool calls
	trace.Extras
	// Agents holds the usage of the trace's agents and side requests, its own first; nil for its own alone.
	Agents []AgentUsage `json:"agents,omitempty"`
	// Rejected is the gold's verdict on an answer that the citation audit rejected for good.
	Rejected *judge.Ruling `json:"rejected"`
}

// AgentUsage is the usage of one agent of a trace, without its sub-agents, as in trace.Child.
type AgentUsage struct {
	Path string `json:"path"`
	Task string `json:"task,omitempty"` // of its side requests; "" is the agent itself
	AgentCost
}

// AgentCost is the cost of one agent. USD is nil if its model has no price.
type AgentCost struct {
	Steps     int `json:"steps"`
	ToolCalls int `json:"tool_calls"`
	RoleUsage
}

// Plus returns the sum of two costs; first reports that c is still zero.
func (c AgentCost) Plus(d AgentCost, first bool) AgentCost {
	return AgentCost{c.Steps + d.Steps, c.ToolCalls + d.ToolCalls, c.RoleUsage.Plus(d.RoleUsage, first)}
}
