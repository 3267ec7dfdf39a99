package responses

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/wire"
)

// Fields of a request whose name or place differs from chat completions.
const (
	maxOutput  = "max_output_tokens"
	textField  = "text"
	reasoning  = "reasoning"
	sealedPart = "reasoning.encrypted_content" // a value of the field include
)

type fields map[string]any

// body returns the request in the API's form. Settings of the request replace the endpoint's settings;
// neither replaces a field of the request. Items of earlier replies are copied byte for byte.
func (m *Model) body(req model.Request, stream bool) ([]byte, error) {
	tools, err := wire.Check(req)
	if err != nil {
		return nil, err
	}
	input, err := m.input(req.Messages)
	if err != nil {
		return nil, err
	}
	b := fields{"model": m.name, endpoints.Store: false, endpoints.Include: []string{sealedPart}}
	if stream {
		b["stream"] = true
	}
	if !req.NoTemperature {
		b[endpoints.Temperature] = req.Temperature
	}
	if !req.NoSeed && m.endpoint.SeedField != "" {
		b[m.endpoint.SeedField] = req.Seed
	}
	// The lower of the request's limit and the model's own; 0 means no limit.
	if limit := min(cmp.Or(req.MaxTokens, m.maxTokens), cmp.Or(m.maxTokens, req.MaxTokens)); limit > 0 {
		b[endpoints.MaxTokens] = limit
	}
	// An endpoint without tool_choice has no other way to forbid tools.
	if len(tools) > 0 && (req.Choice != model.ChooseNone || !slices.Contains(m.endpoint.Omit, endpoints.ToolChoice)) {
		offer(b, tools, req)
	}
	if req.Schema != nil {
		b[endpoints.ResponseFormat] = formatOf(*req.Schema, m.endpoint.Format)
	}
	for name, value := range req.Extra {
		if _, set := b[name]; !set {
			b[name] = value
		}
	}
	for _, name := range m.endpoint.Omit {
		delete(b, name)
	}
	for name, value := range m.endpoint.ExtraBody {
		if _, own := req.Extra[name]; !own {
			b[name] = value
		}
	}
	if err := place(b); err != nil {
		return nil, err
	}
	rest, err := lines.Encode(b)
	if err != nil {
		return nil, err
	}
	// An encoder would change the white space in the items.
	out := []byte(`{"input":[`)
	for i, item := range input {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, item...)
	}
	return append(append(out, "],"...), rest[1:]...), nil
}

// place moves settings that are top-level in chat completions into the objects of this API.
func place(b fields) error {
	if limit, ok := b[endpoints.MaxTokens]; ok {
		delete(b, endpoints.MaxTokens)
		b[maxOutput] = limit
	}
	for _, move := range []struct{ from, object, to string }{
		{endpoints.Effort, reasoning, "effort"}, {"verbosity", textField, "verbosity"},
		{endpoints.ResponseFormat, textField, "format"},
	} {
		value, ok := b[move.from]
		if !ok {
			continue
		}
		delete(b, move.from)
		object := fields{}
		if was, ok := b[move.object]; ok {
			raw, err := json.Marshal(was)
			if err == nil {
				err = json.Unmarshal(raw, &object)
			}
			if err != nil {
				return fmt.Errorf("the setting %s is not an object: %s", move.object, raw)
			}
		}
		object[move.to] = value
		b[move.object] = object
	}
	return nil
}

// offer adds the tools and the tool choice. strict is always sent, because its default in the API is true.
func offer(b fields, tools []model.ToolSpec, req model.Request) {
	var out []fields
	for _, t := range tools {
		spec := fields{"type": "function", "name": t.Name, "parameters": t.Parameters, "strict": t.Strict}
		if t.Description != "" {
			spec["description"] = t.Description
		}
		out = append(out, spec)
	}
	b["tools"] = out
	if req.SingleCall {
		b[endpoints.ParallelCalls] = false
	}
	switch req.Choice {
	case model.ChooseFreely:
	case model.ChooseNone, model.ChooseRequired:
		b[endpoints.ToolChoice] = req.Choice
	default:
		b[endpoints.ToolChoice] = fields{"type": "function", "name": req.Choice}
	}
}

func formatOf(s model.ResponseSchema, form string) fields {
	if form == endpoints.JSONObject {
		return fields{"type": "json_object"}
	}
	out := fields{"type": "json_schema", "name": s.Name, "schema": s.Schema, "strict": !s.Lax}
	if s.Description != "" {
		out["description"] = s.Description
	}
	return out
}

// input returns the items of a conversation as JSON.
func (m *Model) input(messages []model.Message) (items []string, err error) {
	for i, msg := range messages {
		switch msg.Role {
		case model.System, model.User:
			items = append(items, encode(fields{"type": "message", "role": msg.Role, "content": msg.Content}))
		case model.ToolRole:
			output := cmp.Or(msg.Content, wire.NoOutput)
			items = append(items, encode(fields{"type": "function_call_output", "call_id": msg.ToolCallID, "output": output}))
		case model.Assistant:
			items = append(items, givenBack(msg)...)
		default:
			return nil, fmt.Errorf("message %d: there is no role %q; there are system, user, assistant and tool", i, msg.Role)
		}
	}
	return items, nil
}

// encode encodes an item. This never fails, because an item has only texts.
func encode(item fields) string {
	raw, _ := lines.Encode(item)
	return string(raw)
}
