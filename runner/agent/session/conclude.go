package session

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/guard/cite"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Last demands the final message, without tools, and ends the trace with it.
func (s *Session) Last(ctx context.Context, reason trace.StopReason, demand string) trace.Trace {
	s.Say(demand)
	t, err := s.Ask(ctx, false)
	if err != nil {
		return s.Fail(ctx, err)
	}
	return s.Conclude(ctx, reason, t)
}

// Conclude ends the trace with a model's final message. reason is Final, or the limit that
// required the message. An answer with invalid citations is rejected.
func (s *Session) Conclude(ctx context.Context, reason trace.StopReason, t Turn) trace.Trace {
	if t.Finish == model.FinishContentFilter {
		return s.Stop(trace.ContentFilter, "the provider's content filter stopped the answer")
	}
	if t.Problem != nil && s.before == nil && !s.lineRequested {
		s.lineRequested, s.before = true, &t // it remains part of the final message
		s.result.Format.Reminders++
		return s.Last(ctx, reason, promptLine)
	}
	final := s.short(t)
	message := s.whole(t)
	s.result.Message, s.result.Extract = message, string(final.Extract)
	if final.Extract == answer.FromFallback {
		s.result.Format.Guessed++
	}
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
		return s.noAnswer(reason, unanswered(t, s.before), t.Problem.Error())
	}
	if s.result.Outcome == trace.Abstained && s.lastFailed {
		return s.Stop(trace.ToolBackend, "the last call to an evidence tool failed, and the agent abstained")
	}
	s.result.StopReason = reason
	return s.finish()
}

// short is the answer that a final message marks. If the model was asked for the line and marks none, the answer is
// guessed from its last message or the previous one, but never from a call or from a reply that was cut off.
func (s *Session) short(t Turn) answer.Final {
	if t.Problem == nil {
		return s.extract(t.certain())
	}
	for _, source := range []*Turn{&t, s.before} {
		if source == nil || source.cut() || len(source.Calls) > 0 || source.Problem != nil && !isUnmarked(source.Problem) {
			continue
		}
		if final := s.extract(source.final); final.Kind != answer.None {
			return final
		}
	}
	return answer.Final{Extract: answer.FromNowhere}
}

// whole is the final message, preceded by the previous message if the model was asked for
// the answer line and the line has no citations.
func (s *Session) whole(t Turn) string {
	message := t.certain()
	if t.Problem != nil {
		message = t.final
	}
	if s.before == nil || len(cite.Cited(message)) > 0 {
		return message
	}
	return strings.TrimSpace(s.before.certain() + "\n\n" + message)
}

// unanswered is the reason why a reply to the request for an answer line has none.
func unanswered(t Turn, before *Turn) trace.StopReason {
	switch {
	case t.cut(), before != nil && before.cut():
		return trace.CutOff
	case isUnmarked(t.Problem) && strings.TrimSpace(t.final) == "":
		return trace.EmptyAnswer
	default:
		return trace.FormatError
	}
}

// noAnswer ends the trace without an answer. The stop reason is the limit that forced the last turn, if any, or the
// backend if all evidence calls failed. A rejected answer remains, because its correction failed.
func (s *Session) noAnswer(reason, failure trace.StopReason, cause string) trace.Trace {
	if s.rejected != nil {
		return s.ungrounded("the answer was rejected for its citations, and its correction has no answer: " + cause)
	}
	if s.evidenceCalls > 0 && s.evidenceFailures == s.evidenceCalls {
		return s.Stop(trace.ToolBackend, "every call to an evidence tool failed; "+cause)
	}
	if reason == trace.Final {
		reason = failure
	}
	s.result.Outcome, s.result.StopReason, s.result.Cause = trace.NoAnswer, reason, cause
	return s.finish()
}

// Fail ends the trace with an error of the model or of the context.
func (s *Session) Fail(ctx context.Context, err error) trace.Trace {
	if model.KindOf(err) == model.ErrBudget { // ends the whole run, and so this context
		return s.Stop(trace.Budget, err.Error())
	}
	if outage, ok := errors.AsType[*tool.OutageError](context.Cause(ctx)); ok { // ends the whole run
		return s.Stop(trace.ToolBackend, outage.Error())
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return s.Stop(trace.Cancelled, err.Error())
	}
	return s.Stop(agent.ReasonOf(err), err.Error())
}

// Stop ends the trace with a reason that determines the outcome.
func (s *Session) Stop(reason trace.StopReason, cause string) trace.Trace {
	outcome, _ := reason.Outcome()
	s.result.Outcome, s.result.StopReason, s.result.Cause = outcome, reason, cause
	return s.finish()
}

func (s *Session) finish() trace.Trace {
	r := &s.result
	r.Extract = cmp.Or(r.Extract, string(answer.FromNowhere))
	if s.rejected != nil && r.Grounded == nil && r.Outcome != trace.Infra { // counts as audited, even if given up
		r.Rejected, r.Grounded, r.Grounding = s.rejected.Message, new(bool), s.rejected.Grounding
	}
	s.countAdvice()
	s.Emit(r.Conclusion())
	return *r
}

// cited names the evidence documents that a message cites, without repeats.
func (s *Session) cited(message string) []string {
	var out []string
	for _, id := range cite.Cited(message) {
		if d, known := s.ledger.Lookup(id); known {
			out = append(out, d.Backend+":"+d.Ref)
		}
	}
	return out
}
