package serve

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
)

// defaultTemperature is OpenAI's, for requests that name none.
const defaultTemperature = 1

// chatRequest is the part of a request that a model.Request holds.
type chatRequest struct {
	Model       string           `json:"model"`
	Messages    []requestMessage `json:"messages"`
	Tools       []requestTool    `json:"tools"`
	ToolChoice  json.RawMessage  `json:"tool_choice"`
	Temperature *float64         `json:"temperature"`
	Seed        int64            `json:"seed"`
	MaxTokens   *int             `json:"max_tokens"`
	MaxNew      *int             `json:"max_completion_tokens"` // the newer name
	Stop        stops            `json:"stop"`
	Format      *responseFormat  `json:"response_format"`
	Stream      bool             `json:"stream"`
	Parallel    *bool            `json:"parallel_tool_calls"`

	StreamOptions struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
}

type requestTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  model.RawSchema `json:"parameters"`
	} `json:"function"`
}

type responseFormat struct {
	Type   string                `json:"type"`
	Schema *model.ResponseSchema `json:"json_schema"`
}

// stops is one text, several, or null.
type stops []string

func (s *stops) UnmarshalJSON(raw []byte) error {
	var one string
	if raw[0] == '"' {
		err := json.Unmarshal(raw, &one)
		*s = stops{one}
		return err
	}
	return json.Unmarshal(raw, (*[]string)(s))
}

// readBody decodes a body into what is asked for, and checks it by all of its fields.
func readBody(body []byte, in any, check func(all map[string]json.RawMessage) error) error {
	var all map[string]json.RawMessage
	if err := decode(body, &all); err != nil {
		return err
	}
	if err := decode(body, in); err != nil {
		return err
	}
	return check(all)
}

// parse reads a body into what was asked for and the request.
func parse(body []byte) (replyRequest, error) {
	var in chatRequest
	err := readBody(body, &in, func(all map[string]json.RawMessage) error { return in.check(all) })
	if err != nil {
		return replyRequest{}, err
	}
	out := model.Request{Temperature: defaultTemperature, Seed: in.Seed, Stop: in.Stop, SingleCall: in.Parallel != nil && !*in.Parallel}
	if in.Temperature != nil {
		out.Temperature = *in.Temperature
	}
	if limit := cmp.Or(in.MaxNew, in.MaxTokens); limit != nil {
		out.MaxTokens = *limit
	}
	for i, m := range in.Messages {
		message, err := m.message(i)
		if err != nil {
			return replyRequest{}, err
		}
		out.Messages = append(out.Messages, message)
	}
	if out.Tools, err = in.tools(); err == nil {
		out.Choice, err = in.choice(out.Tools)
	}
	if err == nil {
		out.Schema, err = in.Format.schema()
	}
	return replyRequest{in.Model, out, in.Stream, in.StreamOptions.Usage}, err
}

// decode reads one JSON value and nothing after it.
func decode(body []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(body))
	if err := dec.Decode(v); err != nil {
		if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return bad(e.Field, "the request does not have the right form: %s cannot be of JSON type %s", cmp.Or(e.Field, "the body"), e.Value)
		}
		return bad("", "the body is no JSON: %v", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return bad("", "the body goes on after the JSON object")
	}
	return nil
}

//go:embed unsupported.tsv
var unsupported string

// checkUnsupported refuses what would change a reply but has no place in a model.Request,
// unless its value changes nothing.
func checkUnsupported(api string, all map[string]json.RawMessage) error {
	for line := range strings.Lines(unsupported) {
		cell := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if cell[0] != api {
			continue
		}
		if name, value := cell[1], all[cell[1]]; present(value) && !slices.Contains(cell[2:], string(value)) {
			return bad(name, "%s: it is not supported here; leave it out", name)
		}
	}
	return nil
}

// check refuses what is missing, out of range, or beyond a model.Request.
func (in chatRequest) check(all map[string]json.RawMessage) error {
	switch {
	case in.Model == "":
		return bad("model", "the request names no model; GET /v1/models tells the name")
	case len(in.Messages) == 0:
		return bad("messages", "the request has no messages; send one or more")
	case in.Temperature != nil && (*in.Temperature < 0 || *in.Temperature > 2):
		return bad("temperature", "temperature %v must be between 0 and 2", *in.Temperature)
	case in.MaxTokens != nil && *in.MaxTokens < 1:
		return bad("max_tokens", "max_tokens %d must be 1 or more", *in.MaxTokens)
	case in.MaxNew != nil && *in.MaxNew < 1:
		return bad("max_completion_tokens", "max_completion_tokens %d must be 1 or more", *in.MaxNew)
	}
	return checkUnsupported("chat", all)
}

// tools gives the tools on offer.
func (in chatRequest) tools() ([]model.ToolSpec, error) {
	var out []model.ToolSpec
	for i, t := range in.Tools {
		if t.Type != "function" {
			return nil, bad("tools", "tools[%d] has type %q; only \"function\" is supported", i, t.Type)
		}
		if t.Function.Name == "" {
			return nil, bad("tools", "tools[%d] has no function.name", i)
		}
		parameters := t.Function.Parameters
		if !present(parameters) {
			parameters = model.RawSchema(`{"type":"object","properties":{}}`)
		}
		if parameters[0] != '{' {
			return nil, bad("tools", "tools[%d].function.parameters must be a JSON Schema object", i)
		}
		out = append(out, model.ToolSpec{Name: t.Function.Name, Description: t.Function.Description, Parameters: parameters})
	}
	return out, nil
}

// choice gives the tool choice: a word, or the one function to call.
func (in chatRequest) choice(tools []model.ToolSpec) (model.ToolChoice, error) {
	switch choice := string(in.ToolChoice); choice {
	case "", "null", `"auto"`:
		return model.ChooseFreely, nil
	case `"none"`:
		return model.ChooseNone, nil
	case `"required"`:
		if len(tools) == 0 {
			return "", bad("tool_choice", "tool_choice is \"required\", and there are no tools")
		}
		return model.ChooseRequired, nil
	default:
		var one struct {
			Type     string `json:"type"`
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		}
		if err := json.Unmarshal(in.ToolChoice, &one); err != nil || one.Type != "function" {
			return "", bad("tool_choice", "tool_choice %s is not supported; send \"auto\", \"none\", \"required\" or a function", choice)
		}
		return namedTool(tools, one.Function.Name)
	}
}

// namedTool is the choice of one tool by name.
func namedTool(tools []model.ToolSpec, name string) (model.ToolChoice, error) {
	if !slices.ContainsFunc(tools, func(t model.ToolSpec) bool { return t.Name == name }) {
		return "", bad("tool_choice", "tool_choice: there is no tool %q", name)
	}
	return model.ToolChoice(name), nil
}

func (f *responseFormat) schema() (*model.ResponseSchema, error) {
	switch {
	case f == nil || f.Type == "text":
		return nil, nil
	case f.Type != "json_schema":
		return nil, bad("response_format", "response_format %q is not supported; send \"json_schema\" or \"text\"", f.Type)
	case f.Schema == nil || !present(f.Schema.Schema):
		return nil, bad("response_format", "response_format.json_schema.schema is missing")
	}
	return f.Schema, nil
}

// present tells a value from its absence.
func present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }
