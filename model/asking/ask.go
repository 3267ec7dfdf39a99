package asking

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
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
	Effort         Effort
	Repeated       bool // of a Verdict: a reply repeated the token
}

// Effort is the cost of questions to a model, cached or not. Packages that store it under other names declare a
// struct with the same fields and other tags, and convert.
type Effort struct {
	Calls       int `json:"calls"`       // requests, retries included
	Errors      int `json:"errors"`      // questions on which the model failed
	Unparseable int `json:"unparseable"` // questions without a readable reply after two attempts
	// Unread counts replies that could not be parsed, including those whose retry could be; UnreadTokens is their
	// cost, UnreadTime their time.
	Unread       int           `json:"unread"`
	UnreadTokens int           `json:"unread_tokens"`
	Usage        model.Usage   `json:"-"` // of all requests
	Time         time.Duration `json:"-"` // of those that got a reply
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

// Ask sends a request; if read refuses the reply, it asks once more with a reminder. The error is that of ctx.
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
		_, text := response.Message.Speech()
		value, err := read(text)
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

// ReadObject reads the JSON object with exactly these fields that a text ends with, alone, inside a code fence, or
// behind other text: models reason, and quote what they were shown, before they reply. An earlier object never
// counts, not even where the last one cannot be used: the quoted text may contain a reply that its author would like.
// Text behind the object and a repeated field are errors.
//
// Source: docs/method.md §7.6.
func ReadObject(text string, fields ...string) (map[string]json.RawMessage, error) {
	object, err := parseObject(lastObject(text))
	if err != nil {
		return nil, err
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

// maxBraces bounds the opening braces that lastObject tries, and so the time that a reply full of braces takes.
const maxBraces = 200

// lastObject is the JSON object at the end of a text, or a text that is no object. Only a whole
// object ends where the text ends: one within another leaves its closing brace.
func lastObject(text string) string {
	text = strings.TrimSpace(text)
	if inner, fenced := strings.CutSuffix(text, "```"); fenced {
		text = strings.TrimSpace(inner)
	}
	for i, tries := len(text), 0; tries < maxBraces; tries++ {
		if i = strings.LastIndexByte(text[:i], '{'); i < 0 {
			break
		}
		if json.Valid([]byte(text[i:])) {
			return text[i:]
		}
	}
	return text
}

// parseObject reads an object without repeated fields.
func parseObject(text string) (map[string]json.RawMessage, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return nil, errors.New("the reply is not a JSON object, and does not end with one")
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
		return nil, errors.New("the reply has text behind its JSON object")
	}
	return object, nil
}

// ReadInto reads the object of ReadObject into pointers by the names of its fields; only a pointer
// to a pointer takes null. A whole number may be written with a fraction of zero, such as 5.0. The
// error lists all that is wrong.
func ReadInto(text string, fields map[string]any) error {
	names := slices.Sorted(maps.Keys(fields))
	object, err := ReadObject(text, names...)
	if err != nil {
		return err
	}
	var wrong []error
	for _, name := range names {
		wrong = append(wrong, readField(object, name, fields[name]))
	}
	return errors.Join(wrong...)
}

func readField(object map[string]json.RawMessage, field string, to any) error {
	raw := object[field]
	if bytes.Equal(raw, []byte("null")) && reflect.TypeOf(to).Elem().Kind() != reflect.Pointer {
		return fmt.Errorf("the reply's field %q is null", field)
	}
	err := json.Unmarshal(raw, to)
	if err != nil {
		if whole, fraction, ok := bytes.Cut(raw, []byte(".")); ok && len(bytes.Trim(fraction, "0")) == 0 {
			err = json.Unmarshal(whole, to)
		}
	}
	if err != nil {
		return fmt.Errorf("the reply's field %q: %w", field, err)
	}
	return nil
}
