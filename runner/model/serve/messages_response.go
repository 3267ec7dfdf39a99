package serve

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
)

type messageReply struct {
	ID           string             `json:"id"`
	Type         string             `json:"type"`
	Role         model.Role         `json:"role"`
	Model        string             `json:"model"`
	Content      []any              `json:"content"` // replySealed, replyText or replyCall
	StopReason   model.FinishReason `json:"stop_reason"`
	StopSequence *string            `json:"stop_sequence"`
	Usage        messagesUsage      `json:"usage"`
}

type replyText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// replySealed is what the model needs back, see seal.
type replySealed struct {
	Type string `json:"type"`
	Data string `json:"data"`
}

type replyCall struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type messagesUsage struct {
	Input      int `json:"input_tokens"`
	CacheWrite int `json:"cache_creation_input_tokens"`
	CacheRead  int `json:"cache_read_input_tokens"`
	Output     int `json:"output_tokens"`
}

// messageOf writes a reply. One that was to have a form, and is a JSON object, is the input
// of a call; prose stays a text, so that a client sees what the model said.
func messageOf(r model.Response, req model.Request) messageReply {
	out := messageReply{
		ID: "msg_" + rand.Text(), Type: "message", Role: model.Assistant, Model: r.Model, Content: []any{},
		StopReason: stopReasonOf(r),
		Usage: messagesUsage{
			Input:     max(0, r.Usage.InputTokens-r.Usage.CachedTokens),
			CacheRead: r.Usage.CachedTokens, Output: r.Usage.OutputTokens,
		},
	}
	if len(r.Message.Opaque) > 0 {
		out.Content = append(out.Content, replySealed{"redacted_thinking", seal(r.Message.Opaque)})
	}
	text := r.Message.Content
	switch {
	case req.Schema != nil && isObject(text):
		out.Content = append(out.Content, replyCall{"tool_use", model.CallID(len(req.Messages), 0), req.Schema.Name, json.RawMessage(text)})
		if out.StopReason == "end_turn" {
			out.StopReason = "tool_use"
		}
	case text != "":
		out.Content = append(out.Content, replyText{"text", text})
	}
	for _, c := range r.Message.ToolCalls {
		out.Content = append(out.Content, replyCall{"tool_use", c.ID, c.Name, inputOf(c.Arguments)})
	}
	return out
}

// stopReasonOf gives the API's word for a reason to finish; a reason that it has no word
// for stays.
func stopReasonOf(r model.Response) model.FinishReason {
	switch r.Finish {
	case model.FinishToolCalls:
		return "tool_use"
	case model.FinishLength:
		return "max_tokens"
	case model.FinishContentFilter:
		return "refusal"
	case model.FinishStop, "":
		return "end_turn"
	default:
		return r.Finish
	}
}

func isObject(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(text), "{") && json.Valid([]byte(text))
}

// inputOf is a call's input: the object that the model wrote, or else its text as it is, so
// that a client can tell what was wrong.
func inputOf(arguments string) json.RawMessage {
	if isObject(arguments) {
		return json.RawMessage(arguments)
	}
	raw, err := json.Marshal(arguments)
	if err != nil { // a text is always JSON
		return json.RawMessage(`""`)
	}
	return raw
}

// messages is Anthropic's API.
func messages() form {
	return form{read: parseMessages, fail: failMessages, write: func(_ *Server, w http.ResponseWriter, a replyRequest, r model.Response) {
		out := messageOf(r, a.request)
		if a.stream {
			writeEvents(w, eventsOf(out), "")
			return
		}
		write(w, http.StatusOK, out)
	}}
}
