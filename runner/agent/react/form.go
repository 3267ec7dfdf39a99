package react

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/agent/react/dialect"
	"github.com/seed-5817661a/concur/runner/model"
)

var (
	errUnmarked = errors.New(`the reply has neither a tool call nor a line that begins with "Answer:"`)
	errCut      = errors.New("the reply was cut off at the token limit before its answer line was complete; be brief")
	errCutCall  = errors.New("the tool call was cut off at the token limit; be brief")
)

// problemOf says why a reply is neither a call nor a final message with an answer. Without
// tools, a call does not count, but may accompany an answer.
func (s *session) problemOf(t turn, tools bool) error {
	switch {
	case t.finish == model.FinishContentFilter: // it ends the trace
		return nil
	case t.problem != nil:
		return t.problem
	case tools && len(t.calls) > 0 && t.repaired > 0 && t.finish == model.FinishLength:
		return errCutCall
	case tools && len(t.calls) > 0, s.extract(t.certain()).Extract == answer.FromLine:
		return nil
	case len(t.calls) > 0:
		return fmt.Errorf("the reply is a tool call%s, and no tool can be used", toolNames(t.calls))
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
func (s *session) extract(message string) answer.Final {
	final := answer.Extract(message, s.task.Query.Text, s.task.Query.Gold.Type)
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
func (s *session) noteForm(t turn, tools bool) {
	f := &s.result.Format
	if t.invented {
		f.Invented++
		s.guard("format", "cut", "the model wrote an observation itself")
	}
	if t.cut() {
		f.CutOff++
		s.guard("format", "flag", "the final message was cut off at the token limit")
	}
	switch {
	case errors.Is(t.problem, errCut):
		return
	case t.problem != nil:
		f.Errors++
		s.guard("format", "reject", t.problem.Error())
		return
	case t.misplaced && tools:
		f.Errors++
		s.guard("format", "take", "a tool call stood in the text of the reply")
	}
	if t.repaired > 0 {
		f.Repaired += t.repaired
		s.guard("format", "repair", "the arguments were not JSON: "+t.calls[0].Arguments)
	}
	for _, alias := range t.aliases {
		s.guard("format", "alias", alias)
	}
	dropped, why := t.dropped, "the first of a turn wins"
	if !tools { // the calls accompany an answer
		dropped, why = dropped+len(t.calls), "no tool can be used"
	}
	if dropped > 0 {
		f.Dropped += dropped
		s.guard("format", "drop", fmt.Sprintf("%d actions are not read: %s", dropped, why))
	}
}
