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

// reminder is added where a reply could not be read.
const reminder = "Your previous reply could not be read. Reply with the one JSON object that was asked for and nothing else: no other text, no code fence."

// Reply is what came of asking a model: a value, or the reason why there is none.
type Reply[T any] struct {
	Value *T
	// Unread is why the last reply was not what was asked for; failed is the model's
	// error. At most one of the two is set, and neither beside a value.
	Unread, Failed error
	Spent
	Unreadable Spent // the part that went to replies which were refused
}

// Spent is what requests took.
type Spent struct {
	Calls int
	Usage model.Usage
	Time  time.Duration // of those that were answered
}

func (s *Spent) add(r model.Response) {
	s.Usage, s.Time = s.Usage.Add(r.Usage), s.Time+r.Took
}

// Ask sends a request, and once more, with a reminder, where read refuses the reply. The
// error is that of ctx alone.
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
		_, said := response.Message.Speech()
		value, err := read(said)
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

// ReadObject reads a text that is one JSON object with exactly these fields, each once,
// alone or in a code fence of its own. Anything else around it, a second object and a
// repeated field are errors: a reply that can be read in two ways is not read at all.
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
		field, _ := name.(string) // the decoder lets nothing else stand there
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
		return nil, errors.New("the reply holds more than one JSON object")
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

// unfence takes a text out of the one code fence around all of it.
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
