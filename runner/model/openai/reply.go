package openai

import (
	"bytes"
	"encoding/json"
	"net/http"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/seed-5817661a/concur/runner/model"
)

// reply is what came over HTTP.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// completion holds the parts of a reply that are used. What endpoints add to them in
// forms of their own cannot fail a call, since it goes no further than here.
type completion struct {
	Error   json.RawMessage `json:"error,omitempty"`
	Model   json.RawMessage `json:"model,omitempty"`
	Choices []choice        `json:"choices"`
	Usage   json.RawMessage `json:"usage,omitempty"`
}

type choice struct {
	Message *choiceMessage  `json:"message"`
	Finish  json.RawMessage `json:"finish_reason,omitempty"`
}

type choiceMessage struct {
	Content   json.RawMessage `json:"content,omitempty"`
	Refusal   json.RawMessage `json:"refusal,omitempty"`
	ToolCalls []choiceCall    `json:"tool_calls,omitempty"`
}

type choiceCall struct {
	ID       json.RawMessage `json:"id,omitempty"`
	Function struct {
		Name      json.RawMessage `json:"name,omitempty"`
		Arguments json.RawMessage `json:"arguments,omitempty"`
	} `json:"function"`
}

// normalise checks a successful reply and writes it anew in the one form that go-openai
// reads: the first choice alone, with every call's arguments as a text.
func (m *Model) normalise(r reply) ([]byte, error) {
	var c completion
	if err := json.Unmarshal(r.body, &c); err != nil {
		if !json.Valid(r.body) {
			return nil, m.malformed(m.describe(r) + " is no JSON")
		}
		return nil, m.malformed(m.describe(r) + " is no chat completion: " + err.Error())
	}
	if len(c.Choices) == 0 {
		if present(c.Error) {
			return nil, m.rejected(r) // some gateways report a failure with status 200
		}
		return nil, m.malformed(m.describe(r) + " has no choices")
	}
	if c.Choices[0].Message == nil {
		return nil, m.malformed(m.describe(r) + " has a choice without a message")
	}
	c.Error, c.Choices = nil, c.Choices[:1]
	calls := c.Choices[0].Message.ToolCalls
	for i := range calls {
		f := &calls[i].Function
		text, err := asText(f.Arguments)
		if err != nil {
			return nil, m.malformed("arguments of a tool call: " + err.Error())
		}
		f.Arguments = text
	}
	plain, err := json.Marshal(c)
	if err != nil {
		return nil, m.malformed(err.Error())
	}
	return plain, nil
}

// present tells a value from its absence.
func present(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && !bytes.Equal(raw, []byte("null"))
}

// asText makes a JSON text of any JSON value, keeping a text as it is.
func asText(raw json.RawMessage) (json.RawMessage, error) {
	switch {
	case !present(raw):
		return json.RawMessage(`""`), nil
	case raw[0] == '"':
		return raw, nil
	default:
		return json.Marshal(string(raw))
	}
}

// decode turns go-openai's reply into ours.
func (m *Model) decode(r goopenai.ChatCompletionResponse) model.Response {
	first := r.Choices[0]
	out := model.Response{
		Message: model.Message{Role: model.Assistant, Content: first.Message.Content},
		Finish:  finish(string(first.FinishReason)),
		Usage:   model.Usage{InputTokens: tokens(r.Usage.PromptTokens), OutputTokens: tokens(r.Usage.CompletionTokens)},
		Model:   r.Model,
	}
	for _, part := range first.Message.MultiContent {
		out.Message.Content += part.Text // parts of another type, such as thinking, have no text
	}
	if refusal := first.Message.Refusal; refusal != "" {
		if out.Message.Content != "" {
			refusal = "\n" + refusal
		}
		out.Message.Content += refusal
		out.Finish = model.FinishStop
	}
	for _, c := range first.Message.ToolCalls {
		out.Message.ToolCalls = append(out.Message.ToolCalls,
			model.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
	}
	if d := r.Usage.PromptTokensDetails; d != nil {
		out.Usage.CachedTokens = tokens(d.CachedTokens)
	}
	if out.Model == "" {
		out.Model = m.name
	}
	m.hideKey(&out)
	return out
}

// hideKey keeps the key out of whatever an endpoint says: some quote it back.
func (m *Model) hideKey(r *model.Response) {
	r.Message.Content = m.key.hide(r.Message.Content)
	r.Model = m.key.hide(r.Model)
	r.Finish = model.FinishReason(m.key.hide(string(r.Finish)))
	for i := range r.Message.ToolCalls {
		c := &r.Message.ToolCalls[i]
		c.ID, c.Name, c.Arguments = m.key.hide(c.ID), m.key.hide(c.Name), m.key.hide(c.Arguments)
	}
}

// maxTokens is above what any call can use; a larger figure is a fault of the endpoint.
const maxTokens = 1 << 32

// tokens is a count as an endpoint gives it, within what a count can be.
func tokens(n int) int { return min(max(n, 0), maxTokens) }

// finish maps the other names that endpoints have for the reasons; unknown ones stay.
func finish(reason string) model.FinishReason {
	switch reason {
	case "eos", "eos_token", "stop_sequence", "end_turn":
		return model.FinishStop
	case "max_tokens", "model_length":
		return model.FinishLength
	case "function_call":
		return model.FinishToolCalls
	default:
		return model.FinishReason(reason)
	}
}
