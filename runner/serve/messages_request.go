package serve

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/seed-5817661a/concur/model"
)

// messagesRequest has the fields of a request that become fields of a model.Request.
type messagesRequest struct {
	Model       string          `json:"model"`
	MaxTokens   int             `json:"max_tokens"`
	System      json.RawMessage `json:"system"`
	Messages    []wireTurn      `json:"messages"`
	Tools       []messagesTool  `json:"tools"`
	ToolChoice  *messagesChoice `json:"tool_choice"`
	Temperature *float64        `json:"temperature"`
	Stop        []string        `json:"stop_sequences"`
	Stream      bool            `json:"stream"`
}

type messagesTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema model.RawSchema `json:"input_schema"`
	Strict      bool            `json:"strict"`
}

type messagesChoice struct {
	Type       string `json:"type"`
	Name       string `json:"name"`
	NoParallel bool   `json:"disable_parallel_tool_use"`
}

// parseMessages reads a body into the options of the reply and the model's request.
func parseMessages(body []byte) (replyRequest, error) {
	var in messagesRequest
	all, err := readBody(body, &in)
	if err == nil {
		err = in.check(all)
	}
	if err != nil {
		return replyRequest{}, err
	}
	out := sampling(in.Temperature, nil)
	out.Stop, out.MaxTokens = in.Stop, in.MaxTokens
	if out.Extra, err = extrasOf("messages", all); err != nil {
		return replyRequest{}, err
	}
	if out.Messages, err = messagesOf(in.System, in.Messages); err == nil {
		out.Tools, err = in.tools()
	}
	if err == nil {
		err = in.choose(&out)
	}
	return replyRequest{model: in.Model, request: out, stream: in.Stream}, err
}

// check returns an error for a missing value, or a value out of range.
func (in messagesRequest) check(all map[string]json.RawMessage) error {
	switch {
	case present(all["thread"]): // first, because a request that continues a thread lacks other fields
		return refuseThread()
	case in.Model == "":
		return badRequest("model", "model: the request names none; GET /v1/models tells the name")
	case in.MaxTokens < 1:
		return badRequest("max_tokens", "max_tokens: it is required, and must be 1 or more")
	case len(in.Messages) == 0:
		return badRequest("messages", "messages: at least one message is required")
	case in.Temperature != nil && (*in.Temperature < 0 || *in.Temperature > 1):
		return badRequest("temperature", "temperature: %v is not between 0 and 1", *in.Temperature)
	}
	return nil
}

// refuseThread refuses to store a conversation, with the words after which the API's clients send the whole
// conversation with every request.
func refuseThread() error {
	return apiError{
		Status: http.StatusBadRequest, Code: "invalid_request", Param: "thread",
		Message: "thread: conversations are not kept here; leave it out and send all messages",
		Details: map[string]any{"error_code": "thread_unsupported_request", "unsupported": []string{"thread"}},
	}
}

func (in messagesRequest) tools() ([]model.ToolSpec, error) {
	var out []model.ToolSpec
	for i, t := range in.Tools {
		switch {
		case t.Type != "" && t.Type != "custom":
			return nil, badRequest("tools", "tools.%d: the type %q is not supported; only custom tools are",
				i, t.Type)
		case t.Name == "":
			return nil, badRequest("tools", "tools.%d.name: it is required", i)
		case len(t.InputSchema) == 0 || t.InputSchema[0] != '{':
			return nil, badRequest("tools", "tools.%d.input_schema: it must be a JSON Schema object", i)
		}
		out = append(out, model.ToolSpec{Name: t.Name, Description: t.Description, Parameters: t.InputSchema,
			Strict: t.Strict})
	}
	return out, nil
}

// choose applies the tool choice. If a tool is used to request a structured reply, it becomes a Schema with
// the tool's name; the other tools are kept only for calls made earlier.
func (in messagesRequest) choose(out *model.Request) (err error) {
	c := in.ToolChoice
	if c == nil {
		return nil
	}
	out.SingleCall = c.NoParallel
	switch {
	case c.Type == "auto":
	case c.Type == "tool":
		if out.Choice, err = namedTool(out.Tools, c.Name); err != nil {
			return err
		}
		// any other is a tool, even a single one
		at := slices.IndexFunc(out.Tools, func(t model.ToolSpec) bool { return t.Name == c.Name })
		if out.Tools[at].Description == model.ReplyTool {
			out.Schema = &model.ResponseSchema{Name: c.Name, Schema: out.Tools[at].Parameters}
			out.Choice, out.Tools, out.SingleCall = model.ChooseFreely, nil, false
		}
	case c.Type == "none":
		out.Choice = model.ChooseNone
	case c.Type == "any" && len(out.Tools) > 0:
		out.Choice = model.ChooseRequired
	case c.Type == "any":
		err = badRequest("tool_choice", "tool_choice: the type is any, and there are no tools")
	default:
		err = badRequest("tool_choice", "tool_choice: the type %q is not supported; send auto, any, tool or none",
			c.Type)
	}
	return err
}
