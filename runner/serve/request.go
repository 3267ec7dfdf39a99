package serve

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed-5817661a/concur/model"
)

// defaultTemperature is OpenAI's default, used for requests without a temperature.
const defaultTemperature = 1

// chatRequest has the fields of a chat request that become fields of a model.Request. For others see extrasOf.
type chatRequest struct {
	Model       string           `json:"model"`
	Messages    []requestMessage `json:"messages"`
	Tools       []requestTool    `json:"tools"`
	ToolChoice  json.RawMessage  `json:"tool_choice"`
	Temperature *float64         `json:"temperature"`
	Seed        *int64           `json:"seed"`
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

// requestTool is a tool that the model may call. The Responses API has the fields of Function next to Type instead.
type requestTool struct {
	Type     string       `json:"type"`
	Function functionSpec `json:"function"`
}

type functionSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  model.RawSchema `json:"parameters"`
	Strict      bool            `json:"strict"`
}

// responseFormat is the required format of the reply. The Responses API has the fields of Schema next to Type instead.
type responseFormat struct {
	Type   string      `json:"type"`
	Schema *schemaSpec `json:"json_schema"`
	param  string      // the name of the request's field, if it is not response_format
}

type schemaSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      model.RawSchema `json:"schema"`
	Strict      bool            `json:"strict"`
}

// stops are stop sequences: in JSON a string, a list of strings, or null.
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

// readBody decodes a body into in, and returns all its fields by name.
func readBody(body []byte, in any) (all map[string]json.RawMessage, err error) {
	if err = decode(body, &all); err == nil {
		err = decode(body, in)
	}
	return all, err
}

// parse reads a body into the options of the reply and the model's request.
func parse(body []byte) (replyRequest, error) {
	var in chatRequest
	all, err := readBody(body, &in)
	if err == nil {
		err = in.check("max_completion_tokens")
	}
	if err == nil && len(in.Messages) == 0 {
		err = badRequest("messages", "the request has no messages; send one or more")
	}
	if err != nil {
		return replyRequest{}, err
	}
	extra, err := extrasOf("chat", all)
	if err != nil {
		return replyRequest{}, err
	}
	messages := make([]model.Message, len(in.Messages))
	for i, m := range in.Messages {
		if messages[i], err = m.message(fmt.Sprintf("messages[%d]", i)); err != nil {
			return replyRequest{}, err
		}
	}
	out, err := in.request(messages, extra)
	return replyRequest{model: in.Model, request: out, stream: in.Stream, usage: in.StreamOptions.Usage}, err
}

// request returns the model's request with these messages. extras are the settings that are passed to the
// provider unchanged.
func (in chatRequest) request(messages []model.Message,
	extra map[string]json.RawMessage) (out model.Request, err error) {
	out = sampling(in.Temperature, in.Seed)
	out.Messages, out.Extra, out.Stop, out.SingleCall = messages, extra, in.Stop, in.Parallel != nil && !*in.Parallel
	if limit := cmp.Or(in.MaxNew, in.MaxTokens); limit != nil {
		out.MaxTokens = *limit
	}
	if out.Tools, err = in.tools(); err == nil {
		out.Choice, err = in.choice(out.Tools)
	}
	if err == nil {
		err = in.Format.apply(&out)
	}
	return out, err
}

// sampling returns a model's request with the temperature and the seed of the client's request, if it has
// them.
func sampling(temperature *float64, seed *int64) model.Request {
	out := model.Request{Temperature: defaultTemperature, NoTemperature: temperature == nil, NoSeed: seed == nil}
	if temperature != nil {
		out.Temperature = *temperature
	}
	if seed != nil {
		out.Seed = *seed
	}
	return out
}

// decode reads one JSON value, and returns an error if anything follows it.
func decode(body []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(body))
	if err := dec.Decode(v); err != nil {
		if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return badRequest(e.Field, "the request does not have the right form: %s cannot be of JSON type %s",
				cmp.Or(e.Field, "the body"), e.Value)
		}
		return badRequest("", "the body is not JSON: %v", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return badRequest("", "the body has more text after the JSON object")
	}
	return nil
}

