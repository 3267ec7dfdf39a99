package anthropic

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"github.com/seed-5817661a/concur/runner/model"
)

// anyArguments is the schema of a tool that gives none.
const anyArguments = `{"type":"object","properties":{}}`

// maxTemperature is the highest that the API takes.
const maxTemperature = 1

type requestBody struct {
	Model        string          `json:"model"`
	MaxTokens    int             `json:"max_tokens"`
	System       []*textBlock    `json:"system,omitempty"`
	Messages     []turn          `json:"messages"`
	Tools        []*toolSpec     `json:"tools,omitempty"`
	ToolChoice   *toolChoice     `json:"tool_choice,omitempty"`
	Stop         []string        `json:"stop_sequences,omitempty"`
	Temperature  *float64        `json:"temperature,omitempty"`
	Thinking     json.RawMessage `json:"thinking,omitempty"`
	OutputConfig *outputConfig   `json:"output_config,omitempty"`
}

type toolSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema model.RawSchema `json:"input_schema"`
	Cache       *cacheControl   `json:"cache_control,omitempty"`
}

type toolChoice struct {
	Type       string `json:"type"`
	Name       string `json:"name,omitempty"`
	NoParallel bool   `json:"disable_parallel_tool_use,omitempty"`
}

// cacheControl marks the end of a prefix that later requests will share.
type cacheControl struct {
	Type string `json:"type"`
}

type outputConfig struct {
	Format outputFormat `json:"format"`
}

type outputFormat struct {
	Type   string          `json:"type"`
	Schema model.RawSchema `json:"schema"`
}

// encode writes a request.
func encode(name string, s settings, req model.Request) ([]byte, error) {
	c, err := converse(req.Messages)
	if err != nil {
		return nil, err
	}
	b := requestBody{
		Model: name, MaxTokens: s.maxTokens, System: c.system, Messages: c.turns,
		Stop: req.Stop, Thinking: s.thinking,
	}
	if math.IsNaN(req.Temperature) || math.IsInf(req.Temperature, 0) {
		return nil, fmt.Errorf("temperature %v is no number; give 0 to %d", req.Temperature, maxTemperature)
	}
	if t := min(max(req.Temperature, 0), maxTemperature); !s.noTemperature {
		b.Temperature = &t
	}
	if err := b.offer(req.Tools, c.called); err != nil {
		return nil, err
	}
	if err := b.structure(req.Schema, s.noForcedTool); err != nil {
		return nil, err
	}
	b.markPrefix()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // so that signed blocks leave as they came
	if err := enc.Encode(b); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// offer adds the tools. A conversation that holds calls is refused without any, so where
// none is on offer the names that were called stand in, and none may be called.
func (b *requestBody) offer(tools []model.ToolSpec, called []string) error {
	for _, t := range tools {
		schema := t.Parameters
		if len(schema) == 0 {
			schema = model.RawSchema(anyArguments)
		}
		if !json.Valid(schema) {
			return fmt.Errorf("tool %q: its parameters are no JSON", t.Name)
		}
		b.Tools = append(b.Tools, &toolSpec{Name: t.Name, Description: t.Description, InputSchema: schema})
	}
	if len(tools) > 0 || len(called) == 0 {
		return nil
	}
	for _, name := range called {
		b.Tools = append(b.Tools, &toolSpec{Name: name, InputSchema: model.RawSchema(anyArguments)})
	}
	b.ToolChoice = &toolChoice{Type: "none"}
	return nil
}

// structure asks for a reply of one form. Beside other tools on offer, the schema's is one
// that may be chosen: a tool is called, or the reply is given.
func (b *requestBody) structure(s *model.ResponseSchema, noForcedTool bool) error {
	switch {
	case s == nil:
		return nil
	case !json.Valid(s.Schema):
		return fmt.Errorf("response schema %q: it is no JSON", s.Name)
	case noForcedTool:
		b.OutputConfig = &outputConfig{outputFormat{"json_schema", s.Schema}}
		return nil
	}
	choice := &toolChoice{Type: "tool", Name: s.Name, NoParallel: true}
	if len(b.Tools) > 0 && b.ToolChoice == nil {
		choice.Type, choice.Name = "any", ""
	}
	for _, t := range b.Tools {
		if t.Name == s.Name {
			return fmt.Errorf("response schema %q: a tool has the same name; rename one of them", s.Name)
		}
	}
	b.ToolChoice = choice
	b.Tools = append(b.Tools, &toolSpec{
		Name: s.Name, Description: "Gives the reply. Call it with the whole of your reply.", InputSchema: s.Schema,
	})
	return nil
}

// markPrefix marks what all turns of a trace, and all traces of a run, begin with: first
// the tools, then the system prompt.
func (b *requestBody) markPrefix() {
	mark := &cacheControl{Type: "ephemeral"}
	if n := len(b.Tools); n > 0 {
		b.Tools[n-1].Cache = mark
	}
	if n := len(b.System); n > 0 {
		b.System[n-1].Cache = mark
	}
}
