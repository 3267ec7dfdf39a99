package session

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/guard/cite"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
	"github.com/seed-5817661a/concur/trace"
)

// reading reads the model's messages. It finds faults in a reply, and the answer in a final message.
type reading struct {
	*progress
	shown  *evidence
	kit    *toolset
	before *Turn // the previous reply, after which the model was reminded of the answer line
}

// problemOf returns the reason why a reply is neither a call nor a final message with an answer. tools says
// whether the turn has tools. In a turn without tools, calls are ignored, so that a reply with a call and a
// message with an answer has no problem.
func (s *reading) problemOf(t Turn, tools bool) error {
	final := s.extract(t.certain())
	switch {
	case t.Finish == model.FinishContentFilter: // it ends the trace
		return nil
	case t.Problem != nil:
		return t.Problem
	case t.Finish == model.FinishMalformedCall && len(t.Calls) == 0:
		return errBadCall
	case tools && len(t.Calls) > 0 && t.repaired > 0 && t.Finish == model.FinishLength:
		return errCutCall
	case tools && len(t.Calls) > 0, final.Extract == answer.FromLine && final.Reason == "":
		return nil
	case len(t.Calls) == 0 && dialect.Markup(t.final, s.kit.specs()) != "":
		return unreadCall(dialect.Markup(t.final, s.kit.specs()))
	case len(t.Calls) > 0:
		var names []string
		for _, c := range t.Calls {
			names = append(names, fmt.Sprintf("%.64q", c.Name))
		}
		return fmt.Errorf("the reply is a tool call of %s, and no tool can be used", text.ListedUpTo(3, names))
	case t.cut():
		return errCut
	case final.Extract == answer.FromLine:
		return fmt.Errorf("%w, and nothing else: %s", errMisfit, final.Reason)
	default:
		return errUnmarked
	}
}

// extract finds the short answer of a final message. Some messages count as if they had an answer line,
// although they use other words: those that abstain, refuse or deny a false premise.
func (s *reading) extract(message string) answer.Final {
	ids := make([]string, len(s.shown.documents))
	for i, d := range s.shown.documents {
		ids[i] = d.ID
	}
	read := answer.Message{Text: message, Question: s.task.Query.Wordings(s.result.Question), Documents: ids,
		Locale: s.agent.Config.Locale}
	final := s.task.Query.Gold.ReadMessage(read)
	isDecision := final.Outcome == trace.Abstained || final.Outcome == trace.Refused ||
		final.Outcome == trace.Answered && s.task.Query.Gold.Denied(final.Short)
	if isDecision && dialect.HasAnswerLine(message) {
		final.Extract = answer.FromLine
	}
	return final
}

// noteForm counts and records faults in a reply's form, in the same way for both protocols.
func (s *reading) noteForm(t Turn, tools bool) {
	f := &s.result.Format
	if t.invented {
		f.Invented++
		s.Guard("format", "cut", "the model wrote an observation itself")
	}
	if t.cut() {
		f.CutOff++
		s.Guard("format", "flag", "the final message was cut off at the token limit")
	}
	switch {
	case errors.Is(t.Problem, errCut):
		return
	case t.Problem != nil:
		f.Errors++
		s.Guard("format", "reject", t.Problem.Error())
		return
	case t.misplaced && tools:
		f.Errors++
		s.Guard("format", "take", "a tool call stood in the text of the reply")
	}
	if t.repaired > 0 {
		f.Repaired += t.repaired
		s.Guard("format", "repair", "the arguments were not JSON: "+t.Calls[0].Arguments)
	}
	for _, alias := range t.aliases {
		s.Guard("format", "alias", alias)
	}
	dropped, why := t.dropped, "the first of a turn wins"
	if !tools { // the calls accompany an answer
		dropped, why = dropped+len(t.Calls), "no tool can be used"
	}
	if dropped > 0 {
		f.Dropped += dropped
		s.Guard("format", "drop", fmt.Sprintf("%d actions are not read: %s", dropped, why))
	}
}

// Written reads a text as the final message. A single line without a marked answer is the answer.
func (s *reading) Written(text string) Turn {
	text = strings.TrimSpace(text)
	if text != "" && !strings.Contains(text, "\n") && s.extract(text).Extract != answer.FromLine {
		text = "Answer: " + text
	}
	t := Turn{final: text, Finish: model.FinishStop}
	t.Problem = s.problemOf(t, false)
	return t
}

// short returns the short answer that a final message marks. If the model was asked for an answer line and
// still gives none, short guesses the answer from the last message or the message before it. It never guesses
// from a call, or from a reply that was cut off.
func (s *reading) short(t Turn) answer.Final {
	if t.Problem == nil {
		return s.extract(t.certain())
	}
	none := answer.Final{Outcome: trace.NoAnswer, Extract: answer.FromNowhere}
	for _, source := range []*Turn{&t, s.before} {
		if source == nil || source.cut() || len(source.Calls) > 0 || source.Problem != nil &&
			!isUnmarked(source.Problem) {
			continue
		}
		final := s.extract(source.final)
		if final.Outcome != trace.NoAnswer {
			return final
		}
		none.Reason = cmp.Or(none.Reason, final.Reason)
	}
	return none
}

// whole returns the final message. If the model was asked for the answer line, and that line has no
// citations, the previous message is put before it.
func (s *reading) whole(t Turn) string {
	message := t.certain()
	if t.Problem != nil {
		message = t.final
	}
	if s.before == nil || len(cite.Cited(message)) > 0 {
		return message
	}
	return strings.TrimSpace(s.before.certain() + "\n\n" + message)
}
