package session

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
	"github.com/seed-5817661a/concur/tool"
)

// Protocol is the form in which tools, calls and observations are written between the loop and a model. The
// loop is the same for all protocols, and replies are read in the same way.
type Protocol struct {
	text  bool // calls are text: Thought, Action, Action Input, Observation, Final
	lists bool // in the text protocol, a turn is a list of calls
	// inline is the number of calls that one text may have, in brackets within it; 0 for the other protocols.
	inline int
}

// Instructions returns the parts of the system prompt about tools and the form of replies.
func (p Protocol) Instructions(tools []tool.Spec) []string {
	switch {
	case !p.text && len(tools) == 0:
		return nil
	case p.inline > 0:
		return p.inlineInstructions(tools)
	case !p.text:
		return []string{prompt("tools")}
	case len(tools) == 0:
		return []string{prompt("text_answer")}
	}
	list := []string{prompt("text_tools")}
	for _, t := range tools {
		list = append(list, t.Line)
	}
	if p.lists {
		return []string{strings.Join(list, "\n"), prompt("text_lists")}
	}
	return []string{strings.Join(list, "\n"), prompt("text_form")}
}

// prepare adds the tools to a request. callable says whether the model may call them; if it may not, hidden
// leaves them out of the request. In the text protocol, the request has a stop sequence that ends the reply
// before the model can invent an observation; in the protocol inline, before the arrow of a call.
func (p Protocol) prepare(req *model.Request, tools []model.ToolSpec, callable, hidden bool) {
	switch {
	case p.inline > 0:
		req.Stop = dialect.InlineStops()
	case p.text:
		req.Stop = []string{"\nObservation:"}
	case callable:
		req.Tools = tools
	case len(tools) > 0 && !hidden:
		req.Tools, req.Choice = tools, model.ChooseNone
	}
}

// observation returns a message that shows a call's result to the model.
func (p Protocol) observation(callID, text string) model.Message {
	if p.text {
		return model.Message{Role: model.User, Content: "Observation: " + text}
	}
	return model.Message{Role: model.ToolRole, ToolCallID: callID, Content: text}
}

// complaint returns a message to the model about a fault in the form of its reply.
func (p Protocol) complaint(problem error) string {
	switch {
	case p.inline > 0:
		return fmt.Sprintf(prompt("inline_format"), problem)
	case p.text && p.lists:
		return fmt.Sprintf(prompt("list_format"), problem)
	case p.text:
		return fmt.Sprintf(prompt("text_format"), problem)
	}
	return fmt.Sprintf(prompt("native_format"), problem)
}

// PromptVersion changes with every change of the prompts; it is part of the agent hash and the manifest.
const PromptVersion = "react/v5"

//go:embed prompts.yaml
var promptFile []byte

var prompt = Prompts(promptFile)

// Prompts reads an embedded file of prompts, and returns a function that returns the prompt with a name.
func Prompts(file []byte) func(name string) string {
	texts := sync.OnceValue(func() (out map[string]string) {
		if err := strictyaml.Decode("prompts.yaml", file, &out); err != nil {
			panic(err)
		}
		return out
	})
	return func(name string) string {
		text, known := texts()[name]
		if !known {
			panic("prompts.yaml has no " + name)
		}
		return text
	}
}

// LoopPrompt returns the system prompt of a loop. It mentions only tools that are available, and ends with the
// form of the final answer.
func LoopPrompt(p Protocol, tools []tool.Spec, marks string) []string {
	parts := append([]string{prompt("task")}, p.Instructions(tools)...)
	var evidence, planner, calc bool
	for _, t := range tools {
		evidence = evidence || t.Evidence
		planner = planner || t.Name == "planner"
		calc = calc || t.Name == calcTool
	}
	for _, part := range []struct {
		when bool
		text string
	}{
		{planner, prompt("planner")},
		{evidence, prompt("evidence")},
		{calc, prompt("arithmetic")},
		{len(tools) > 0, prompt("data")},
		{len(tools) > 0 && marks != "", marks},
		{len(tools) == 0, prompt("quoted")},
		{true, prompt("refuse")},
		{evidence, prompt("final")},
		{!evidence, prompt("uncited")},
	} {
		if part.when {
			parts = append(parts, part.text)
		}
	}
	return parts
}

// calcTool is the name of the calculator, for which the prompt and the audit have special rules.
const calcTool = "calc"
