package openai

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"math/big"
	"regexp"
	"slices"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/model/endpoints"
)

// body is a request as it is sent.
func (m *Model) body(req model.Request, stream bool) ([]byte, error) {
	typed, err := m.encode(req)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(typed)
	if err != nil {
		return nil, err
	}
	var encoded map[string]json.RawMessage
	if err := json.Unmarshal(raw, &encoded); err != nil {
		return nil, err
	}
	body := m.fields(req, stream)
	for _, more := range []map[string]json.RawMessage{encoded, req.Extra} {
		for name, value := range more {
			if _, set := body[name]; !set {
				body[name] = value
			}
		}
	}
	m.fit(body, req.Extra)
	return json.Marshal(body)
}

// encode fills the fields that go-openai's types encode correctly; fields gives the others.
func (m *Model) encode(req model.Request) (goopenai.ChatCompletionRequest, error) {
	out := goopenai.ChatCompletionRequest{Model: m.name, Stop: req.Stop}
	if seed := int(req.Seed); !req.NoSeed {
		out.Seed = &seed
	}
	tools, err := wire.Check(req)
	if err != nil {
		return out, err
	}
	if req.Choice == model.ChooseNone && slices.Contains(m.endpoint.Omit, endpoints.ToolChoice) {
		tools = nil // the endpoint has no other way
	}
	for _, t := range tools {
		out.Tools = append(out.Tools, goopenai.Tool{
			Type:     goopenai.ToolTypeFunction,
			Function: &goopenai.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: t.Parameters, Strict: t.Strict},
		})
	}
	if s := req.Schema; s != nil {
		out.ResponseFormat = formatOf(*s, m.endpoint.Format)
	}
	if len(tools) == 0 { // endpoints refuse settings of tools without tools
		return out, nil
	}
	if req.SingleCall {
		out.ParallelToolCalls = false
	}
	switch req.Choice {
	case model.ChooseFreely:
	case model.ChooseNone, model.ChooseRequired:
		out.ToolChoice = string(req.Choice)
	default:
		out.ToolChoice = goopenai.ToolChoice{Type: goopenai.ToolTypeFunction, Function: goopenai.ToolFunction{Name: string(req.Choice)}}
	}
	return out, nil
}

func formatOf(s model.ResponseSchema, form string) *goopenai.ChatCompletionResponseFormat {
	if form == endpoints.JSONObject {
		return &goopenai.ChatCompletionResponseFormat{Type: goopenai.ChatCompletionResponseFormatTypeJSONObject}
	}
	return &goopenai.ChatCompletionResponseFormat{
		Type:       goopenai.ChatCompletionResponseFormatTypeJSONSchema,
		JSONSchema: &goopenai.ChatCompletionResponseFormatJSONSchema{Name: s.Name, Description: s.Description, Schema: s.Schema, Strict: !s.Lax},
	}
}

// fields are the parts of a body that go-openai's types omit if zero (the temperature,
// empty contents and arguments), round to 32 bits, or do not have.
func (m *Model) fields(req model.Request, stream bool) map[string]any {
	messages := make([]map[string]any, len(req.Messages))
	for i, msg := range req.Messages {
		messages[i] = m.message(msg)
	}
	out := map[string]any{"messages": messages}
	if !req.NoTemperature {
		out[endpoints.Temperature] = req.Temperature
	}
	// The lower of the request's limit and the model's own; 0 means none.
	if limit := min(cmp.Or(req.MaxTokens, m.maxTokens), cmp.Or(m.maxTokens, req.MaxTokens)); limit > 0 {
		out[endpoints.MaxTokens] = limit
	}
	if stream {
		out["stream"] = true
		out[endpoints.StreamOptions] = map[string]bool{"include_usage": true}
	}
	return out
}

// fit adapts a body to the endpoint. Settings of the request's own replace the endpoint's.
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

// message is a message as it is sent, with its kept members.
func (m *Model) message(msg model.Message) map[string]any {
	kept := readOpaque(msg.Opaque, m.endpoint.Keep)
	out := map[string]any{"role": msg.Role, "content": msg.Content}
	switch {
	case msg.Content != "":
	case msg.Role == model.ToolRole:
		out["content"] = wire.NoOutput
	case len(msg.ToolCalls) > 0:
		out["content"] = nil // as endpoints themselves write it
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
			calls[i] = map[string]any{"id": m.callID(c.ID), "type": "function", "function": map[string]string{"name": c.Name, "arguments": c.Arguments}}
			if i < len(kept.Calls) {
				kept.Calls[i].into(calls[i])
			}
		}
		out["tool_calls"] = calls
	}
	kept.Message.into(out)
	return out
}

func (f members) into(object map[string]any) {
	for name, value := range f {
		object[name] = value
	}
}

var alnumNine = regexp.MustCompile(`^[A-Za-z0-9]{9}$`)

// callID is an id in the endpoint's form: others are mapped to nine letters and digits.
func (m *Model) callID(id string) string {
	if m.endpoint.CallIDs != endpoints.AlnumNine || id == "" || alnumNine.MatchString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	digits := new(big.Int).SetBytes(sum[:]).Text(62)
	return (digits + "000000000")[:9]
}
