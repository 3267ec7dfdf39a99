package openai

import (
	"encoding/json"
	"fmt"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/seed-5817661a/concur/runner/model"
)

// neutralModel stands in for the model's name where go-openai looks at it: it refuses
// settings by name (o1, gpt-5 …). The exchange puts the real name in its place.
const neutralModel = "model"

// noOutput is sent for a tool message without content.
const noOutput = "(no output)"

// anyArguments is the schema of a tool that gives none.
const anyArguments = `{"type":"object","properties":{}}`

// encode gives what go-openai says rightly; fields gives the rest.
func encode(req model.Request) (goopenai.ChatCompletionRequest, error) {
	seed := int(req.Seed)
	out := goopenai.ChatCompletionRequest{Model: neutralModel, Seed: &seed, Stop: req.Stop}
	for _, t := range req.Tools {
		parameters := t.Parameters
		if len(parameters) == 0 {
			parameters = model.RawSchema(anyArguments)
		}
		if !json.Valid(parameters) {
			return out, fmt.Errorf("tool %q: its parameters are no JSON", t.Name)
		}
		out.Tools = append(out.Tools, goopenai.Tool{
			Type:     goopenai.ToolTypeFunction,
			Function: &goopenai.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: parameters},
		})
	}
	if s := req.Schema; s != nil {
		if !json.Valid(s.Schema) {
			return out, fmt.Errorf("response schema %q: it is no JSON", s.Name)
		}
		out.ResponseFormat = &goopenai.ChatCompletionResponseFormat{
			Type:       goopenai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &goopenai.ChatCompletionResponseFormatJSONSchema{Name: s.Name, Schema: s.Schema, Strict: true},
		}
	}
	return out, nil
}

// fields are the parts of a body that go-openai would drop where they are zero (the
// temperature, empty contents and arguments), round to 32 bits, or refuse.
func (m *Model) fields(req model.Request) map[string]any {
	messages := make([]wireMessage, len(req.Messages))
	for i, msg := range req.Messages {
		messages[i] = wireOf(msg)
	}
	return map[string]any{"model": m.name, "temperature": req.Temperature, "messages": messages}
}

type wireMessage struct {
	Role       model.Role `json:"role"`
	Content    *string    `json:"content"`
	ToolCalls  []wireCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type wireCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function wireFunction `json:"function"`
}

type wireFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func wireOf(msg model.Message) wireMessage {
	out := wireMessage{Role: msg.Role, Content: &msg.Content, ToolCallID: msg.ToolCallID}
	for _, c := range msg.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, wireCall{c.ID, "function", wireFunction{c.Name, c.Arguments}})
	}
	switch {
	case msg.Content != "":
	case msg.Role == model.ToolRole:
		placeholder := noOutput
		out.Content = &placeholder
	case len(msg.ToolCalls) > 0:
		out.Content = nil // null, as endpoints themselves write it
	}
	return out
}
