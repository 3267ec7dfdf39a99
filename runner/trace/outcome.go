package trace

// Outcome says how a trace ended (DESIGN.md §1).
type Outcome string

// The outcomes. The first three are decisions of the agent and vote; NoAnswer is the
// agent's failure: an empty vote, scored wrong; Infra is ours or the provider's: no
// vote, and not held against the agent.
const (
	Answered  Outcome = "answered"
	Refused   Outcome = "refused"
	Abstained Outcome = "abstained"
	NoAnswer  Outcome = "no_answer"
	Infra     Outcome = "infra"
)

// Outcomes lists every outcome in the order in which reports show them.
func Outcomes() []Outcome { return []Outcome{Answered, Refused, Abstained, NoAnswer, Infra} }

// Votes reports whether a trace with this outcome takes part in the consensus.
func (o Outcome) Votes() bool { return o == Answered || o == Refused || o == Abstained }

// StopReason is the exact cause of a trace's end.
type StopReason string

// The stop reasons, grouped by the outcome that they lead to.
const (
	Final StopReason = "final" // answered, abstained or refused, by the answer line

	RefusedByGuard StopReason = "refused_by_guard"
	ContentFilter  StopReason = "content_filter"

	Ungrounded StopReason = "ungrounded" // abstained: the citation audit rejected the answer, and its correction

	// After one of these limits the agent has one turn without tools; its outcome is
	// what that turn says.
	MaxSteps     StopReason = "max_steps"
	MaxToolCalls StopReason = "max_tool_calls"

	FormatError     StopReason = "format_error"
	EmptyAnswer     StopReason = "empty_answer"
	CutOff          StopReason = "cut_off" // the answer was cut off at the token limit, and was when asked for again
	ContextOverflow StopReason = "context_overflow"

	Timeout     StopReason = "timeout"
	ModelError  StopReason = "model_error"
	Panic       StopReason = "panic"
	Cancelled   StopReason = "cancelled"
	Budget      StopReason = "budget" // the run's money or tokens were spent; run again on resume
	ToolBackend StopReason = "tool_backend"
)

// Unfinished reports whether a trace was stopped from outside, so that it is run again
// when the run is resumed.
func (s StopReason) Unfinished() bool { return s == Cancelled || s == Budget }

// Outcome gives the outcome that a stop reason alone decides. For Final and the two
// limits the final message decides, and ok is false.
func (s StopReason) Outcome() (o Outcome, ok bool) {
	switch s {
	case RefusedByGuard, ContentFilter:
		return Refused, true
	case Ungrounded:
		return Abstained, true
	case FormatError, EmptyAnswer, CutOff, ContextOverflow:
		return NoAnswer, true
	case Timeout, ModelError, Panic, Cancelled, Budget, ToolBackend:
		return Infra, true
	default:
		return "", false
	}
}
