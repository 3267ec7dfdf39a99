package trace

import (
	"encoding/json"
	"time"

	"github.com/seed-5817661a/concur/runner/model"
)

// Event is one line of trace.jsonl: something that happened in a trace, written as it
// happened.
type Event struct {
	ID
	// Path is of the agent within the trace that it happened to: "" for the trace's own agent,
	// researcher#1 for the first that it called as a tool.
	Path string
	Step int // the model turn it belongs to, from 0
	// Session counts the times that the run was resumed before this was written. Of a
	// trace that was run again, the events of the highest session count.
	Session int
	Time    time.Time
	Body    Body
}

// Body is what happened: one of Thought, Action, Observation, Guard, Audit and Conclusion, or
// Unknown where a newer version wrote something else.
type Body interface{ event() string }

// Emit receives the events of one trace in order. It must not block for long.
type Emit func(step int, b Body)

// Thought is what the model thought on its way to actions or to a final message: its think
// blocks, what the provider gives as reasoning, and the text beside actions.
type Thought struct {
	Content string `json:"content"`
}

// Action is a tool call as the model asked for it. Input is its arguments: the JSON
// that the model wrote, or a JSON string of the text where that is no JSON.
type Action struct {
	Name   string          `json:"name"`
	Input  json.RawMessage `json:"input"`
	CallID string          `json:"call_id"`
}

// Observation is what a tool call gave. Exactly one of Output and Error is set; Output
// is as the tool returned it, before any cap (what the model saw is in chat.jsonl).
type Observation struct {
	CallID     string          `json:"call_id"`
	Output     json.RawMessage `json:"output"`
	Documents  []Document      `json:"documents"`
	Error      *string         `json:"error"`
	ErrorKind  *string         `json:"error_kind"` // unknown_tool, quota, timeout, …; null without an error
	DurationMS float64         `json:"duration_ms"`
}

// Guard is a decision that a guard took.
type Guard struct {
	// Rule is injection, repeat, calls, failures, sanitise, single_tool, steps, format,
	// output_cap or confidence_check.
	Rule string `json:"rule"`
	// Decision is refuse, flag, block, exclude, change, limit, cut, repair, reject, drop,
	// alias; of a confidence check ask, continue or answer.
	Decision string `json:"decision"`
	Detail   string `json:"detail"`
}

// Conclusion is the end of the trace: all that a Trace says, so that a run which was
// stopped goes on from its file.
type Conclusion struct {
	Message    string      `json:"message"`
	Answer     *string     `json:"answer"`
	Outcome    Outcome     `json:"outcome"`
	StopReason StopReason  `json:"stop_reason"`
	Extract    string      `json:"extract"`
	Cause      *string     `json:"cause"`
	Supporting []string    `json:"supporting"`
	Steps      int         `json:"steps"`
	ToolCalls  int         `json:"tool_calls"`
	Actions    int         `json:"actions"`
	Repeated   int         `json:"repeated"`
	ModelCalls int         `json:"model_calls"`
	Usage      model.Usage `json:"usage"`
	Format     Format      `json:"format"`
	Rejected   *string     `json:"rejected"` // null where no rejected answer was left as it was
	Grounded   *bool       `json:"grounded"` // null where no citations were audited
	Grounding  Grounding   `json:"grounding"`
	Timing     Timing      `json:"timing"`
}

// Timing is what may differ between equal traces.
type Timing struct {
	WallS     float64 `json:"wall_s"`     // from the trace's start to its end, in seconds
	CallsSent int     `json:"calls_sent"` // model calls really sent
}

// Unknown is an event that this version does not know.
type Unknown struct {
	Name string          // as in the file
	Line json.RawMessage // the whole event as it was read
}

func (u Unknown) event() string   { return u.Name }
func (Thought) event() string     { return "thought" }
func (Action) event() string      { return "action" }
func (Observation) event() string { return "observation" }
func (Guard) event() string       { return "guard" }
func (Conclusion) event() string  { return "final" }

// maxDepth keeps an Action's line within what encoding/json can encode: it counts the
// brackets of the whole line.
const maxDepth = 1000

// shallow reports whether a text opens no more brackets within each other than maxDepth,
// counting those in strings too.
func shallow(text string) bool {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{':
			if depth++; depth > maxDepth {
				return false
			}
		case ']', '}':
			depth--
		}
	}
	return true
}

// InputOf turns a model's argument text into an Action's Input.
func InputOf(arguments string) json.RawMessage {
	if shallow(arguments) && json.Valid([]byte(arguments)) {
		return json.RawMessage(arguments)
	}
	quoted, err := json.Marshal(arguments)
	if err != nil { // a string always marshals
		return json.RawMessage("null")
	}
	return quoted
}
