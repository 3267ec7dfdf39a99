package trace

import "github.com/seed-5817661a/concur/runner/model"

// ID names a trace: the hash of the agent that ran, the query, and the index among the
// K traces. Order of completion never matters.
type ID struct {
	Agent string `json:"agent"`
	Query string `json:"query"`
	Trace int    `json:"trace"` // 0..K-1
}

// Trace is how one run of an agent on a query ended. A failure is data here, never a
// returned error.
type Trace struct {
	ID
	Outcome    Outcome
	StopReason StopReason
	Message    string // the final message as the agent wrote it; "" if there was none
	Answer     string // the short answer; "" unless Outcome is Answered
	Extract    string // how the answer was found: line, fallback, or none
	// Supporting names the evidence documents that the final message cites, each once,
	// in order of first citation, by backend:ref: a name that holds across traces.
	Supporting []string
	Steps      int // model turns taken
	ToolCalls  int // tool calls that were executed, failed ones included
	// Actions counts the tool calls that the model asked for, executed or not, and Repeated
	// those of them that asked for what an earlier one of the trace had asked for.
	Actions    int
	Repeated   int
	ModelCalls int
	Usage      model.Usage
	Format     Format
	Cause      string // for infra, no_answer and ungrounded: what went wrong, for people
	// Rejected is the last answer, as the agent wrote it, that the citation audit rejected and
	// that was not put right: its correction failed as well, or the agent gave the answer up.
	// "" if there was none.
	Rejected string
	// Grounded is what the citation audit said of Message, and false where Rejected is set;
	// nil where nothing was audited.
	Grounded  *bool
	Grounding Grounding // of the same message
}

// Grounding counts what the citation audit found in a message (methods.md §8); it is zero
// where Trace.Grounded is nil.
type Grounding struct {
	Claims    int `json:"claims"`    // factual sentences
	Supported int `json:"supported"` // those that their citations bear out
	Citations int `json:"citations"`
	Valid     int `json:"valid"` // citations whose document exists and holds what is quoted
}

// Conclusion is the trace's end as an event, without its timing.
func (t Trace) Conclusion() Conclusion {
	c := Conclusion{
		Message: t.Message, Outcome: t.Outcome, StopReason: t.StopReason, Extract: t.Extract, Supporting: t.Supporting,
		Steps: t.Steps, ToolCalls: t.ToolCalls, Actions: t.Actions, Repeated: t.Repeated,
		ModelCalls: t.ModelCalls, Usage: t.Usage, Format: t.Format,
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

// Trace is the trace that ended so.
func (c Conclusion) Trace(id ID) Trace {
	t := Trace{
		ID: id, Message: c.Message, Outcome: c.Outcome, StopReason: c.StopReason, Extract: c.Extract, Supporting: c.Supporting,
		Steps: c.Steps, ToolCalls: c.ToolCalls, Actions: c.Actions, Repeated: c.Repeated,
		ModelCalls: c.ModelCalls, Usage: c.Usage, Format: c.Format,
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

// Format counts what was wrong with the form of a trace's replies, by one definition in all
// protocols.
type Format struct {
	// Errors counts replies that were neither a call nor a final message with an answer, and
	// native ones whose call stood in the text.
	Errors    int `json:"errors"`
	Repaired  int `json:"repaired"` // arguments that were no JSON, and were mended
	Invented  int `json:"invented"` // observations that the model wrote itself, and were cut off
	Dropped   int `json:"dropped"`  // actions that were not read, since the first of a turn, or an answer, wins
	Reminders int `json:"asked"`    // replies without an answer line that the model was asked to put right
	Guessed   int `json:"guessed"`  // answers that no line or sentence marked, and were guessed all the same
	CutOff    int `json:"cut_off"`  // final messages that ended at the token limit
}

// Add returns the sum of two counts.
func (f Format) Add(g Format) Format {
	return Format{
		Errors: f.Errors + g.Errors, Repaired: f.Repaired + g.Repaired, Invented: f.Invented + g.Invented, Dropped: f.Dropped + g.Dropped,
		Reminders: f.Reminders + g.Reminders, Guessed: f.Guessed + g.Guessed, CutOff: f.CutOff + g.CutOff,
	}
}
