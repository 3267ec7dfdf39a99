package openai

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// completion holds the parts of a reply that are used. What endpoints add to them in
// forms of their own cannot fail a call, since it goes no further than here.
type completion struct {
	Error   json.RawMessage `json:"error"`
	Model   json.RawMessage `json:"model"`
	Choices json.RawMessage `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
}

type choice struct {
	Message json.RawMessage `json:"message"`
	Finish  json.RawMessage `json:"finish_reason"`
}

type message struct {
	Content          json.RawMessage `json:"content"`
	Refusal          json.RawMessage `json:"refusal"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	ToolCalls        json.RawMessage `json:"tool_calls"`
}

// texts are the content, the refusal and the thought of a message or of a piece of one.
func (m message) texts() (content, refusal, thought string, err error) {
	if content, thought, err = contentOf(m.Content); err != nil {
		return "", "", "", err
	}
	if refusal, _, err = contentOf(m.Refusal); err != nil {
		return "", "", "", err
	}
	for _, raw := range []json.RawMessage{m.ReasoningContent, m.Reasoning} { // some give both, and the same in both
		if text := ""; thought == "" && json.Unmarshal(raw, &text) == nil {
			thought = text
		}
	}
	return content, refusal, thought, nil
}

type call struct {
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// said is what a reply says, however it came.
type said struct {
	Model, Usage, Finish json.RawMessage // as they came; nil where they are missing
	Content, Refusal     string
	Thought              string
	Calls                []model.ToolCall
	kept                 opaque
}

// normalise reads a successful reply: its first choice alone.
func (m *Model) normalise(r wire.Reply) (said, error) {
	var c completion
	if err := json.Unmarshal(r.Body, &c); err != nil {
		if !json.Valid(r.Body) {
			return said{}, m.peer.Malformed(m.peer.Describe(r) + " is no JSON")
		}
		return said{}, m.peer.Malformed(m.peer.Describe(r) + " is no chat completion: " + err.Error())
	}
	choices, err := elements[choice](c.Choices, 1)
	switch {
	case err != nil && !errors.Is(err, errMore):
		return said{}, m.peer.Malformed(m.peer.Describe(r) + " is no chat completion: choices: " + err.Error())
	case len(choices) == 0 && wire.Present(c.Error):
		return said{}, m.rejected(r) // some gateways report a failure with status 200
	case len(choices) == 0:
		return said{}, m.peer.Malformed(m.peer.Describe(r) + " has no choices")
	case !wire.Present(choices[0].Message):
		return said{}, m.peer.Malformed(m.peer.Describe(r) + " has a choice without a message")
	}
	out, err := readMessage(choices[0].Message, m.endpoint.Keep)
	if err != nil {
		return said{}, m.peer.Malformed("read the reply: " + err.Error())
	}
	out.Model, out.Usage, out.Finish = c.Model, c.Usage, choices[0].Finish
	return out, nil
}

func readMessage(raw json.RawMessage, keep []string) (said, error) {
	var in message
	var out said
	err := json.Unmarshal(raw, &in)
	if err != nil {
		return out, err
	}
	if out.Content, out.Refusal, out.Thought, err = in.texts(); err != nil {
		return out, err
	}
	ofMessage, ofCall := keptNames(keep)
	out.kept.Message = pick(raw, ofMessage)
	calls, err := elements[json.RawMessage](in.ToolCalls, maxCalls)
	if err != nil {
		return out, fmt.Errorf("tool calls: %w", err)
	}
	for _, raw := range calls {
		var c call
		if err := json.Unmarshal(raw, &c); err != nil {
			return out, fmt.Errorf("a tool call: %w", err)
		}
		arguments, err := argumentsOf(c.Function.Arguments)
		if err != nil {
			return out, err
		}
		out.Calls = append(out.Calls, model.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: arguments})
		out.kept.Calls = append(out.kept.Calls, pick(raw, ofCall))
	}
	return out, nil
}
