package talk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/trace"
)

// Run asks the turns of a conversation, each with the earlier messages and replies of this trace as its
// history. A wrong reply does not end the conversation. If a turn fails, for example because the model failed,
// the conversation ends, and the trace has the outcome of that turn. ask runs turn n, from 0, as a query of its
// own.
func Run(q datasets.Query, ask func(n int, q datasets.Query) trace.Trace) trace.Trace {
	var turns []trace.Trace
	for n := range q.Turns {
		t := ask(n, q.Turn(n, history(q, turns)))
		turns = append(turns, t)
		if t.Outcome == trace.Infra {
			break
		}
	}
	return whole(turns)
}

// history returns the messages of the first turns with their replies. It leaves out a turn without a reply,
// because some servers refuse two messages of the user in a row. It also leaves out a turn that a guard refused
// as an attack, because the guard reads the history, too.
func history(q datasets.Query, turns []trace.Trace) (out []datasets.Turn) {
	for n, t := range turns {
		reply := cmp.Or(strings.TrimSpace(t.Message), t.Answer)
		if t.StopReason == trace.Ungrounded {
			reply = trace.NoSupport
		}
		if reply != "" && t.StopReason != trace.RefusedByGuard {
			out = append(out, datasets.Turn{Role: datasets.UserRole, Content: q.Turns[n].Text},
				datasets.Turn{Role: datasets.AssistantRole, Content: reply})
		}
	}
	return out
}

// whole returns the trace of a conversation with these turns; there must be at least one. Counts are summed
// over the turns, and the message is that of the last turn. The outcome is infra or no_answer if a turn has
// this outcome. Otherwise it is the common outcome of the turns, or answered if they differ.
func whole(turns []trace.Trace) trace.Trace {
	last := turns[len(turns)-1]
	out := trace.Trace{Outcome: last.Outcome, StopReason: last.StopReason, Extract: last.Extract, Message: last.Message,
		Turns: turns}
	for _, t := range turns {
		out.Steps += t.Steps
		out.ToolCalls += t.ToolCalls
		out.Actions += t.Actions
		out.Repeated += t.Repeated
		out.FailedCalls += t.FailedCalls
		out.ModelCalls += t.ModelCalls
		out.Usage = out.Usage.Add(t.Usage)
		out.Children = append(out.Children, t.Children...)
		out.Format = out.Format.Add(t.Format)
		for _, id := range t.Supporting {
			if !slices.Contains(out.Supporting, id) {
				out.Supporting = append(out.Supporting, id)
			}
		}
		out.Rejected = cmp.Or(out.Rejected, t.Rejected)
		if t.Extract != "line" && out.Extract == "line" {
			out.Extract = t.Extract
		}
		audited(&out, t)
	}
	conclude(&out)
	return out
}

// audited adds the result of a turn's citation audit.
func audited(out *trace.Trace, t trace.Trace) {
	if t.Grounded == nil {
		return
	}
	grounded := *t.Grounded && (out.Grounded == nil || *out.Grounded)
	g := &out.Grounding
	out.Grounded = &grounded
	g.Claims += t.Grounding.Claims
	g.Supported += t.Grounding.Supported
	g.Citations += t.Grounding.Citations
	g.Valid += t.Grounding.Valid
}

// conclude sets outcome, stop reason, cause and answer from the turns.
func conclude(out *trace.Trace) {
	var answers []string
	for n, t := range out.Turns {
		answers = append(answers, Short(t.Outcome, t.Answer))
		switch {
		case out.Outcome == trace.Infra && n < len(out.Turns)-1, out.Cause != "":
		case !t.Outcome.Votes():
			out.Outcome, out.StopReason = t.Outcome, t.StopReason
			out.Cause = fmt.Sprintf("turn %d: %s", n+1, cmp.Or(t.Cause, string(t.StopReason)))
		case out.Outcome.Votes() && t.Outcome != out.Outcome:
			out.Outcome, out.StopReason = trace.Answered, trace.Final
		}
	}
	if out.Outcome == trace.Answered {
		out.Answer = strings.Join(answers, " / ")
	}
}

// Short returns the short answer of a turn. If the turn has no answer, it returns the outcome in brackets.
func Short(outcome trace.Outcome, answer string) string {
	if outcome == trace.Answered {
		return answer
	}
	return "[" + string(outcome) + "]"
}
