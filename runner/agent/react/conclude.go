package react

import (
	"context"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/guard/cite"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// conclude ends the trace with a model's final message. reason is Final, or the limit
// that asked for it. An answer whose citations fail is rejected.
func (s *session) conclude(ctx context.Context, reason trace.StopReason, t turn) trace.Trace {
	if t.finish == model.FinishContentFilter {
		return s.stop(trace.ContentFilter, "the provider's content filter stopped the answer")
	}
	if t.finish == model.FinishLength {
		s.guard("format", "flag", "the final message was cut off at the token limit")
	}
	if t.problem != nil {
		return s.noAnswer(reason, trace.FormatError, t.problem.Error())
	}
	message := t.final
	s.result.Message = message
	if strings.TrimSpace(message) == "" {
		return s.noAnswer(reason, trace.EmptyAnswer, "the final message is empty")
	}
	final := answer.Extract(message, s.task.Query.Text, s.task.Query.Gold.Type)
	s.result.Extract = string(final.Extract)
	s.result.Supporting = s.cited(message)
	switch final.Kind {
	case answer.Answered:
		if report, audited := s.audit(message, final.Short); audited && !report.Grounded {
			return s.reject(ctx, reason, report)
		}
		s.result.Answer, s.result.Outcome = final.Short, trace.Answered
	case answer.Refused:
		s.result.Outcome = trace.Refused
	case answer.Abstained:
		s.result.Outcome = trace.Abstained
	default:
		s.noteProblem(errNoAnswer)
		return s.noAnswer(reason, trace.FormatError, errNoAnswer.Error())
	}
	if s.result.Outcome == trace.Abstained && s.backendsFailed() {
		return s.stop(trace.ToolBackend, "every call to an evidence tool failed, and the agent abstained")
	}
	s.result.StopReason = reason
	return s.finish()
}

// noAnswer ends the trace without an answer. A limit that forced the last turn stays the
// stop reason; broken backends excuse the agent. Where an answer was rejected before, its
// correction failed.
func (s *session) noAnswer(reason, failure trace.StopReason, cause string) trace.Trace {
	if s.rejected != nil {
		return s.ungrounded("the correction of an answer that was rejected for its citations is none: " + cause)
	}
	if s.backendsFailed() {
		return s.stop(trace.ToolBackend, "every call to an evidence tool failed; "+cause)
	}
	if reason == trace.Final {
		reason = failure
	}
	s.result.Outcome, s.result.StopReason, s.result.Cause = trace.NoAnswer, reason, cause
	return s.finish()
}

func (s *session) backendsFailed() bool {
	return s.evidenceCalls > 0 && s.evidenceFailures == s.evidenceCalls
}

// fail ends the trace with an error of the model or of the context.
func (s *session) fail(ctx context.Context, err error) trace.Trace {
	if model.KindOf(err) == model.ErrBudget { // which ends the whole run, and so this context
		return s.stop(trace.Budget, err.Error())
	}
	if ctx.Err() != nil {
		return s.stop(trace.Cancelled, err.Error())
	}
	switch model.KindOf(err) {
	case model.ErrContextOverflow:
		return s.stop(trace.ContextOverflow, err.Error())
	case model.ErrContentFilter:
		return s.stop(trace.ContentFilter, err.Error())
	case model.ErrTimeout:
		return s.stop(trace.Timeout, err.Error())
	default:
		return s.stop(trace.ModelError, err.Error())
	}
}

// crash ends the trace with a tool's panic, which is never the agent's fault.
func (s *session) crash(r tool.Result) trace.Trace {
	return s.stop(trace.Panic, r.Error+"\n"+r.Stack)
}

// stop ends the trace with a reason that alone decides the outcome.
func (s *session) stop(reason trace.StopReason, cause string) trace.Trace {
	outcome, _ := reason.Outcome()
	s.result.Outcome, s.result.StopReason, s.result.Cause = outcome, reason, cause
	return s.finish()
}

func (s *session) finish() trace.Trace {
	if s.result.Extract == "" {
		s.result.Extract = string(answer.FromNowhere)
	}
	s.noteRejected()
	s.emit(s.result.Conclusion())
	return s.result
}

// cited names the evidence documents that a message cites, each once.
func (s *session) cited(message string) []string {
	var out []string
	for _, id := range cite.Cited(message) {
		if d, known := s.ledger.Lookup(id); known {
			out = append(out, d.Backend+":"+d.Ref)
		}
	}
	return out
}
