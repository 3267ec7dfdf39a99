package external

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/guard/cite"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
	"github.com/seed-5817661a/concur/trace"
)

// run is a trace in progress.
type run struct {
	*conversation
	result trace.Trace
	locale string // locale of the agent's texts; may be empty
}

// conclude turns a reply into the end of the trace.
func (t *run) conclude(r Reply, ignored int, err error) trace.Trace {
	if ignored > 0 {
		t.emit(trace.Guard{Rule: "format", Decision: "drop",
			Detail: fmt.Sprintf("%d lines of the output besides the reply", ignored)})
	}
	for _, name := range r.left {
		t.emit(trace.Guard{Rule: "format", Decision: "drop",
			Detail: fmt.Sprintf("the reply's %q does not follow the contract", name)})
	}
	if r.field != "" {
		t.emit(trace.Guard{Rule: "format", Decision: "alias", Detail: fmt.Sprintf("the message is the reply's %q",
			r.field)})
	}
	for _, note := range r.cut {
		t.emit(trace.Guard{Rule: "format", Decision: "cut", Detail: note})
	}
	if err != nil {
		return t.noAnswer(trace.FormatError, err.Error())
	}
	if r.Error != "" {
		t.takeUsage(r.Usage) // the usage counts even if the reply is unusable
		return t.stop(trace.AgentError, "the agent reports: "+r.Error)
	}
	t.takeSteps(r)
	t.takeUsage(r.Usage)
	thought, said := model.Message{Content: r.Message}.Speech()
	if r.Message = said; thought != "" {
		t.emit(trace.Thought{Content: thought})
	}
	final, err := t.final(r)
	if err != nil {
		return t.noAnswer(trace.FormatError, err.Error())
	}
	t.result.Message, t.result.Extract, t.result.StopReason = cmp.Or(r.Message, r.Answer.text),
		string(final.Extract), trace.Final
	if cause := unreadCall(r, final); cause != "" {
		t.result.Extract = string(answer.FromNowhere)
		return t.noAnswer(trace.EmptyAnswer, cause)
	}
	if final.Extract == answer.FromFallback {
		t.result.Format.Guessed++
	}
	if final.Outcome == trace.NoAnswer {
		cause := "the agent ended without an answer"
		if strings.TrimSpace(r.Message) != "" && !r.Answer.given && r.Outcome == "" {
			cause = trace.CouldNotRead + ": " + final.Reason
		}
		return t.noAnswer(trace.EmptyAnswer, cause)
	}
	t.result.Outcome, t.result.Answer = final.Outcome, final.Short
	t.audit(r)
	return t.result
}

// unreadCall returns the cause for a reply that is a tool call which was not run. If the message has an answer
// line, it returns "".
func unreadCall(r Reply, final answer.Final) string {
	switch {
	case r.Outcome != "":
		return ""
	case r.Answer.given:
		return dialect.UnreadCall(r.Answer.text)
	case final.Extract == answer.FromLine:
		return ""
	}
	return dialect.UnreadCall(r.Message)
}

// final returns the short answer. If the reply gives one, it is that answer; otherwise it is read from the
// message.
func (t *run) final(r Reply) (answer.Final, error) {
	switch outcome := trace.Outcome(r.Outcome); outcome {
	case "", trace.Answered:
	case trace.Refused, trace.Abstained:
		return answer.Final{Outcome: outcome, Extract: answer.FromLine}, nil
	case trace.NoAnswer:
		return answer.Final{Outcome: trace.NoAnswer, Extract: answer.FromNowhere}, nil
	default:
		return answer.Final{}, fmt.Errorf("the reply's outcome %q is not known: answered, refused, "+
			"abstained, no_answer", r.Outcome)
	}
	gold, question, locale := t.task.Query.Gold, t.task.Query.Text, t.locale
	given := strings.TrimSpace(r.Answer.text)
	switch {
	case !r.Answer.given:
		var ids []string
		for _, d := range t.kept.documents {
			ids = append(ids, d.ID)
		}
		for _, d := range r.Evidence {
			ids = append(ids, d.ID)
		}
		return gold.ReadMessage(answer.Message{Text: r.Message, Question: question, Documents: ids,
			Locale: locale}), nil
	case given == "":
		return answer.Final{Outcome: trace.NoAnswer, Extract: answer.FromNowhere}, nil
	case gold.Type == answer.Code:
		return answer.Final{Outcome: trace.Answered, Short: given, Extract: answer.FromLine}, nil
	case !strings.ContainsAny(given, "\n\r"):
		short := gold.ReadMessage(answer.Message{Text: "Answer: " + given, Question: question, Locale: locale})
		if short.Outcome != trace.Answered || short.Extract == answer.FromLine && isValue(short.Short, gold) {
			return short, nil
		}
	}
	// The answer consists of one or more sentences, so it is read in the same way as a message.
	if final := gold.ReadMessage(answer.Message{
		Text: given, Question: question, Locale: locale,
	}); final.Outcome != trace.NoAnswer {
		return final, nil
	}
	return answer.Final{Outcome: trace.Answered, Short: given, Extract: answer.FromLine}, nil
}

