package trace

// Outcome is the result of a trace, of a decision over several traces, of a final message, or of a gold:
// docs/glossary.md#how-a-trace-ends.
type Outcome string

// The outcomes. The first three are decisions of the agent and vote. NoAnswer is a failure of the agent: an
// empty vote, which is scored as wrong. Infra is a failure of the harness or a provider: it does not vote,
// and does not count against the agent.
const (
	Answered  Outcome = "answered"
	Refused   Outcome = "refused"
	Abstained Outcome = "abstained"
	NoAnswer  Outcome = "no_answer"
	Infra     Outcome = "infra"
)

// Outcomes lists the outcomes in the order of reports.
func Outcomes() []Outcome { return []Outcome{Answered, Refused, Abstained, NoAnswer, Infra} }

// Votes reports whether a trace with this outcome votes.
func (o Outcome) Votes() bool { return o == Answered || o == Refused || o == Abstained }

// StopReason is the exact cause of a trace's end.
type StopReason string

// The stop reasons, grouped by their outcome.
const (
	Final StopReason = "final" // answered, abstained or refused, as the answer line says

	RefusedByGuard StopReason = "refused_by_guard"
	ContentFilter  StopReason = "content_filter"

	Ungrounded StopReason = "ungrounded" // abstained: the citation audit rejected the answer and its correction

	// After one of these limits, the agent has one more turn, without tools. The outcome depends on this turn.
	MaxSteps     StopReason = "max_steps"
	MaxToolCalls StopReason = "max_tool_calls"

	FormatError     StopReason = "format_error"
	EmptyAnswer     StopReason = "empty_answer"
	CutOff          StopReason = "cut_off" // the token limit cut off the answer twice
	ContextOverflow StopReason = "context_overflow"

	Timeout     StopReason = "timeout"
	ModelError  StopReason = "model_error"
	AgentError  StopReason = "agent_error" // an external agent crashed or could not be reached
	Panic       StopReason = "panic"
	Cancelled   StopReason = "cancelled"
	Budget      StopReason = "budget" // the run's budget was spent; a resumed run runs the trace again
	ToolBackend StopReason = "tool_backend"
)

// CouldNotRead is the cause of a trace that ended with a message in which no answer could be read.
const CouldNotRead = "no answer could be read in the message"

// NoSupport is the reply that a person reads if the citation audit rejected the answer.
const NoSupport = "I cannot answer this: the documents that were found do not support the answer that the model gave."

// Unfinished reports whether a trace was stopped from outside. A resumed run runs such a trace again.
func (s StopReason) Unfinished() bool { return s == Cancelled || s == Budget }

// Outcome returns the outcome of a stop reason; ok is false for Final and the two limits, because the final
// message decides their outcome.
func (s StopReason) Outcome() (o Outcome, ok bool) {
	switch s {
	case RefusedByGuard, ContentFilter:
		return Refused, true
	case Ungrounded:
		return Abstained, true
	case FormatError, EmptyAnswer, CutOff, ContextOverflow:
		return NoAnswer, true
	case Timeout, ModelError, AgentError, Panic, Cancelled, Budget, ToolBackend:
		return Infra, true
	default:
		return "", false
	}
}
