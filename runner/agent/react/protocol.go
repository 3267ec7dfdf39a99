package react

import (
	"encoding/json"
	"fmt"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
)

// protocol is how tools, calls and observations are written between the loop and a model.
// The loop, and how replies are read, are the same for all.
type protocol struct {
	text bool // everything is text: Thought, Action, Action Input, Observation, Final
}

func protocolOf(name string) protocol { return protocol{text: name == config.ProtocolText} }

// instructions are the parts of the system prompt about tools and the form of replies.
func (p protocol) instructions(tools []tool.Spec) []string {
	switch {
	case !p.text && len(tools) == 0:
		return nil
	case !p.text:
		return []string{promptTools}
	case len(tools) == 0:
		return []string{promptTextAnswer}
	}
	list := promptTextTools
	for _, t := range tools {
		line, err := json.Marshal(t.ToolSpec)
		if err != nil { // its schema was compiled when the tool was registered
			line = fmt.Appendf(nil, "%q", t.Name)
		}
		list += "\n" + string(line)
	}
	return []string{list, promptTextForm}
}

// prepare makes a request offer the tools, to be called or not; hidden leaves out those that
// cannot be called. Text stops before the model can invent an observation.
func (p protocol) prepare(req *model.Request, tools []model.ToolSpec, callable, hidden bool) {
	switch {
	case p.text:
		req.Stop = []string{"\nObservation:"}
	case callable:
		req.Tools = tools
	case len(tools) > 0 && !hidden:
		req.Tools, req.Choice = tools, model.ChooseNone
	}
}

// observation is the message that shows the model what a call gave.
func (p protocol) observation(callID, text string) model.Message {
	if p.text {
		return model.Message{Role: model.User, Content: "Observation: " + text}
	}
	return model.Message{Role: model.ToolRole, ToolCallID: callID, Content: text}
}

// complaint tells the model what was wrong with the form of its reply.
func (p protocol) complaint(problem error) string {
	if p.text {
		return fmt.Sprintf(promptFormat, problem)
	}
	return fmt.Sprintf(promptNativeFormat, problem)
}
