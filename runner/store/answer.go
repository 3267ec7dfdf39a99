package store

import (
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/checking"
	"github.com/seed-5817661a/concur/trace"
)

// Answer is the result of one trace within a record.
type Answer struct {
	Trace      int              `json:"trace"`
	Answer     *string          `json:"answer"`
	Key        *string          `json:"key"`
	Outcome    trace.Outcome    `json:"outcome"`
	StopReason trace.StopReason `json:"stop_reason"`
	Steps      int              `json:"steps"`
	ToolCalls  int              `json:"tool_calls"`
	Actions    int              `json:"actions"`            // tool calls that the model requested, executed or not
	Repeated   int              `json:"repeated"`           // calls that are equal to an earlier call of the trace
	Sureness   *trace.Sureness  `json:"sureness,omitempty"` // nil unless the confidence check asked
	// FailedCalls counts calls that ran and returned an error or no result.
	FailedCalls int             `json:"failed_calls,omitempty"`
	Grounded    *bool           `json:"grounded"` // nil if citations were not audited
	Grounding   trace.Grounding `json:"grounding"`
	Extract     string          `json:"extract"` // line, fallback, none, or model
	// Unread reports that the rules found no answer of the gold's type in the final message.
	Unread bool `json:"unread,omitempty"`
	// RightAs is another answer type than the gold's, by which the wrong answer would equal the gold. It is ""
	// if the answer is right, or if there is no such type.
	RightAs answer.Type  `json:"right_as,omitempty"`
	Format  trace.Format `json:"format"`
	Cause   *string      `json:"cause"` // first line of the cause, for infra and no_answer
	// Verdict is the verdict on this trace. It is the gold's verdict or, if a judge decides, the judge's
	// verdict on this answer.
	Verdict judge.Ruling `json:"verdict"`
	Calls   *judge.Calls `json:"calls"` // nil unless the query expects tool calls
	// Checks has the results of the query's checks; nil without checks, and for a trace without a message.
	Checks []checking.Result `json:"checks,omitempty"`
	trace.Extras
	// Agents has the usage of each agent of the trace and of its side requests. The trace's own agent is first.
	// It is nil if only that agent used a model. It is also nil for a whole conversation, because the turns
	// have it.
	Agents []AgentUsage `json:"agents,omitempty"`
	// Rejected is the gold's verdict on an answer that the citation audit rejected, if the agent did not
	// correct the answer.
	Rejected *judge.Ruling `json:"rejected"`
}

// AgentUsage is the usage of one agent of a trace, without its sub-agents; see trace.Child.
type AgentUsage struct {
	Path string `json:"path"`
	Task string `json:"task,omitempty"` // the side request that used it; "" means the agent's own turns
	AgentCost
}

// AgentCost is the cost of one agent. USD is nil if the price of its model is unknown.
type AgentCost struct {
	Steps     int `json:"steps"`
	ToolCalls int `json:"tool_calls"`
	RoleUsage
}

// Plus returns the sum of two costs. Set first if c is the zero value, so that its USD of nil does not mean an
// unknown price.
func (c AgentCost) Plus(d AgentCost, first bool) AgentCost {
	return AgentCost{c.Steps + d.Steps, c.ToolCalls + d.ToolCalls, c.RoleUsage.Plus(d.RoleUsage, first)}
}
