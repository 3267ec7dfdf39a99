package store

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/model"
)

// Exchange is one line of chat.jsonl: a model call, with the messages added since the previous one.
type Exchange struct {
	model.Identity
	Session int       `json:"session"` // see trace.Event
	Time    time.Time `json:"time"`
	// Kept is the number of earlier messages that the request repeats: the beginning of the previous exchange's
	// messages, which end with its reply.
	Kept     int             `json:"kept"`
	Messages []model.Message `json:"messages"`
	Seed     int64           `json:"seed"`
	// Settings is the name of the request settings. RequestSettings has the settings themselves when a name is
	// first used.
	Settings        string           `json:"settings"`
	RequestSettings *RequestSettings `json:"request_settings"`
	Response        *model.Message   `json:"response"` // nil if the call failed
	Finish          *string          `json:"finish_reason"`
	Model           *string          `json:"model"` // the model's name in the provider's reply
	// Sent has the settings that were sent; only the first exchange of an agent's conversation has it.
	Sent      *model.Sent      `json:"sent,omitempty"`
	Usage     *model.Usage     `json:"usage"`
	Error     *string          `json:"error"`
	ErrorKind *model.ErrorKind `json:"error_kind"`
	Latency   float64          `json:"latency"` // seconds
	Attempts  int              `json:"attempts"`
}

// Conversation returns the messages of the request, and (as after) the same messages with the reply. before
// must be the result after of the conversation's previous exchange; Conversation may overwrite it.
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

// RequestSettings has the part of a request that is the same in most exchanges.
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
	// NoTemperature and NoSeed report that the setting was not sent. Extra has other settings that were sent.
	NoTemperature bool                       `json:"no_temperature,omitempty"`
	NoSeed        bool                       `json:"no_seed,omitempty"`
	Extra         map[string]json.RawMessage `json:"extra,omitempty"`
}
