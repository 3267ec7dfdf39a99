package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model"
)

// Event is one line of trace.jsonl. It is written as it happens.
type Event struct {
	ID
	// Path names the agent: "" for the trace's own agent, researcher#1 for the first agent that it called.
	Path string
	Step int // the model turn to which the event belongs, from 0
	// Session is the number of resumptions of the run before the event was written. If a trace was run again,
	// only the events with the highest session count.
	Session int
	Time    time.Time
	Body    Body
}

// Name returns the name of the event in trace.jsonl; "" without a body.
func (e Event) Name() string {
	if e.Body == nil {
		return ""
	}
	return e.Body.event()
}

// Body is one of Thought, Action, Observation, Reflection, Guard, Audit, Conclusion and Extraction, or Unknown if a
// newer version wrote it.
type Body interface{ event() string }

// Emit receives the events of one trace in order. It must not block for long.
type Emit func(step int, b Body)

// Thought is the model's reasoning before actions or a final message: its think blocks, the reasoning that
// the provider returns, and the text next to actions.
type Thought struct {
	Content string `json:"content"`
	// Kind is Explanation if the model had to explain its next call, otherwise "". Tool is the tool that the
	// explanation announces.
	Kind string `json:"kind,omitempty"`
	Tool string `json:"tool,omitempty"`
}

// Explanation is the kind of a thought that is a call of the tool explain.
const Explanation = "explain"

// Action is a tool call requested by the model. Input is the JSON of its arguments, or a
// JSON string if the model's text was not JSON.
type Action struct {
	Name   string          `json:"name"`
	Input  json.RawMessage `json:"input"`
	CallID string          `json:"call_id"`
}

// Observation is the result of a tool call. Exactly one of Output and Error is set; Output is the tool's
// output before it is cut; chat.jsonl has the text that the model saw.
type Observation struct {
	CallID     string          `json:"call_id"`
	Output     json.RawMessage `json:"output"`
	Documents  []Document      `json:"documents"`
	Error      *string         `json:"error"`
	ErrorKind  *string         `json:"error_kind"` // unknown_tool, quota, timeout and others; null without an error
	DurationMS float64         `json:"duration_ms"`
}

// Reflection is a text of the agent's model outside of its turns: the result of a side request, or the answer
// with which it completed its task.
type Reflection struct {
	Task    string `json:"task"` // analysis, reflection, complete_task and others
	Content string `json:"content"`
}

// Guard is a decision of a guard.
type Guard struct {
	// Rule is injection, repeat, calls, failures, sanitise, single_tool, steps, format,
	// output_cap, confidence_check, or unknown_tool for a tool that is not offered.
	Rule string `json:"rule"`
	// Decision is refuse, flag, block, exclude, change, limit, cut, repair, reject, drop,
	// alias; for a confidence check ask, continue or answer.
	Decision string `json:"decision"`
	Detail   string `json:"detail"`
}

// Extraction is an answer that a model read in the final message after the end of the trace, because the
// rules found none. It belongs to one configuration; in another configuration, the same trace may have
// another answer.
type Extraction struct {
	Configuration string  `json:"configuration"`
	Extract       string  `json:"extract"` // always "model"
	Model         string  `json:"model"`   // the configured name of the model
	Answer        *string `json:"answer"`  // null if the model gave no usable words
	Cause         *string `json:"cause"`   // why the model gave no answer; null if it gave one
}

// ExtractionEvent is the name of an Extraction in trace.jsonl.
const ExtractionEvent = "extraction"

// Conclusion is the end of the trace, with all fields of Trace, so that a stopped run can be resumed from it.
type Conclusion struct {
	Question    string      `json:"question,omitempty"` // the query's question, rewritten to be complete
	Message     string      `json:"message"`
	Answer      *string     `json:"answer"`
	Outcome     Outcome     `json:"outcome"`
	StopReason  StopReason  `json:"stop_reason"`
	Extract     string      `json:"extract"`
	Cause       *string     `json:"cause"`
	Supporting  []string    `json:"supporting"`
	Steps       int         `json:"steps"`
	ToolCalls   int         `json:"tool_calls"`
	Actions     int         `json:"actions"`
	Repeated    int         `json:"repeated"`
	FailedCalls int         `json:"failed_calls,omitempty"`
	ModelCalls  int         `json:"model_calls"`
	Usage       model.Usage `json:"usage"`
	Children    []Child     `json:"children,omitempty"`
	Extras
	Sureness  *Sureness `json:"sureness,omitempty"` // nil unless the confidence check asked
	Format    Format    `json:"format"`
	Rejected  *string   `json:"rejected"` // null unless an answer was rejected and not corrected
	Grounded  *bool     `json:"grounded"` // null if no audit was made
	Grounding Grounding `json:"grounding"`
	Timing    Timing    `json:"timing"`
	// Turns are the ends of the turns of a conversation, without their timing.
	Turns []Conclusion `json:"turns,omitempty"`
}

