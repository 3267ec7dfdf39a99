package openai

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"math/big"
	"slices"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/wire"
)

// body returns the request in the API's form. Settings of the request never replace a field of the request.
func (m *Model) body(req model.Request, stream bool) ([]byte, error) {
	tools, err := wire.Check(req)
	if err != nil {
		return nil, err
	}
	messages := make([]map[string]any, len(req.Messages))
	for i, msg := range req.Messages {
		messages[i] = m.message(msg)
	}
	body := map[string]any{"model": m.name, "messages": messages, "stream": stream}
	if last := len(messages) - 1; last >= 0 && req.Messages[last].Role == model.Assistant {
		m.askToContinue(body, messages[last])
	}
	if !req.NoTemperature {
		body[endpoints.Temperature] = req.Temperature
	}
	if !req.NoSeed {
		body[endpoints.Seed] = req.Seed
	}
	if len(req.Stop) > 0 {
		body[endpoints.Stop] = req.Stop
	}
	// The lower of the request's limit and the model's own; 0 means no limit.
	if limit := min(cmp.Or(req.MaxTokens, m.maxTokens), cmp.Or(m.maxTokens, req.MaxTokens)); limit > 0 {
		body[endpoints.MaxTokens] = limit
	}
	if stream {
		body[endpoints.StreamOptions] = map[string]bool{"include_usage": true}
	}
	if req.Schema != nil {
		body[endpoints.ResponseFormat] = formatOf(*req.Schema, m.endpoint.Format)
	}
	// Endpoints refuse settings of tools without tools. An endpoint without tool_choice has no other way to
	// forbid tools.
	if len(tools) > 0 && (req.Choice != model.ChooseNone || !slices.Contains(m.endpoint.Omit, endpoints.ToolChoice)) {
		offer(body, tools, req)
	}
	for name, value := range req.Extra {
		if _, set := body[name]; !set {
			body[name] = value
		}
	}
	m.fit(body, req.Extra)
	return json.Marshal(body)
}

// askToContinue adds the fields with which the endpoint continues the last message, an assistant's.
func (m *Model) askToContinue(body, message map[string]any) {
	switch m.endpoint.AssistantPrefix {
	case endpoints.PrefixField, endpoints.PrefixPartial: // they are the names of the fields
		message[m.endpoint.AssistantPrefix] = true
	case endpoints.PrefixFinal:
		body[endpoints.PrefixFinal], body["add_generation_prompt"] = true, false
	}
}

// offer adds the tools and the tool choice.
func offer(body map[string]any, tools []model.ToolSpec, req model.Request) {
	var out []goopenai.Tool
	for _, t := range tools {
		out = append(out, goopenai.Tool{
			Type: goopenai.ToolTypeFunction,
			Function: &goopenai.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: t.Parameters,
				Strict: t.Strict},
		})
	}
	body["tools"] = out
	if req.SingleCall {
		body[endpoints.ParallelCalls] = false
	}
	switch req.Choice {
	case model.ChooseFreely:
	case model.ChooseNone, model.ChooseRequired:
		body[endpoints.ToolChoice] = req.Choice
	default:
		body[endpoints.ToolChoice] = goopenai.ToolChoice{Type: goopenai.ToolTypeFunction,
			Function: goopenai.ToolFunction{Name: string(req.Choice)}}
	}
}

func formatOf(s model.ResponseSchema, form string) *goopenai.ChatCompletionResponseFormat {
	if form == endpoints.JSONObject {
		return &goopenai.ChatCompletionResponseFormat{Type: goopenai.ChatCompletionResponseFormatTypeJSONObject}
	}
	return &goopenai.ChatCompletionResponseFormat{
		Type: goopenai.ChatCompletionResponseFormatTypeJSONSchema,
		JSONSchema: &goopenai.ChatCompletionResponseFormatJSONSchema{Name: s.Name, Description: s.Description,
			Schema: s.Schema, Strict: !s.Lax},
	}
}

// fit adapts a body to the endpoint. Settings of the request replace the endpoint's settings.
func (m *Model) fit(body map[string]any, extra map[string]json.RawMessage) {
	for _, name := range m.endpoint.Omit {
		delete(body, name)
	}
	rename(body, endpoints.MaxTokens, m.endpoint.MaxTokensField)
	rename(body, endpoints.Seed, m.endpoint.SeedField)
	for name, value := range m.endpoint.ExtraBody {
		if _, own := extra[name]; !own {
			body[name] = value
		}
	}
}

func rename(body map[string]any, from, to string) {
	if value, ok := body[from]; ok && to != "" && to != from {
		delete(body, from)
		body[to] = value
	}
}

// message returns a message in the API's form, with its stored fields.
func (m *Model) message(msg model.Message) map[string]any {
	kept := readOpaque(msg.Opaque, m.endpoint.Keep)
	out := map[string]any{"role": msg.Role, "content": msg.Content}
	switch {
	case msg.Content != "":
	case msg.Role == model.ToolRole:
		out["content"] = wire.NoOutput
	case len(msg.ToolCalls) > 0:
		out["content"] = nil // endpoints themselves write null in this case
	case msg.Role == model.Assistant: // some endpoints refuse empty content
		out["content"] = wire.NoOutput
	}
	if msg.Name != "" {
		out["name"] = msg.Name
	}
	if msg.ToolCallID != "" {
		out["tool_call_id"] = m.callID(msg.ToolCallID)
	}
	if len(msg.ToolCalls) > 0 {
		calls := make([]map[string]any, len(msg.ToolCalls))
		for i, c := range msg.ToolCalls {
			calls[i] = map[string]any{"id": m.callID(c.ID), "type": "function",
				"function": map[string]string{"name": c.Name, "arguments": c.Arguments}}
			if i < len(kept.Calls) {
				addMembers(calls[i], kept.Calls[i])
			}
		}
		out["tool_calls"] = calls
	}
	addMembers(out, kept.Message)
	return out
}

func addMembers(object map[string]any, kept members) {
	for name, value := range kept {
		object[name] = value
	}
}

var alnumNine = lazy.Compile(`^[A-Za-z0-9]{9}$`)

// callID returns an id in the form that the endpoint accepts. It converts other ids to nine letters and
// digits.
func (m *Model) callID(id string) string {
	if m.endpoint.CallIDs != endpoints.AlnumNine || id == "" || alnumNine.MatchString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	digits := new(big.Int).SetBytes(sum[:]).Text(62)
	return (digits + "000000000")[:9]
}
