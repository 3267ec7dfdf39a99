package session

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/guard/cite"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Last requests the final message in a turn without tools, and ends the trace with it.
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
		s.lineRequested, s.before = true, &t // the message remains part of the final message
		s.result.Format.Reminders++
		return s.Last(ctx, reason, prompt("line"))
	}
	final := s.short(t)
	message := s.whole(t)
	s.result.Message, s.result.Extract = message, string(final.Extract)
	if final.Extract == answer.FromFallback {
		s.result.Format.Guessed++
	}
	s.result.Supporting = s.cited(message)
	switch final.Outcome {
	case trace.Answered:
		if report, audited := s.audit(message, final.Short); audited && !report.Grounded {
			return s.reject(ctx, reason, report)
		}
	case trace.NoAnswer:
		cause := t.Problem.Error()
		if isUnmarked(t.Problem) && strings.TrimSpace(message) != "" {
			cause = trace.CouldNotRead + ": " + cmp.Or(final.Reason, cause)
		}
		return s.noAnswer(reason, unanswered(t, s.before), cause)
	}
	s.result.Answer, s.result.Outcome = final.Short, final.Outcome
	if s.result.Outcome == trace.Abstained && s.lastFailure != "" {
		return s.Stop(trace.ToolBackend, "the last call to an evidence tool failed, and the agent abstained: "+
			s.lastFailure)
	}
	s.result.StopReason = reason
	return s.finish()
}

// unanswered returns the stop reason if the reply to the request for an answer line has no answer.
func unanswered(t Turn, before *Turn) trace.StopReason {
	switch {
	case t.cut(), before != nil && before.cut():
		return trace.CutOff
	case isUnmarked(t.Problem): // a message without an answer, or an empty one
		return trace.EmptyAnswer
	default:
		return trace.FormatError
	}
}

// noAnswer ends the trace without an answer. The stop reason is the limit that made the last turn necessary, if
// there was such a limit, or the backend, if all calls of evidence tools failed. If the agent was asked to
// correct a rejected answer and failed, the trace keeps the rejected answer.
func (s *Session) noAnswer(reason, failure trace.StopReason, cause string) trace.Trace {
	if s.rejected != nil {
		return s.ungrounded("the answer was rejected for its citations, and its correction has no answer: " + cause)
	}
	if s.evidenceCalls > 0 && s.evidenceFailures == s.evidenceCalls {
		return s.Stop(trace.ToolBackend, "every call to an evidence tool failed: "+s.lastFailure+"; "+cause)
	}
	if reason == trace.Final {
		reason = failure
	}
	s.result.Outcome, s.result.StopReason, s.result.Cause = trace.NoAnswer, reason, cause
	return s.finish()
}

// Fail ends the trace with an error of the model or of the context.
func (s *Session) Fail(ctx context.Context, err error) trace.Trace {
	if model.KindOf(err) == model.ErrBudget { // the budget ends the whole run, and so cancels this context
		return s.Stop(trace.Budget, err.Error())
	}
	if outage, ok := errors.AsType[*tool.OutageError](context.Cause(ctx)); ok { // an outage ends the whole run
		return s.Stop(trace.ToolBackend, outage.Error())
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return s.Stop(trace.Cancelled, err.Error())
	}
	return s.Stop(agent.ReasonOf(err), err.Error())
}

// Stop ends the trace with a reason from which the outcome follows.
func (s *Session) Stop(reason trace.StopReason, cause string) trace.Trace {
	outcome, _ := reason.Outcome()
	s.result.Outcome, s.result.StopReason, s.result.Cause = outcome, reason, cause
	return s.finish()
}

func (s *Session) finish() trace.Trace {
	r := &s.result
	r.Extract = cmp.Or(r.Extract, string(answer.FromNowhere))
	// A rejected answer was audited, even if it was given up.
	if s.rejected != nil && r.Grounded == nil && r.Outcome != trace.Infra {
		r.Rejected, r.Grounded, r.Grounding = s.rejected.Message, new(bool), s.rejected.Grounding
	}
	r.Extras = s.parts.end()
	s.Emit(r.Conclusion())
	return *r
}

// reject asks the model once to correct its answer, without tools. If the answer is rejected a second time, or
// if no turn is left, the trace ends as ungrounded.
func (s *Session) reject(ctx context.Context, reason trace.StopReason, report cite.Report) trace.Trace {
	again, was, r := s.rejected != nil, s.result, &s.result
	s.rejected = &was
	r.Message, r.Extract, r.Supporting, r.Grounded, r.Grounding = "", "", nil, nil, trace.Grounding{}
	s.before = nil
	s.messages[len(s.messages)-1].ToolCalls = nil // providers refuse calls without a result
	if again || s.result.Steps >= s.maxTurns() {
		return s.ungrounded("the citations do not support the answer: " + failures(report))
	}
	return s.Last(ctx, reason, report.Complaint()+"\n\n"+prompt("retry"))
}

// ungrounded ends the trace with the rejected answer, because the model gave no better one.
func (s *Session) ungrounded(cause string) trace.Trace {
	r := &s.result
	r.Message, r.Extract, r.Supporting = s.rejected.Message, s.rejected.Extract, s.rejected.Supporting
	return s.Stop(trace.Ungrounded, cause)
}

// maxTurns returns the maximum number of turns of a trace: the allowed steps, one turn without tools unless
// the configuration stops at limits, and the turn that asks for the answer line.
func (s *Session) maxTurns() int {
	n := s.MaxSteps
	if s.agent.Config.OnLimit != config.OnLimitStop {
		n++
	}
	if s.lineRequested {
		n++
	}
	return n
}

// maxFailures limits the number of failures in a cause; the event of the audit lists all of them.
const maxFailures = 3

func failures(report cite.Report) string {
	var out []string
	for _, p := range report.Problems {
		if p.Level == cite.Error && len(out) < maxFailures {
			out = append(out, p.Check+" "+p.Detail)
		}
	}
	return strings.Join(out, "; ")
}
