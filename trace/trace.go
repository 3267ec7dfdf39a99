package trace

import (
	"github.com/seed-5817661a/concur/model"
)

// ID names a trace: the agent's hash, the query, and the index among the K traces.
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
	Question   string // the query's question, rewritten to be complete; "" if not rewritten
	Message    string // the final message; may be ""
	Answer     string // the short answer; "" unless Outcome is Answered
	Extract    string // how the answer was found: line, fallback, or none
	// Supporting lists the evidence documents that the final message cites, without repeats, in the order of
	// first citation. Their names have the form backend:ref, which is the same in all traces.
	Supporting []string
	Steps      int // model turns taken
	ToolCalls  int // executed tool calls, including failed ones
	// Actions counts the tool calls that the model requested, executed or not. Repeated counts those that are
	// equal to an earlier call of the trace.
	Actions  int
	Repeated int
	// FailedCalls counts calls, including those of sub-agents, that ran and returned an error or no result.
	FailedCalls int
	ModelCalls  int
	Usage       model.Usage
	// Children are the agents that ran as tools. ToolCalls, ModelCalls and Usage include their numbers.
	Children []Child
	Extras   Extras    // records of the agent's features
	Sureness *Sureness // nil unless the confidence check asked
	Format   Format
	Cause    string // for infra, no_answer and ungrounded: an explanation for people
	// Rejected is the last answer that the citation audit rejected, if no correction replaced it. Then either
	// the audit rejected the correction too, or the agent withdrew the answer.
	Rejected string
	// Grounded is the result of the citation audit; false if Rejected is set, and nil if no audit was made.
	Grounded  *bool
	Grounding Grounding // counts of the same audit
	// Turns are the turns of a conversation with a scripted person; nil for other traces. The other fields then
	// describe the whole conversation.
	Turns []Trace
}

// Child is the usage of one agent of a trace. The agents that it called, and its side requests, are not
// included. If Task is set, Child is instead the usage of the agent's side requests with this task.
type Child struct {
	Path string `json:"path"` // researcher#1; "" for the trace's own agent
	// Task names side requests, such as reflection; "" means the agent's own turns.
	Task       string      `json:"task,omitempty"`
	Steps      int         `json:"steps"`
	ToolCalls  int         `json:"tool_calls"`
	ModelCalls int         `json:"model_calls"`
	Usage      model.Usage `json:"usage"`
}

// ByPath divides the usage of the trace among its agents: first the trace's own agent, then Children.
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
	for _, turn := range t.Turns {
		c.Turns = append(c.Turns, turn.Conclusion())
	}
	return c
}

// Trace returns the trace of a Conclusion: the inverse of Trace.Conclusion.
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
	for _, turn := range c.Turns {
		t.Turns = append(t.Turns, turn.Trace(id))
	}
	return t
}

// End returns the trace that the event ends. ends is false for other events, and for the end of a sub-agent,
// which has a path.
func (e Event) End() (t Trace, ends bool) {
	c, ends := e.Body.(Conclusion)
	if !ends || e.Path != "" {
		return Trace{}, false
	}
	return c.Trace(e.ID), true
}

// Format counts faults in the form of a trace's replies, in the same way for all protocols.
type Format struct {
	// Errors counts two kinds of replies: those that were neither a call nor a final message with an answer,
	// and native replies that had a call in their text.
	Errors    int `json:"errors"`
	Repaired  int `json:"repaired"` // arguments that were not JSON and were repaired
	Invented  int `json:"invented"` // observations that the model wrote itself; they were removed
	Dropped   int `json:"dropped"`  // actions after the first of a turn, or next to an answer; they were ignored
	Reminders int `json:"asked"`    // replies without an answer line, after which the model was asked for one
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

// Sureness is the model's reply to the confidence check.
type Sureness struct {
	Percent *float64 `json:"percent"` // 0 to 100; nil if the reply has no readable percentage
}
