package serve

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/seed-5817661a/concur/model"
)

type requestMessage struct {
	Role         string          `json:"role"`
	Content      json.RawMessage `json:"content"`
	Refusal      string          `json:"refusal"`
	Name         string          `json:"name"`
	ToolCalls    []toolCall      `json:"tool_calls"`
	ToolCallID   string          `json:"tool_call_id"`
	FunctionCall json.RawMessage `json:"function_call"`
	Sealed       string          `json:"reasoning_sealed"` // see seal
}

type toolCall struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// message validates a message of the request and returns it as a model.Message. param is the message's place,
// for errors.
func (m requestMessage) message(param string) (model.Message, error) {
	out := model.Message{Role: model.Role(m.Role), ToolCallID: m.ToolCallID, Opaque: unseal(m.Sealed)}
	switch m.Role {
	case "system", "user", "assistant", "tool":
	case "developer":
		out.Role = model.System
	case "":
		return out, badRequest(param+".role", "%s has no role", param)
	default:
		return out, badRequest(param+".role", "%s has the role %q; there are system, developer, user, "+
			"assistant and tool",
			param, m.Role)
	}
	if out.Role != model.ToolRole { // a tool's name is already in the call
		out.Name = m.Name
	}
	switch {
	case present(m.FunctionCall):
		return out, badRequest(param+".function_call",
			"%s has a function_call, which is not supported; send tool_calls",
			param)
	case len(m.ToolCalls) > 0 && out.Role != model.Assistant:
		return out, badRequest(param+".tool_calls",
			"%s has tool_calls, which only an assistant's message may have", param)
	case (m.ToolCallID == "") == (out.Role == model.ToolRole):
		return out, badRequest(param+".tool_call_id",
			"%s: a tool's message, and no other, must have a tool_call_id", param)
	}
	content, err := contentOf(m.Content, param)
	if err != nil {
		return out, err
	}
	if out.Content = content; content == "" {
		out.Content = m.Refusal
	}
	for j, c := range m.ToolCalls {
		if c.Type != "" && c.Type != "function" {
			return out, badRequest(param+".tool_calls", "%s.tool_calls[%d] has type %q; only \"function\" is supported",
				param, j, c.Type)
		}
		out.ToolCalls = append(out.ToolCalls, model.ToolCall{ID: c.ID, Name: c.Function.Name,
			Arguments: c.Function.Arguments})
	}
	return out, nil
}

// part is a part of a message's content, of any type.
type part struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	Refusal string          `json:"refusal"`
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"input"`
	CallID  string          `json:"tool_use_id"`
	Content json.RawMessage `json:"content"`
	IsError bool            `json:"is_error"`
	Data    string          `json:"data"` // data of redacted thinking
}

// partsOf reads a message's content: null, a text (one part), or an array of parts.
func partsOf(raw json.RawMessage, at string) (parts []part, err error) {
	var text string
	switch {
	case !present(raw):
	case json.Unmarshal(raw, &text) == nil:
		parts = []part{{Type: "text", Text: text}}
	case json.Unmarshal(raw, &parts) != nil:
		err = badRequest(at, "%s must be a text or an array of parts", at)
	}
	return parts, err
}

// contentOf joins the texts of a message's content.
func contentOf(raw json.RawMessage, param string) (string, error) {
	parts, err := partsOf(raw, param+".content")
	var all strings.Builder
	for _, p := range parts {
		switch p.Type {
		case "text", "input_text", "output_text":
			all.WriteString(p.Text)
		case "refusal":
			all.WriteString(p.Refusal)
		default:
			return "", badRequest(param+".content", "%s.content has a part of type %q; only text is supported",
				param, p.Type)
		}
	}
	return all.String(), err
}

// encodeOpaque encodes Message.Opaque as a text that clients send back. Some providers need this data, such
// as signed thinking, to continue a conversation.
func encodeOpaque(opaque json.RawMessage) string { return base64.StdEncoding.EncodeToString(opaque) }

// unseal decodes a text of encodeOpaque; nil for any other text.
func unseal(text string) json.RawMessage {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) == 0 || raw[0] != '{' || !json.Valid(raw) {
		return nil
	}
	return raw
}
