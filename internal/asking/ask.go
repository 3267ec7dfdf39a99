// Package asking puts a closed question to a language model: it fences data so that no text
// in it looks like the prompt, retries once, reads a reply in one way or refuses it, and
// caches results.
//
// Prompts belong to its callers, the verifier and the judges. It imports runner/model.
package asking

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/runner/model"
)

// reminder follows a reply that could not be parsed.
const reminder = "Your previous reply could not be read. Reply with the one JSON object that was asked for and nothing else: no other text, no code fence."

// Reply is the result of asking a model: a value, or the reason for its absence.
type Reply[T any] struct {
	Value *T
	// Unread is why the last reply was refused, Failed the model's error. At most one of
	// Value, Unread and Failed is set.
	Unread, Failed error
	Spent
	Unreadable Spent // the part for refused replies
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

// Ask sends a request; if read refuses the reply, it asks once more with a reminder. The
// error is that of ctx.
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
		_, text := response.Message.Speech()
		value, err := read(text)
		if err == nil {
			out.Value, out.Unread = &value, nil
			return out, nil
		}
		out.Unread = err
		out.Unreadable.Calls++
		out.Unreadable.add(response)
		req.Identity.Step++
		req.Messages = append(req.Messages[:len(req.Messages):len(req.Messages)], model.Message{Role: model.User, Content: reminder})
	}
	return out, nil
}

// ReadObject reads a text that is one JSON object with exactly these fields, alone or
// inside a code fence. Other text around it, a second object and a repeated field are
// errors: a reply with two possible readings is refused.
func ReadObject(text string, fields ...string) (map[string]json.RawMessage, error) {
	dec := json.NewDecoder(strings.NewReader(unfence(text)))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return nil, errors.New("the reply is not a JSON object")
	}
	object := map[string]json.RawMessage{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("the reply is not a JSON object: %w", err)
		}
		field, _ := name.(string) // the decoder allows only strings here
		if _, twice := object[field]; twice {
			return nil, fmt.Errorf("the reply has the field %q twice", field)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, fmt.Errorf("the reply's field %q: %w", field, err)
		}
		object[field] = value
	}
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("the reply is not a JSON object: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the reply contains more than one JSON object")
	}
	for _, f := range fields {
		if _, ok := object[f]; !ok {
			return nil, fmt.Errorf("the reply has no field %q", f)
		}
	}
	if len(object) != len(fields) {
		return nil, errors.New("the reply has a field that was not asked for")
	}
	return object, nil
}

// unfence removes a code fence around the whole text.
func unfence(text string) string {
	body, fenced := strings.CutPrefix(strings.TrimSpace(text), "```")
	if !fenced {
		return text
	}
	first, rest, _ := strings.Cut(body, "\n")
	inner, closed := strings.CutSuffix(strings.TrimSpace(rest), "```")
	if !closed || strings.ContainsAny(first, "{}") || strings.Contains(inner, "```") {
		return text
	}
	return inner
}

// ReadField reads one field of an object; null is an error.
func ReadField[T any](object map[string]json.RawMessage, field string) (T, error) {
	var v T
	if bytes.Equal(object[field], []byte("null")) {
		return v, fmt.Errorf("the reply's field %q is null", field)
	}
	if err := json.Unmarshal(object[field], &v); err != nil {
		return v, fmt.Errorf("the reply's field %q: %w", field, err)
	}
	return v, nil
}
