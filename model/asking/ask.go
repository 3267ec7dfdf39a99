package asking

import (
	"context"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/model"
)

// reminder is the message after a reply that could not be parsed.
const reminder = "Your previous reply could not be read. Reply with the one JSON object that was asked for and " +
	"nothing else: no other text, no code fence."

// Reply is the result of asking a model: a value, or the reason for its absence.
type Reply[T any] struct {
	Value *T
	// Unread is the reason why the last reply was refused. Failed is the model's error. At most one of Value,
	// Unread and Failed is set.
	Unread, Failed error
	Effort         Effort
	Repeated       bool // for a Verdict: a reply repeated the token
}

// Effort is the cost of questions to a model, including cached replies. A package that stores these fields
// under other names declares a struct with the same fields and other tags, and converts.
type Effort struct {
	Calls       int `json:"calls"`       // number of requests, including retries
	Errors      int `json:"errors"`      // number of questions on which the model failed
	Unparseable int `json:"unparseable"` // number of questions without a readable reply after two attempts
	// Unread counts replies that could not be parsed, also if the retry could be parsed. UnreadTokens and
	// UnreadTime are their tokens and their time.
	Unread       int           `json:"unread"`
	UnreadTokens int           `json:"unread_tokens"`
	Usage        model.Usage   `json:"-"` // usage of all requests
	Time         time.Duration `json:"-"` // time of the requests that got a reply
	UnreadTime   time.Duration `json:"-"`
}

// Add returns the sum of two efforts.
func (e Effort) Add(f Effort) Effort {
	return Effort{
		Calls: e.Calls + f.Calls, Errors: e.Errors + f.Errors, Unparseable: e.Unparseable + f.Unparseable,
		Unread: e.Unread + f.Unread, UnreadTokens: e.UnreadTokens + f.UnreadTokens,
		Usage: e.Usage.Add(f.Usage), Time: e.Time + f.Time, UnreadTime: e.UnreadTime + f.UnreadTime,
	}
}

// Ask sends a request. If read returns an error for the reply, it asks once more with a reminder. Ask returns
// only ctx's error.
func Ask[T any](ctx context.Context, m model.Model, req model.Request, read func(string) (T, error)) (Reply[T], error) {
	var out Reply[T]
	for range 2 {
		response, err := m.Complete(ctx, req)
		out.Effort.Calls++
		if err != nil && ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil {
			out.Unread, out.Failed, out.Effort.Errors = nil, err, 1
			return out, nil
		}
		out.Effort = out.Effort.Add(Effort{Usage: response.Usage, Time: response.Took})
		value, err := read(replyOf(response.Message))
		if err == nil {
			out.Value, out.Unread = &value, nil
			return out, nil
		}
		out.Unread = err
		out.Effort = out.Effort.Add(Effort{
			Unread: 1, UnreadTokens: response.Usage.InputTokens + response.Usage.OutputTokens, UnreadTime: response.Took,
		})
		req.Identity.Step++
		req.Messages = append(req.Messages[:len(req.Messages):len(req.Messages)],
			model.Message{Role: model.User, Content: reminder})
	}
	out.Effort.Unparseable = 1
	return out, nil
}

// replyOf returns the text of a message. If the message has no text but one call, replyOf returns the arguments
// of the call. Reason: some servers answer a request with a schema by calling a tool that has the schema's
// name.
func replyOf(m model.Message) string {
	_, text := m.Speech()
	if strings.TrimSpace(text) == "" && len(m.ToolCalls) == 1 {
		return string(m.ToolCalls[0].Arguments)
	}
	return text
}
