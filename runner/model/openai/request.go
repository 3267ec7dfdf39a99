package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/model/endpoints"
)

// anyArguments is the schema of a tool that gives none.
const anyArguments = `{"type":"object","properties":{}}`

// writer writes requests for one model.
type writer struct {
	name      string
	maxTokens int // 0 is no limit
	endpoint  endpoints.Endpoint
	extra     map[string]json.RawMessage
}

// body is a request as it is sent.
func (w writer) body(req model.Request, stream bool) ([]byte, error) {
	typed, err := w.encode(req)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(typed)
	if err != nil {
		return nil, err
	}
	body := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &body); err != nil {
		return nil, err
	}
	rest, err := encodeEach(w.fields(req, stream))
	if err != nil {
		return nil, err
	}
	maps.Copy(body, rest)
	w.fit(body)
	return json.Marshal(body)
}

// encode gives what go-openai's types say rightly; fields gives the rest.
func (w writer) encode(req model.Request) (goopenai.ChatCompletionRequest, error) {
	seed := int(req.Seed)
	out := goopenai.ChatCompletionRequest{Model: w.name, Seed: &seed, Stop: req.Stop}
	if err := wire.CheckAnswers(req.Messages); err != nil {
		return out, err
	}
	if req.Choice == model.ChooseNone && slices.Contains(w.endpoint.Omit, endpoints.ToolChoice) {
		req.Tools = nil // what cannot be said is done
	}
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
		out.ResponseFormat = formatOf(*s, w.endpoint.Format)
	}
	return out, choose(&out, req)
}

func formatOf(s model.ResponseSchema, form string) *goopenai.ChatCompletionResponseFormat {
	if form == endpoints.JSONObject {
		return &goopenai.ChatCompletionResponseFormat{Type: goopenai.ChatCompletionResponseFormatTypeJSONObject}
	}
	return &goopenai.ChatCompletionResponseFormat{
		Type:       goopenai.ChatCompletionResponseFormatTypeJSONSchema,
		JSONSchema: &goopenai.ChatCompletionResponseFormatJSONSchema{Name: s.Name, Schema: s.Schema, Strict: true},
	}
}

// choose says how tools may be called. Without tools nothing can be said: endpoints refuse
// it.
func choose(out *goopenai.ChatCompletionRequest, req model.Request) error {
	offered := func(t model.ToolSpec) bool { return t.Name == string(req.Choice) }
	switch {
	case len(req.Tools) == 0 && (req.Choice == model.ChooseFreely || req.Choice == model.ChooseNone):
		return nil
	case len(req.Tools) == 0:
		return errors.New("a tool must be called, and none is on offer")
	case req.SingleCall:
		out.ParallelToolCalls = false
	}
	switch {
	case req.Choice == model.ChooseFreely:
	case req.Choice == model.ChooseNone, req.Choice == model.ChooseRequired:
		out.ToolChoice = string(req.Choice)
	case slices.ContainsFunc(req.Tools, offered):
		out.ToolChoice = goopenai.ToolChoice{Type: goopenai.ToolTypeFunction, Function: goopenai.ToolFunction{Name: string(req.Choice)}}
	default:
		return fmt.Errorf("the tool %q must be called, and is not on offer", req.Choice)
	}
	return nil
}

// fields are the parts of a body that go-openai's types drop where they are zero (the
// temperature, empty contents and arguments), round to 32 bits, or have no place for.
func (w writer) fields(req model.Request, stream bool) map[string]any {
	messages := make([]wireMessage, len(req.Messages))
	for i, msg := range req.Messages {
		messages[i] = w.message(msg)
	}
	out := map[string]any{endpoints.Temperature: req.Temperature, "messages": messages}
	if limit := w.limit(req); limit > 0 {
		out[endpoints.MaxTokens] = limit
	}
	if stream {
		out["stream"] = true
		out[endpoints.StreamOptions] = map[string]bool{"include_usage": true}
	}
	return out
}

// limit is the lower of the request's token limit and the model's own; 0 is none.
func (w writer) limit(req model.Request) int {
	if req.MaxTokens > 0 && w.maxTokens > 0 {
		return min(req.MaxTokens, w.maxTokens)
	}
	return max(req.MaxTokens, w.maxTokens)
}

// fit makes a body one that the endpoint understands.
func (w writer) fit(body map[string]json.RawMessage) {
	for _, name := range w.endpoint.Omit {
		delete(body, name)
	}
	rename(body, endpoints.MaxTokens, w.endpoint.MaxTokensField)
	rename(body, endpoints.Seed, w.endpoint.SeedField)
	maps.Copy(body, w.extra)
}

func rename(body map[string]json.RawMessage, from, to string) {
	if value, ok := body[from]; ok && to != "" && to != from {
		delete(body, from)
		body[to] = value
	}
}
