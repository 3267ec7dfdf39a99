package react

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/model"
)

var (
	errLeaked   = errors.New("a tool call stands in the text of the reply, where nothing runs it")
	errNoAnswer = errors.New("the final message has no answer line, and none could be made out")
)

// leakedCall is a call that the server should have taken out of the text, in the chat
// templates of Qwen and Hermes or of Mistral. A tag behind quotes, or with nothing in it, is
// only spoken of.
var leakedCall = regexp.MustCompile("(?i)(?:^|[^\"'`])(?:<tool_call>\\s*(?:```[a-z]{0,10}\\s*)?[\\[{<]|\\[TOOL_CALLS\\]\\s*[\\[{a-z_])")

// problemOf says why a reply is neither a call nor a final message in the turn that it
// belongs to. Where there are no tools a call is none, but may stand beside an answer.
func (s *session) problemOf(t turn, tools bool) error {
	calls := len(t.calls) > 0 || t.leaked
	switch {
	case t.finish == model.FinishContentFilter: // it ends the trace, whatever is left of the reply
		return nil
	case t.problem != nil:
		return t.problem
	case tools && t.leaked:
		return errLeaked
	case !tools && calls && !s.hasAnswerLine(t.final):
		return fmt.Errorf("the reply is a tool call%s, and no tool can be used", named(t.calls))
	default:
		return nil
	}
}

func (s *session) hasAnswerLine(message string) bool {
	return answer.Extract(message, s.task.Query.Text, s.task.Query.Gold.Type).Extract == answer.FromLine
}

// named names the tools of calls, as far as a cause needs them.
func named(calls []model.ToolCall) string {
	const most = 3
	var names []string
	for _, c := range calls[:min(len(calls), most)] {
		names = append(names, fmt.Sprintf("%.64q", c.Name))
	}
	if len(names) == 0 {
		return ""
	}
	return " of " + strings.Join(names, ", ")
}

// noteForm counts what was wrong with a reply's form, and records it.
func (s *session) noteForm(t turn, tools bool) {
	if t.invented {
		s.result.Format.Invented++
		s.guard("format", "cut", "the model wrote an observation itself")
	}
	if t.problem != nil {
		s.noteProblem(t.problem)
		return
	}
	if t.repaired {
		s.result.Format.Repaired++
		s.guard("format", "repair", "the action's input was no JSON: "+t.calls[0].Arguments)
	}
	if t.alias != "" && len(t.calls) > 0 {
		s.guard("format", "alias", fmt.Sprintf("%.64q is taken for %s", t.alias, t.calls[0].Name))
	}
	dropped, why := t.dropped, "the first of a turn wins"
	if !tools { // the calls stand beside an answer
		dropped, why = dropped+len(t.calls), "no tool can be used"
	}
	if dropped > 0 {
		s.result.Format.Dropped += dropped
		s.guard("format", "drop", fmt.Sprintf("%d actions are not read: %s", dropped, why))
	}
}

func (s *session) noteProblem(problem error) {
	s.result.Format.Errors++
	s.guard("format", "reject", problem.Error())
}