// isValue reports whether a short answer is a value of the gold's type.
func isValue(short string, g datasets.Gold) bool {
	_, err := answer.Normalize(short, g.Type, g.Options)
	return err == nil
}

// takeSteps records the steps that the agent reports. If the proxy has seen the agent's calls, it records none.
func (t *run) takeSteps(r Reply) {
	if t.calls > 0 {
		return
	}
	proxied := t.result.Steps > 0
	for i, s := range r.Steps {
		if s.Thought != "" {
			t.task.Emit(i, trace.Thought{Content: s.Thought})
		}
		if s.Action == nil {
			continue
		}
		id := fmt.Sprintf("call_%d", i)
		t.task.Emit(i, trace.Action{Name: s.Action.Name, Input: orNull(s.Action.Input), CallID: id})
		t.task.Emit(i, trace.Observation{CallID: id, Output: orNull(s.Observation)})
		t.result.ToolCalls++
	}
	if !proxied {
		t.result.Steps = max(1, r.stepped)
	}
}

// takeUsage copies the usage that the agent reports. If the proxy has counted model calls, it copies nothing. A
// figure that is impossible counts as 0.
func (t *run) takeUsage(u *ReplyUsage) {
	if u == nil || t.result.ModelCalls > 0 {
		return
	}
	for _, n := range []*float64{&u.ModelCalls, &u.InputTokens, &u.OutputTokens, &u.CachedTokens} {
		if *n < 0 || *n > maxReported {
			t.emit(trace.Guard{Rule: "format", Decision: "drop",
				Detail: fmt.Sprintf("a usage of %g is impossible, and is not counted", *n)})
			*n = 0
		}
	}
	t.result.ModelCalls = int(u.ModelCalls)
	t.result.Usage = model.Usage{InputTokens: int(u.InputTokens), OutputTokens: int(u.OutputTokens),
		CachedTokens: int(u.CachedTokens)}
}

// maxReported is the largest usage of a trace that is accepted. With larger figures, sums could overflow.
const maxReported = 1_000_000_000

// noAnswer ends the trace without an answer. If the last model call failed, this was the cause, and the agent
// did not fail.
func (t *run) noAnswer(reason trace.StopReason, cause string) trace.Trace {
	// a bad request is the agent's fault
	if last := t.lastError; last != nil && model.KindOf(last) != model.ErrBadRequest {
		return t.stop(agent.ReasonOf(last), cause+"; its last model call failed: "+last.Error())
	}
	return t.stop(reason, cause)
}

func (t *run) stop(reason trace.StopReason, cause string) trace.Trace {
	outcome, _ := reason.Outcome()
	t.result.Outcome, t.result.StopReason, t.result.Cause = outcome, reason, cause
	return t.result
}

func (t *run) emit(b trace.Body) { t.task.Emit(max(0, t.result.Steps-1), b) }

// audit records how much of the message the agent's evidence supports.
func (t *run) audit(r Reply) {
	documents := t.kept.documents
	if len(r.Evidence) > 0 {
		given := make([]trace.Document, len(r.Evidence))
		for i, d := range r.Evidence {
			given[i] = d.document()
		}
		t.emit(trace.Observation{CallID: "evidence", Output: json.RawMessage("null"), Documents: given})
		documents = append(documents, given...)
	}
	if len(documents) == 0 || r.Message == "" {
		return
	}
	known := map[string]trace.Document{}
	for _, d := range documents {
		known[d.ID] = d
	}
	for _, id := range cite.Cited(r.Message) {
		if d, ok := known[id]; ok {
			t.result.Supporting = append(t.result.Supporting, d.Backend+":"+d.Ref)
		}
	}
	if t.result.Outcome != trace.Answered ||
		len(cite.Cited(r.Message)) == 0 && t.task.Query.Gold.Denied(t.result.Answer) {
		return
	}
	report := cite.Audit(cite.Input{Message: r.Message, Answer: t.result.Answer, Documents: documents,
		Query: t.task.Query.Text})
	t.emit(report.Audit)
	t.result.Grounded, t.result.Grounding = &report.Grounded, report.Grounding()
}