// Timing has the fields that differ between equal traces.
type Timing struct {
	WallS     float64 `json:"wall_s"`     // from start to end of the trace, in seconds
	CallsSent int     `json:"calls_sent"` // model calls that were sent
	// ToolsS has the seconds of the calls of each tool; nil without a call. A tool of a sub-agent has the names of
	// both, such as researcher/web_search.
	ToolsS map[string]float64 `json:"tools_s,omitempty"`
}

// Unknown is an event that this version does not know.
type Unknown struct {
	Name string          // the name in the file
	Line json.RawMessage // the whole line
}

func (u Unknown) event() string   { return u.Name }
func (Thought) event() string     { return "thought" }
func (Action) event() string      { return "action" }
func (Observation) event() string { return "observation" }
func (Reflection) event() string  { return "reflection" }
func (Guard) event() string       { return "guard" }
func (Conclusion) event() string  { return "final" }
func (Extraction) event() string  { return ExtractionEvent }

// InputOf converts the text of a model's arguments to an Action's Input. Text that is not JSON, or is nested
// too deeply for a line, becomes a JSON string.
func InputOf(arguments string) json.RawMessage {
	if json.Valid([]byte(arguments)) && json.Valid([]byte("[["+arguments+"]]")) {
		return json.RawMessage(arguments)
	}
	quoted, err := json.Marshal(arguments)
	if err != nil { // cannot happen for a string
		return json.RawMessage("null")
	}
	return quoted
}

// Audit is the result of the citation audit of a final message (docs/method.md §8). A rejected answer and its
// correction have one each.
type Audit struct {
	Version   string         `json:"version"` // version of the audit's rules
	Grounded  bool           `json:"grounded"`
	Claims    int            `json:"claims"` // number of factual sentences
	Citations int            `json:"citations"`
	Valid     int            `json:"valid"`
	OverCited int            `json:"over_cited"`
	Precision *float64       `json:"precision"` // 0 to 1; null if undefined, like the next two
	Recall    *float64       `json:"recall"`
	Coverage  *float64       `json:"coverage"`
	Problems  []AuditProblem `json:"problems"`
}

// AuditProblem is one problem that the audit found.
type AuditProblem struct {
	Check  string `json:"check"` // C1 … C10 of docs/method.md §8, or bound
	Level  string `json:"level"` // error or warn
	Claim  string `json:"claim"`
	Detail string `json:"detail"`
}

func (Audit) event() string { return "audit" }

// Schema is the name on the first line of trace.jsonl.
const Schema = "concur/trace/v1"

// header has the first fields of every event's line.
type header struct {
	ID
	Path    string    `json:"path"`
	Step    int       `json:"step"`
	Event   string    `json:"event"`
	Session int       `json:"session"`
	Time    time.Time `json:"time"`
}

// MarshalJSON writes the event as one flat object: the header's fields, then the body's.
func (e Event) MarshalJSON() ([]byte, error) { return e.AppendLine(nil) }

// AppendLine appends what MarshalJSON returns. It implements lines.Appender.
func (e Event) AppendLine(out []byte) ([]byte, error) {
	if e.Body == nil {
		return out, fmt.Errorf("encode event of trace %s/%d: it has no body", e.Query, e.Trace)
	}
	if u, is := e.Body.(Unknown); is {
		return append(out, u.Line...), nil
	}
	out, err := lines.Append(out, header{e.ID, e.Path, e.Step, e.Body.event(), e.Session, e.Time})
	if err != nil {
		return out, err
	}
	comma := len(out) - 1 // in place of the brace that ends the header
	out, err = lines.Append(out[:comma], e.Body)
	if err == nil {
		out[comma] = ','
	}
	return out, err
}

// UnmarshalJSON reads the output of MarshalJSON. It ignores unknown fields, and keeps unknown events
// unchanged, because later versions may add both.
func (e *Event) UnmarshalJSON(line []byte) error {
	var h header
	if err := lines.Decode(line, &h); err != nil {
		return err
	}
	if h.Event == "" {
		return errors.New("decode event: the line has no event field")
	}
	decode, known := bodies[h.Event]
	if !known {
		decode = func(line []byte) (Body, error) { return Unknown{h.Event, bytes.Clone(line)}, nil }
	}
	body, err := decode(line)
	if err != nil {
		return fmt.Errorf("decode %s event: %w", h.Event, err)
	}
	*e = Event{h.ID, h.Path, h.Step, h.Session, h.Time, body}
	return nil
}

// bodies has a decoder for each name of an event.
var bodies = map[string]func(line []byte) (Body, error){
	"thought":       decodeAs[Thought],
	"action":        decodeAs[Action],
	"observation":   decodeAs[Observation],
	"reflection":    decodeAs[Reflection],
	"guard":         decodeAs[Guard],
	"audit":         decodeAs[Audit],
	"final":         decodeAs[Conclusion],
	ExtractionEvent: decodeAs[Extraction],
}

func decodeAs[T Body](line []byte) (Body, error) {
	var b T
	err := lines.Decode(line, &b)
	return b, err
}