// check returns an error for a missing value, or a value out of range. limit is the API's name for MaxNew.
func (in chatRequest) check(limit string) error {
	switch {
	case in.Model == "":
		return badRequest("model", "the request names no model; GET /v1/models lists the name")
	case in.Temperature != nil && (*in.Temperature < 0 || *in.Temperature > 2):
		return badRequest("temperature", "temperature %v must be between 0 and 2", *in.Temperature)
	case in.MaxTokens != nil && *in.MaxTokens < 1:
		return badRequest("max_tokens", "max_tokens %d must be 1 or more", *in.MaxTokens)
	case in.MaxNew != nil && *in.MaxNew < 1:
		return badRequest(limit, "%s %d must be 1 or more", limit, *in.MaxNew)
	}
	return nil
}

// tools returns the offered tools.
func (in chatRequest) tools() ([]model.ToolSpec, error) {
	var out []model.ToolSpec
	for i, t := range in.Tools {
		if t.Type != "function" {
			return nil, badRequest("tools", "tools[%d] has type %q; only \"function\" is supported", i, t.Type)
		}
		if t.Function.Name == "" {
			return nil, badRequest("tools", "tools[%d] has no function.name", i)
		}
		parameters := t.Function.Parameters
		if !present(parameters) {
			parameters = model.RawSchema(`{"type":"object","properties":{}}`)
		}
		if parameters[0] != '{' {
			return nil, badRequest("tools", "tools[%d].function.parameters must be a JSON Schema object", i)
		}
		out = append(out, model.ToolSpec{Name: t.Function.Name, Description: t.Function.Description,
			Parameters: parameters, Strict: t.Function.Strict})
	}
	return out, nil
}

// choice returns the tool choice: a word, or the function that the model must call.
func (in chatRequest) choice(tools []model.ToolSpec) (model.ToolChoice, error) {
	switch choice := string(in.ToolChoice); choice {
	case "", "null", `"auto"`:
		return model.ChooseFreely, nil
	case `"none"`:
		return model.ChooseNone, nil
	case `"required"`:
		if len(tools) == 0 {
			return "", badRequest("tool_choice", "tool_choice is \"required\", and there are no tools")
		}
		return model.ChooseRequired, nil
	default:
		var one struct {
			requestTool
			Name string `json:"name"` // in the form of Responses
		}
		if err := json.Unmarshal(in.ToolChoice, &one); err != nil || one.Type != "function" {
			return "", badRequest("tool_choice", "tool_choice %s is not supported; send \"auto\", \"none\", "+
				"\"required\" "+
				"or a function", choice)
		}
		return namedTool(tools, cmp.Or(one.Function.Name, one.Name))
	}
}

// namedTool returns the choice of one tool by name.
func namedTool(tools []model.ToolSpec, name string) (model.ToolChoice, error) {
	if !slices.ContainsFunc(tools, func(t model.ToolSpec) bool { return t.Name == name }) {
		return "", badRequest("tool_choice", "tool_choice: there is no tool %q", name)
	}
	return model.ToolChoice(name), nil
}

// apply sets the form of the reply. The format json_object is passed to the provider unchanged.
func (f *responseFormat) apply(out *model.Request) error {
	const param = "response_format"
	switch {
	case f == nil || f.Type == "text":
	case f.Type == "json_object":
		if out.Extra == nil {
			out.Extra = map[string]json.RawMessage{}
		}
		out.Extra[param] = json.RawMessage(`{"type":"json_object"}`)
	case f.Type != "json_schema":
		return badRequest(cmp.Or(f.param, param), "the response format %q is not supported; send \"json_schema\", "+
			"\"json_object\" or \"text\"", f.Type)
	case f.Schema == nil || !present(f.Schema.Schema):
		return badRequest(cmp.Or(f.param, param), "the response format json_schema has no schema")
	default:
		out.Schema = &model.ResponseSchema{Name: f.Schema.Name, Description: f.Schema.Description,
			Schema: f.Schema.Schema, Lax: !f.Schema.Strict}
	}
	return nil
}

// present reports whether a field has a value.
func present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }
