package react

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/guard/cite"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// grounds is what an answer of the trace can rest on.
type grounds struct {
	documents []trace.Document // as the model was shown them
	calcs     []cite.Calc
}

// add keeps a call's documents, or its calculation.
func (g *grounds) add(r tool.Result, shown []trace.Document) {
	g.documents = append(g.documents, shown...)
	if r.Call.Name != calcTool || r.Failure != tool.NoFailure {
		return
	}
	var in struct{ Expression string }
	value, ok := r.Output.Object["value"].(string)
	if ok && json.Unmarshal([]byte(r.Call.Arguments), &in) == nil {
		g.calcs = append(g.calcs, cite.Calc{Expression: in.Expression, Result: value})
	}
}

// audit holds an answer against the evidence of its trace (methods.md §8). It applies only
// where an evidence tool returned documents; audited is false elsewhere.
func (s *session) audit(message, short string) (report cite.Report, audited bool) {
	if !s.agent.Config.HasGuard(config.GuardCitation) || !s.evidenced() {
		return cite.Report{}, false
	}
	report = cite.Audit(cite.Input{
		Message: message, Answer: short, Documents: s.grounds.documents, Calcs: s.grounds.calcs, Query: s.task.Query.Text,
	}, cite.Options{})
	event := report.Event()
	s.emit(event)
	s.result.Grounded = &report.Grounded
	s.result.Grounding = trace.Grounding{Claims: event.Claims, Citations: report.Citations, Valid: report.Valid}
	for _, c := range report.Claims {
		if c.Supported && !c.Answer {
			s.result.Grounding.Supported++
		}
	}
	return report, true
}

// evidenced reports whether documents came from an evidence tool: those of another tool can
// be cited, but need not be.
func (s *session) evidenced() bool { return s.evidenceFound && len(s.grounds.documents) > 0 }

// rejection is an answer that the audit rejected, as the trace would have ended with it.
type rejection struct {
	message, extract string
	supporting       []string
	grounding        trace.Grounding
}

// reject ends the trace ungrounded, unless this is the first time and a turn is left: then
// the model is told what failed, and answers again without tools.
func (s *session) reject(ctx context.Context, reason trace.StopReason, report cite.Report) trace.Trace {
	again := s.rejected != nil
	s.withdraw()
	if again || s.result.Steps >= s.maxTurns() {
		return s.ungrounded("the citations do not bear out the answer: " + failures(report))
	}
	s.say(report.Complaint() + "\n\n" + promptRetry)
	t, err := s.ask(ctx, false)
	if err != nil {
		return s.fail(ctx, err)
	}
	return s.conclude(ctx, reason, t)
}

// ungrounded ends the trace of an answer that was rejected, and not corrected: with that
// answer, whatever came in place of a correction.
func (s *session) ungrounded(cause string) trace.Trace {
	r := &s.result
	r.Message, r.Extract, r.Supporting = s.rejected.message, s.rejected.extract, s.rejected.supporting
	return s.stop(trace.Ungrounded, cause)
}

// noteRejected counts a rejected answer that was not put right as audited, also where the
// agent gave it up: what the audit found does not go away with the answer. A trace that
// broke is not held against the agent.
func (s *session) noteRejected() {
	r := &s.result
	if s.rejected == nil || r.Grounded != nil || r.Outcome == trace.Infra {
		return
	}
	grounded := false
	r.Rejected, r.Grounded, r.Grounding = s.rejected.message, &grounded, s.rejected.grounding
}

// withdraw takes back a final message that was rejected, and keeps it aside. Calls beside
// it will not be answered, and providers refuse a conversation with calls that are not.
func (s *session) withdraw() {
	s.messages[len(s.messages)-1].ToolCalls = nil
	s.before = nil
	r := &s.result
	s.rejected = &rejection{r.Message, r.Extract, r.Supporting, r.Grounding}
	r.Message, r.Extract, r.Supporting, r.Grounded, r.Grounding = "", "", nil, nil, trace.Grounding{}
}

// maxTurns bounds a trace: the allowed steps, and one turn without tools behind them
// where the configuration does not stop at limits. The turn that asks for the answer line
// comes on top.
func (s *session) maxTurns() int {
	n := s.maxSteps
	if s.agent.Config.OnLimit != config.OnLimitStop {
		n++
	}
	if s.asked {
		n++
	}
	return n
}

// maxFailures bounds the failures that a cause names; the audit's event has all.
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
