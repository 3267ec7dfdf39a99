package store

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/model"
)

// Exchange is one line of chat.jsonl: a model call. It has only the messages that were added since the previous
// exchange of the conversation.
type Exchange struct {
	model.Identity
	Session int       `json:"session"` // see trace.Event
	Time    time.Time `json:"time"`
	// Kept is the number of messages that the request repeats from the previous exchange. They are the first
	// Kept of that exchange's messages, including its reply.
	Kept     int             `json:"kept"`
	Messages []model.Message `json:"messages"`
	Seed     int64           `json:"seed"`
	// Settings is a name for the request settings. When the name is first used, RequestSettings has the
	// settings themselves.
	Settings        string           `json:"settings"`
	RequestSettings *RequestSettings `json:"request_settings"`
	Response        *model.Message   `json:"response"` // nil if the call failed
	Finish          *string          `json:"finish_reason"`
	Model           *string          `json:"model"` // the model's name in the provider's reply
	// Sent has the settings that were sent to the provider. Only the first exchange of an agent's conversation
	// has it.
	Sent      *model.Sent      `json:"sent,omitempty"`
	Usage     *model.Usage     `json:"usage"`
	Error     *string          `json:"error"`
	ErrorKind *model.ErrorKind `json:"error_kind"`
	Latency   float64          `json:"latency"` // seconds
	Attempts  int              `json:"attempts"`
}

// Conversation returns the messages of the request, and in after the same messages followed by the reply.
// before must be the result after of the conversation's previous exchange. Conversation may overwrite the
// memory of before.
func (x Exchange) Conversation(before []model.Message) (request, after []model.Message, err error) {
	if x.Kept < 0 || x.Kept > len(before) {
		return nil, nil, fmt.Errorf("it repeats %d messages of an exchange with %d: the recording is damaged", x.Kept,
			len(before))
	}
	request = append(before[:x.Kept], x.Messages...)
	if x.Response == nil {
		return request, request, nil
	}
	return request, append(request, *x.Response), nil
}

// RequestSettings has the part of a request that does not change in most exchanges of a conversation.
type RequestSettings struct {
	Model       string           `json:"model"`
	Temperature float64          `json:"temperature"`
	Tools       []model.ToolSpec `json:"tools"`
	Stop        []string         `json:"stop"`
	// Choice requires or forbids tool calls; SingleCall allows at most one.
	Choice     model.ToolChoice      `json:"tool_choice"`
	SingleCall bool                  `json:"single_call"`
	MaxTokens  int                   `json:"max_tokens,omitempty"` // maximum tokens of the reply; 0 means no limit
	Schema     *model.ResponseSchema `json:"schema"`               // the requested form of the reply; nil for free text
	// NoTemperature and NoSeed report that temperature or seed was not sent. Extra has the other settings that
	// were sent.
	NoTemperature bool                       `json:"no_temperature,omitempty"`
	NoSeed        bool                       `json:"no_seed,omitempty"`
	Extra         map[string]json.RawMessage `json:"extra,omitempty"`
}

// heard returns the facts with those that an exchange adds, such as the model's name in the reply.
func (f AgentFacts) heard(x Exchange) AgentFacts {
	if x.Model != nil && *x.Model != "" {
		f.Models = with(f.Models, *x.Model)
	}
	if x.Sent == nil {
		return f
	}
	f.Requests, f.Unset = with(f.Requests, x.Sent.Digest), with(f.Unset, x.Sent.Unset...)
	if f.Beyond != "" {
		f.Sent = sealOf(f.Beyond, f.Requests)
	}
	return f
}
