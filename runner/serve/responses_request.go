package serve

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/seed-5817661a/concur/model"
)

// responsesRequest has the fields of a request that become fields of a model.Request.
type responsesRequest struct {
	Model        string          `json:"model"`
	Input        json.RawMessage `json:"input"`
	Instructions string          `json:"instructions"`
	Tools        []responsesTool `json:"tools"`
	ToolChoice   json.RawMessage `json:"tool_choice"`
	Temperature  *float64        `json:"temperature"`
	Seed         *int64          `json:"seed"` // an extension of the API, which some servers accept
	MaxOutput    *int            `json:"max_output_tokens"`
	Stream       bool            `json:"stream"`
	Parallel     *bool           `json:"parallel_tool_calls"`
	Text         struct {
		Format *struct {
			Type string `json:"type"`
			schemaSpec
		} `json:"format"`
		Verbosity json.RawMessage `json:"verbosity"`
	} `json:"text"`
	Reasoning struct {
		Effort json.RawMessage `json:"effort"`
	} `json:"reasoning"`
	Previous string `json:"previous_response_id"`
}

type responsesTool struct {
	Type string `json:"type"`
	functionSpec
}

// parseResponses reads a body into the options of the reply and the model's request.
func parseResponses(body []byte) (replyRequest, error) {
	var in responsesRequest
	all, err := readBody(body, &in)
	if err == nil {
		err = in.check()
	}
	if err != nil {
		return replyRequest{}, err
	}
	extra, err := in.extras(all)
	if err != nil {
		return replyRequest{}, err
	}
	var c conversation
	if in.Instructions != "" {
		c.out = append(c.out, model.Message{Role: model.System, Content: in.Instructions})
	}
	if err := c.read(in.Input); err != nil {
		return replyRequest{}, err
	}
	out, err := in.chat().request(c.out, extra)
	return replyRequest{model: in.Model, request: out, stream: in.Stream, echo: all}, err
}

func (in responsesRequest) check() error {
	switch {
	case in.Previous != "":
		return badRequest("previous_response_id", "previous_response_id: responses are not kept here; leave "+
			"it out and "+
			"send the whole conversation as input, with the output items of earlier responses")
	case !present(in.Input):
		return badRequest("input", "the request has no input; send a text or items")
	}
	return in.chat().check("max_output_tokens")
}

// extras returns the settings whose values are passed to the provider unchanged. The key of each setting is its name
// in the chat completions API: reasoning.effort becomes reasoning_effort, and text.verbosity becomes verbosity.
func (in responsesRequest) extras(all map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	out, err := extrasOf("responses", all)
	for name, value := range map[string]json.RawMessage{"reasoning_effort": in.Reasoning.Effort,
		"verbosity": in.Text.Verbosity} {
		if err == nil && present(value) {
			if out == nil {
				out = map[string]json.RawMessage{}
			}
			out[name] = value
		}
	}
	return out, err
}

// chat returns the request as a request for a chat completion, without its messages.
func (in responsesRequest) chat() chatRequest {
	out := chatRequest{
		Model: in.Model, ToolChoice: in.ToolChoice, Temperature: in.Temperature, Seed: in.Seed, MaxNew: in.MaxOutput,
		Parallel: in.Parallel,
	}
	for _, t := range in.Tools {
		out.Tools = append(out.Tools, requestTool{t.Type, t.functionSpec})
	}
	if f := in.Text.Format; f != nil {
		out.Format = &responseFormat{f.Type, &f.schemaSpec, "text.format"}
	}
	return out
}

// item is one item of an input, of any type.
type item struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Output    json.RawMessage `json:"output"`
	Sealed    string          `json:"encrypted_content"`
}

// conversation collects the messages of an input. Consecutive items of one reply become one message.
type conversation struct {
	out    []model.Message
	reply  *model.Message  // the assistant's message to which the next item may belong; nil without one
	opaque json.RawMessage // data for the next reply, which it needs back
}

func (c *conversation) read(input json.RawMessage) error {
	var text string
	if json.Unmarshal(input, &text) == nil {
		c.add(model.Message{Role: model.User, Content: text})
		return nil
	}
	var items []item
	if err := json.Unmarshal(input, &items); err != nil {
		return badRequest("input", "input must be a text or an array of items: %v", err)
	}
	before := len(c.out)
	for i, it := range items {
		if err := c.item(it, fmt.Sprintf("input[%d]", i)); err != nil {
			return err
		}
	}
	if len(c.out) == before { // an item of reasoning alone gives no message
		return badRequest("input", "the input has no messages; send a text or items")
	}
	return nil
}

func (c *conversation) item(it item, at string) error {
	switch cmp.Or(it.Type, "message") {
	case "message":
		m, err := requestMessage{Role: it.Role, Content: it.Content}.message(at)
		if err != nil {
			return err
		}
		if m.Role == model.Assistant {
			if c.reply != nil && c.reply.Content != "" && len(c.reply.ToolCalls) == 0 {
				c.reply = nil // a text is a separate message
			}
			c.replying().Content += m.Content
			return nil
		}
		c.add(m)
	case "function_call":
		if it.CallID == "" || it.Name == "" {
			return badRequest(at, "%s: a function_call must have a call_id and a name", at)
		}
		reply := c.replying()
		reply.ToolCalls = append(reply.ToolCalls, model.ToolCall{ID: it.CallID, Name: it.Name, Arguments: it.Arguments})
	case "function_call_output":
		if it.CallID == "" {
			return badRequest(at, "%s: a function_call_output must have a call_id", at)
		}
		text, err := contentOf(it.Output, at)
		if err != nil {
			return err
		}
		c.add(model.Message{Role: model.ToolRole, ToolCallID: it.CallID, Content: text})
	case "reasoning": // of another model, or of one that needs it back
		if c.reply == nil || len(c.reply.ToolCalls) == 0 { // calls of one reply stay in one message
			c.reply, c.opaque = nil, unseal(it.Sealed)
		}
	case "item_reference":
		return badRequest(at, "%s: items are not kept here; send the item itself in place of an item_reference", at)
	default:
		return badRequest(at, "%s has the type %q, which is not supported; there are message, function_call, "+
			"function_call_output and reasoning", at, it.Type)
	}
	return nil
}

// replying returns the assistant's message to which items are added. After a message of another role, it
// starts a new one.
func (c *conversation) replying() *model.Message {
	if c.reply == nil {
		c.add(model.Message{Role: model.Assistant, Opaque: c.opaque})
		c.reply = &c.out[len(c.out)-1]
	}
	return c.reply
}

func (c *conversation) add(m model.Message) {
	c.out, c.reply, c.opaque = append(c.out, m), nil, nil
}
