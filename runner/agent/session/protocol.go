package session

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
)

// Protocol is the notation of tools, calls and observations between the loop and a model.
// The loop and the reading of replies are the same for all.
type Protocol struct {
	text  bool // Thought, Action, Action Input, Observation, Final as text
	lists bool // as text, a turn is a list of calls
}

func protocolOf(name string) Protocol { return Protocol{text: name == config.ProtocolText} }

// Instructions are the parts of the system prompt about tools and the form of replies.
func (p Protocol) Instructions(tools []tool.Spec) []string {
	switch {
	case !p.text && len(tools) == 0:
		return nil
	case !p.text:
		return []string{promptTools}
	case len(tools) == 0:
		return []string{promptTextAnswer}
	}
	list := []string{promptTextTools}
	for _, t := range tools {
		list = append(list, t.Line)
	}
	if p.lists {
		return []string{strings.Join(list, "\n"), promptTextLists}
	}
	return []string{strings.Join(list, "\n"), promptTextForm}
}

// prepare adds the tools to a request, callable or not; hidden leaves them out if not
// callable. Text stops before the model can invent an observation.
func (p Protocol) prepare(req *model.Request, tools []model.ToolSpec, callable, hidden bool) {
	switch {
	case p.text:
		req.Stop = []string{"\nObservation:"}
	case callable:
		req.Tools = tools
	case len(tools) > 0 && !hidden:
		req.Tools, req.Choice = tools, model.ChooseNone
	}
}

// observation is the message that shows a call's result to the model.
func (p Protocol) observation(callID, text string) model.Message {
	if p.text {
		return model.Message{Role: model.User, Content: "Observation: " + text}
	}
	return model.Message{Role: model.ToolRole, ToolCallID: callID, Content: text}
}

// complaint describes a fault of form to the model.
func (p Protocol) complaint(problem error) string {
	switch {
	case p.text && p.lists:
		return fmt.Sprintf(promptListFormat, problem)
	case p.text:
		return fmt.Sprintf(promptFormat, problem)
	}
	return fmt.Sprintf(promptNativeFormat, problem)
}
