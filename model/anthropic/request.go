package anthropic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/wire"
)

// cacheControl marks the end of a prefix that later requests have in common.
type cacheControl map[string]string

var ephemeral = cacheControl{"type": "ephemeral"}

// maxTemperature is the highest temperature that the API accepts.
const maxTemperature = 1

type requestBody struct {
	Model        string          `json:"model"`
	MaxTokens    int             `json:"max_tokens"`
	System       []*block        `json:"system,omitempty"`
	Messages     []turn          `json:"messages"`
	Tools        []*toolSpec     `json:"tools,omitempty"`
	ToolChoice   toolChoice      `json:"tool_choice,omitzero"`
	Stop         []string        `json:"stop_sequences,omitempty"`
	Temperature  *float64        `json:"temperature,omitempty"`
	Thinking     json.RawMessage `json:"thinking,omitempty"`
	OutputConfig map[string]any  `json:"output_config,omitempty"`
	Stream       bool            `json:"stream,omitempty"`
}

type toolSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema model.RawSchema `json:"input_schema"`
	Strict      bool            `json:"strict,omitempty"`
	Cache       cacheControl    `json:"cache_control,omitempty"`
}

type toolChoice struct {
	Type       string `json:"type"`
	Name       string `json:"name,omitempty"`
	NoParallel bool   `json:"disable_parallel_tool_use,omitempty"`
}

// encode writes a request.
func encode(o Options, req model.Request, stream bool) ([]byte, error) {
	tools, err := wire.Check(req)
	if err != nil {
		return nil, err
	}
	c, err := converse(req.Messages)
	if err != nil {
		return nil, err
	}
	b := requestBody{
		Model: o.Model, MaxTokens: limitOf(o, req), System: c.system, Messages: c.turns,
		Stop: req.Stop, Thinking: o.Thinking, Stream: stream,
	}
	if t := min(max(req.Temperature, 0), maxTemperature); !o.NoTemperature && !req.NoTemperature {
		b.Temperature = &t
	}
	b.ToolChoice = choiceOf(req, o.NoForcedTool)
	b.offer(tools, c.toolNames)
	if req.Schema != nil {
		if err := b.structure(*req.Schema, o.NoForcedTool); err != nil {
			return nil, err
		}
	}
	// Mark the prefix that all turns of a trace and all traces of a run share: the tools, then the system
	// prompt.
	if n := len(b.Tools); n > 0 {
		b.Tools[n-1].Cache = ephemeral
	}
	if n := len(b.System); n > 0 {
		b.System[n-1].Cache = ephemeral
	}
	raw, err := lines.Encode(b)
	if err != nil || len(req.Extra) == 0 {
		return raw, err
	}
	body := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &body); err != nil {
		return nil, err
	}
	for name, value := range req.Extra {
		if _, set := body[name]; !set || name == "thinking" {
			body[name] = value
		}
	}
	return lines.Encode(body)
}

// limitOf returns the lower of the request's token limit and the model's limit. If the model thinks, the
// limit of the reply is too small for it, so the model's limit is used.
func limitOf(o Options, req model.Request) int {
	_, thinks := req.Extra["thinking"] // for such a model the limit includes thinking
	if req.MaxTokens == 0 || o.Thinking != nil && !thinks {
		return cmp.Or(o.MaxTokens, DefaultMaxTokens)
	}
	return min(req.MaxTokens, cmp.Or(o.MaxTokens, req.MaxTokens))
}

// offer adds the tools. The API refuses a conversation with calls if the request has no tools. If none is
// offered, offer lists the tools that were called, and forbids calls.
func (b *requestBody) offer(tools []model.ToolSpec, called []string) {
	for _, t := range tools {
		b.Tools = append(b.Tools, &toolSpec{Name: t.Name, Description: t.Description, InputSchema: t.Parameters,
			Strict: t.Strict})
	}
	if len(tools) > 0 || len(called) == 0 {
		return
	}
	for _, name := range called {
		b.Tools = append(b.Tools, &toolSpec{Name: name,
			InputSchema: model.RawSchema(`{"type":"object","properties":{}}`)})
	}
	b.ToolChoice = toolChoice{Type: "none"}
}

// choiceOf returns the setting of tool choice. The API has no field for a single call if calls are forbidden.
// If the model refuses forced tools, it may choose freely.
func choiceOf(req model.Request, noForcedTool bool) (c toolChoice) {
	switch choice := req.Choice; {
	case len(req.Tools) == 0:
		return c
	case choice == model.ChooseNone:
		return toolChoice{Type: "none"}
	case noForcedTool || choice == model.ChooseFreely:
		if req.SingleCall {
			c.Type = "auto"
		}
	case choice == model.ChooseRequired:
		c.Type = "any"
	default:
		c.Type, c.Name = "tool", string(choice)
	}
	c.NoParallel = req.SingleCall
	return c
}

// structure asks for a reply with a schema. If other tools are offered too, the model either calls one of
// them or replies by the schema's tool.
func (b *requestBody) structure(s model.ResponseSchema, noForcedTool bool) error {
	switch {
	case !noForcedTool && slices.ContainsFunc(b.Tools, func(t *toolSpec) bool { return t.Name == s.Name }):
		return fmt.Errorf("response schema %q: a tool has the same name; rename one of them", s.Name)
	case b.ToolChoice.Type == "any" || b.ToolChoice.Type == "tool":
		return nil // the reply must be a call of another tool
	case noForcedTool:
		b.OutputConfig = map[string]any{"format": map[string]any{"type": "json_schema", "schema": s.Schema}}
		return nil
	case len(b.Tools) > 0 && b.ToolChoice.Type != "none":
		b.ToolChoice = toolChoice{Type: "any", NoParallel: true}
	default:
		b.ToolChoice = toolChoice{Type: "tool", Name: s.Name, NoParallel: true}
	}
	b.Tools = append(b.Tools, &toolSpec{Name: s.Name, Description: model.ReplyTool, InputSchema: s.Schema})
	return nil
}
