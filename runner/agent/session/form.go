package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
	"github.com/seed-5817661a/concur/runner/model"
)

var (
	errUnmarked = errors.New(`the reply has neither a tool call nor a line that begins with "Answer:"`)
	errCut      = errors.New("the reply was cut off at the token limit before its answer line was complete; be brief")
	errCutCall  = errors.New("the tool call was cut off at the token limit; be brief")
)

// problemOf says why a reply is neither a call nor a final message with an answer. Without
// tools, a call does not count, but may accompany an answer.
func (s *Session) problemOf(t Turn, tools bool) error {
	switch {
	case t.Finish == model.FinishContentFilter: // it ends the trace
		return nil
	case t.Problem != nil:
		return t.Problem
	case tools && len(t.Calls) > 0 && t.repaired > 0 && t.Finish == model.FinishLength:
		return errCutCall
	case tools && len(t.Calls) > 0, s.extract(t.certain()).Extract == answer.FromLine:
		return nil
	case len(t.Calls) > 0:
		return fmt.Errorf("the reply is a tool call%s, and no tool can be used", toolNames(t.Calls))
	case t.cut():
		return errCut
	default:
		return errUnmarked
	}
}

// isUnmarked reports whether a problem is a final message without a marked answer.
func isUnmarked(problem error) bool {
	return errors.Is(problem, errUnmarked) || errors.Is(problem, errCut)
}

// extract finds the short answer of a final message. An answer line that abstains or
// refuses in other words counts as an answer line.
func (s *Session) extract(message string) answer.Final {
	final := answer.Extract(message, s.task.Query.Wordings(s.result.Question), s.task.Query.Gold.Type)
	if (final.Kind == answer.Abstained || final.Kind == answer.Refused) && dialect.HasAnswerLine(message) {
		final.Extract = answer.FromLine
	}
	return final
}

// toolNames lists the first tools of calls, for a cause.
func toolNames(calls []model.ToolCall) string {
	const most = 3
	var names []string
	for _, c := range calls[:min(len(calls), most)] {
		names = append(names, fmt.Sprintf("%.64q", c.Name))
	}
	return " of " + strings.Join(names, ", ")
}

// noteForm counts and records the faults of a reply's form, equally in both protocols.
func (s *Session) noteForm(t Turn, tools bool) {
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
