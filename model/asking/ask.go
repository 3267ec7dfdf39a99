package asking

import (
	"context"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/model"
)

// reminder follows a reply that could not be parsed.
const reminder = "Your previous reply could not be read. Reply with the one JSON object that was asked for and " +
	"nothing else: no other text, no code fence."

// Reply is the result of asking a model: a value, or the reason for its absence.
type Reply[T any] struct {
	Value *T
	// Unread is why the last reply was refused, Failed the model's error. At most one of
	// Value, Unread and Failed is set.
	Unread, Failed error
	Spent
	Unreadable Spent // the part for refused replies
	Repeated   bool  // of a Verdict: a reply repeated the token
}

// Spent is the cost of requests.
type Spent struct {
	Calls int
	Usage model.Usage
	Time  time.Duration // of the requests that got a reply
}

func (s *Spent) add(r model.Response) {
	s.Usage, s.Time = s.Usage.Add(r.Usage), s.Time+r.Took
}

// Ask sends a request; if read refuses the reply, it asks once more with a reminder. The error is that of ctx.
func Ask[T any](ctx context.Context, m model.Model, req model.Request, read func(string) (T, error)) (Reply[T], error) {
	var out Reply[T]
	for range 2 {
		response, err := m.Complete(ctx, req)
		out.Calls++
		if err != nil && ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil {
			out.Unread, out.Failed = nil, err
			return out, nil
		}
		out.add(response)
		value, err := read(replyOf(response.Message))
		if err == nil {
			out.Value, out.Unread = &value, nil
			return out, nil
		}
		out.Unread = err
		out.Unreadable.Calls++
		out.Unreadable.add(response)
		req.Identity.Step++
		req.Messages = append(req.Messages[:len(req.Messages):len(req.Messages)],
			model.Message{Role: model.User, Content: reminder})
	}
	return out, nil
}

// replyOf is what a message says. Of one without words it is the arguments of its only call: some servers answer a
// request with a schema by a call of a tool of that name.
func replyOf(m model.Message) string {
	_, text := m.Speech()
	if strings.TrimSpace(text) == "" && len(m.ToolCalls) == 1 {
		return string(m.ToolCalls[0].Arguments)
	}
	return text
}
