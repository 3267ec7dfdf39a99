package session

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/guard/cite"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// keep keeps a call's documents, as shown to the model, or its calculation: an answer can use them.
func (s *Session) keep(r tool.Result, shown []trace.Document) {
	s.documents = append(s.documents, shown...)
	if r.Call.Name != calcTool || r.Failure != tool.NoFailure {
		return
	}
	var in struct{ Expression string }
	value, ok := r.Output.Object["value"].(string)
	if ok && json.Unmarshal([]byte(r.Call.Arguments), &in) == nil {
		s.ledger.Calculated(trace.Calculation{Expression: in.Expression, Result: value})
	}
}

// audit compares an answer with the evidence of its trace (methods.md §8). audited is false
// unless an evidence tool returned documents; documents of other tools need not be cited.
func (s *Session) audit(message, short string) (report cite.Report, audited bool) {
	if !s.agent.Config.HasGuard(config.GuardCitation) || !s.evidenceFound || len(s.documents) == 0 {
		return cite.Report{}, false
	}
	report = cite.Audit(cite.Input{
		Message: message, Answer: short, Documents: s.documents, Calcs: s.ledger.Calculations(), Query: s.task.Query.Wordings(s.result.Question),
	})
	s.Emit(report.Audit)
	s.result.Grounded, s.result.Grounding = &report.Grounded, report.Grounding()
	return report, true
}

// reject asks the model once to correct its answer, without tools. After a second
// rejection, or without a turn left, the trace ends as ungrounded.
func (s *Session) reject(ctx context.Context, reason trace.StopReason, report cite.Report) trace.Trace {
	again, was, r := s.rejected != nil, s.result, &s.result
	s.rejected = &was
	r.Message, r.Extract, r.Supporting, r.Grounded, r.Grounding = "", "", nil, nil, trace.Grounding{}
	s.before = nil
	s.messages[len(s.messages)-1].ToolCalls = nil // providers refuse calls that are not answered
	if again || s.result.Steps >= s.maxTurns() {
		return s.ungrounded("the citations do not support the answer: " + failures(report))
	}
	return s.Last(ctx, reason, report.Complaint()+"\n\n"+promptRetry)
}

// ungrounded ends the trace with the rejected answer, because no correction replaced it.
func (s *Session) ungrounded(cause string) trace.Trace {
	r := &s.result
	r.Message, r.Extract, r.Supporting = s.rejected.Message, s.rejected.Extract, s.rejected.Supporting
	return s.Stop(trace.Ungrounded, cause)
}

// maxTurns bounds a trace: the allowed steps, one turn without tools unless the
// configuration stops at limits, and the turn that asks for the answer line.
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

// maxFailures limits the failures in a cause; the audit's event has all of them.
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
