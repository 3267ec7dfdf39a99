package trace

import (
	"github.com/seed-5817661a/concur/model"
)

// ID names a trace: the hash of the agent, the query, and the index among the K traces.
type ID struct {
	Agent string `json:"agent"`
	Query string `json:"query"`
	Trace int    `json:"trace"` // 0..K-1
}

// Trace is the result of one run of an agent on a query. A failure is data, not an error.
type Trace struct {
	ID
	Outcome    Outcome
	StopReason StopReason
	Question   string // the query's, rewritten to stand alone; "" unless agent.condense did
	Message    string // the final message; may be ""
	Answer     string // the short answer; "" unless Outcome is Answered
	Extract    string // how the answer was found: line, fallback, or none
	// Supporting names the evidence documents that the final message cites, without repeats,
	// in order of first citation, as backend:ref, which is the same in all traces.
	Supporting []string
	Steps      int // model turns taken
	ToolCalls  int // executed tool calls, including failed ones
	// Actions counts the tool calls that the model requested, executed or not. Repeated counts those of them
	// that equal an earlier call of the trace.
	Actions  int
	Repeated int
	// FailedCalls counts the calls, those of sub-agents among them, that ran and brought an error or nothing.
	FailedCalls int
	ModelCalls  int
	Usage       model.Usage
	// Children are agents that ran as tools; ToolCalls, ModelCalls and Usage include theirs.
	Children []Child
	Extras   Extras    // what features recorded
	Sureness *Sureness // nil unless the confidence check asked
	Format   Format
	Cause    string // for infra, no_answer and ungrounded: an explanation for people
	// Rejected is the last answer that the citation audit rejected, if no correction replaced it: either the
	// correction failed too, or the agent withdrew the answer.
	Rejected string
	// Grounded is the citation audit's result, false if Rejected is set; nil if nothing was audited.
	Grounded  *bool
	Grounding Grounding // of the same message
}

// Child is the usage of one agent of a trace, without the agents that it called and without its side
// requests; or the usage of its side requests of one task.
type Child struct {
	Path string `json:"path"` // researcher#1; "" for the trace's own agent
	// Task names the side requests that are counted, such as reflection; "" is the agent itself.
	Task       string      `json:"task,omitempty"`
	Steps      int         `json:"steps"`
	ToolCalls  int         `json:"tool_calls"`
	ModelCalls int         `json:"model_calls"`
	Usage      model.Usage `json:"usage"`
}

// ByPath divides the usage of the trace among its agents: the trace's own first, then Children.
func (t Trace) ByPath() []Child {
	own := Child{Steps: t.Steps, ToolCalls: t.ToolCalls, ModelCalls: t.ModelCalls, Usage: t.Usage}
	for _, c := range t.Children {
		own.ToolCalls -= c.ToolCalls
		own.ModelCalls -= c.ModelCalls
		own.Usage = own.Usage.Sub(c.Usage)
	}
	return append([]Child{own}, t.Children...)
}

// Grounding counts the results of the citation audit of a message (docs/method.md §8); zero if no audit was
// made.
type Grounding struct {
	Claims    int `json:"claims"`    // factual sentences
	Supported int `json:"supported"` // sentences that their citations confirm
	Citations int `json:"citations"`
	Valid     int `json:"valid"` // citations whose document exists and contains the quoted text
}

// Conclusion returns the trace's end as an event, without its timing.
func (t Trace) Conclusion() Conclusion {
	c := Conclusion{
		Question: t.Question, Message: t.Message, Outcome: t.Outcome, StopReason: t.StopReason, Extract: t.Extract,
		Supporting: t.Supporting,
		Steps:      t.Steps, ToolCalls: t.ToolCalls, Actions: t.Actions, Repeated: t.Repeated,
		FailedCalls: t.FailedCalls, Sureness: t.Sureness,
		ModelCalls: t.ModelCalls, Usage: t.Usage, Children: t.Children, Extras: t.Extras,
		Format:   t.Format,
		Grounded: t.Grounded, Grounding: t.Grounding,
	}
	if t.Outcome == Answered {
		c.Answer = &t.Answer
	}
	if t.Cause != "" {
		c.Cause = &t.Cause
	}
	if t.Rejected != "" {
		c.Rejected = &t.Rejected
	}
	return c
}

// Trace converts the event back: it inverts Trace.Conclusion.
func (c Conclusion) Trace(id ID) Trace {
	t := Trace{
		ID: id, Question: c.Question, Message: c.Message, Outcome: c.Outcome, StopReason: c.StopReason,
		Extract: c.Extract, Supporting: c.Supporting,
		Steps: c.Steps, ToolCalls: c.ToolCalls, Actions: c.Actions, Repeated: c.Repeated,
		FailedCalls: c.FailedCalls, Sureness: c.Sureness,
		ModelCalls: c.ModelCalls, Usage: c.Usage, Children: c.Children, Extras: c.Extras,
		Format:   c.Format,
		Grounded: c.Grounded, Grounding: c.Grounding,
	}
	if c.Answer != nil {
		t.Answer = *c.Answer
	}
	if c.Cause != nil {
		t.Cause = *c.Cause
	}
	if c.Rejected != nil {
		t.Rejected = *c.Rejected
	}
	return t
}

// End returns the trace that the event ends. The end of a sub-agent, which has a path, ends no trace.
func (e Event) End() (t Trace, ends bool) {
	c, ends := e.Body.(Conclusion)
	if !ends || e.Path != "" {
		return Trace{}, false
	}
	return c.Trace(e.ID), true
}

// Format counts faults of form in a trace's replies, with one definition for all protocols.
type Format struct {
	// Errors counts replies that were neither a call nor a final message with an answer, and
	// native replies with a call in their text.
	Errors    int `json:"errors"`
	Repaired  int `json:"repaired"` // arguments that were not JSON and were repaired
	Invented  int `json:"invented"` // observations that the model wrote itself; they were removed
	Dropped   int `json:"dropped"`  // actions after the first of a turn, or beside an answer; they were ignored
	Reminders int `json:"asked"`    // replies without an answer line; the model was asked for it
	Guessed   int `json:"guessed"`  // answers without a line or sentence that marks them
	CutOff    int `json:"cut_off"`  // final messages that ended at the token limit
}

// Add returns the sum of two counts.
func (f Format) Add(g Format) Format {
	return Format{
		Errors: f.Errors + g.Errors, Repaired: f.Repaired + g.Repaired, Invented: f.Invented + g.Invented,
		Dropped:   f.Dropped + g.Dropped,
		Reminders: f.Reminders + g.Reminders, Guessed: f.Guessed + g.Guessed, CutOff: f.CutOff + g.CutOff,
	}
}

// Sureness is what the model said when the confidence check asked how sure it was.
type Sureness struct {
	Percent *float64 `json:"percent"` // 0 to 100; nil if it gave no percentage that can be read
}
