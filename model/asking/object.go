package asking

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/model/asking/loose"
)

// Optional is a field of ReadInto that may be missing in a reply.
type Optional struct{ To any }

// ReadObject reads the JSON object with these fields at the end of a reply. The object may be the whole
// reply, be in a code fence, or follow other text, because models reason and quote before they reply. Text
// may follow the object only if the reply begins with the object. If there are several objects, the last one
// counts, even if it is invalid: an earlier one may be a quotation of a text whose author wants to choose the
// verdict. A repeated field is an error.
//
// Package loose lists the accepted notations. The object may be the only element of a list or of another
// object. Other fields are ignored.
//
// Source: docs/method.md §7.6.
func ReadObject(text string, fields ...string) (map[string]json.RawMessage, error) {
	return readObject(text, fields, fields)
}

func readObject(text string, fields, needed []string) (map[string]json.RawMessage, error) {
	found, err := find(text, fields, func(candidate) bool { return false })
	if err != nil {
		return nil, err
	}
	out := map[string]json.RawMessage{}
	for _, f := range fields {
		value, ok := found.fields[loose.Name(f)]
		switch {
		case ok:
			out[f] = value
		case found.Open || slices.Contains(needed, f):
			return nil, fmt.Errorf("the reply has no field %q", f)
		}
	}
	return out, nil
}

// candidate is an object of a reply that may be the answer.
type candidate struct {
	loose.Object
	fields map[string]json.RawMessage // fields of the object or, if it wraps another object, of that object
	// written is the text of the object in the reply.
	written string
}

// objectsOf returns the objects of a text, including objects inside others. It also returns the text to which
// their positions refer: if the reply is a JSON string, or has escaped quotes, this is the decoded text.
func objectsOf(text string) (string, []loose.Object, error) {
	var inner string
	if json.Unmarshal([]byte(text), &inner) == nil {
		text = inner
	}
	objects, err := loose.Objects(text)
	if len(objects) == 0 && strings.Contains(text, `\"`) {
		text = unescaped.Replace(text)
		objects, err = loose.Objects(text)
	}
	return text, objects, err
}

var unescaped = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n")

// find returns the object that counts in a reply. If that object lacks the fields and only contains another
// object, find returns the inner object. signed reports whether an object has the token. A quotation cannot
// have the token, so text may always follow an object that has it.
func find(text string, fields []string, signed func(candidate) bool) (candidate, error) {
	text, objects, err := objectsOf(text)
	if err != nil {
		return candidate{}, fmt.Errorf("the reply cannot be read: %w", err)
	}
	outer := loose.Outermost(objects)
	if len(outer) == 0 {
		return candidate{}, errors.New("the reply is not a JSON object, and does not end with one")
	}
	c := candidateOf(text, outer[len(outer)-1], fields)
	switch before, after := text[:c.Start], text[c.End:]; {
	case c.Twice != "":
		return c, fmt.Errorf("the reply has the field %q twice", c.Twice)
	case loose.Idle(after):
	case strings.Contains(after, "{"):
		return c, errors.New("the reply has another object after its JSON object, which cannot be read")
	case !signed(c) && !loose.Begins(before):
		return c, errors.New("the reply has text before its JSON object and after it")
	}
	return c, nil
}

// wrapped has the names of fields that an object may have in addition to the object that it contains: the
// fields of a JSON schema, and the token.
var wrapped = []string{"token", "type", "title", "name", "schema", "required", "additionalproperties"}

// candidateOf reads an object of a text. If the object only contains the requested object, as in {"verdict":
// {…}}, the candidate has the fields of the inner object. The outer object may also have the fields in wrapped.
func candidateOf(text string, o loose.Object, fields []string) candidate {
	c := candidate{Object: o, fields: o.Fields, written: text[o.Start:o.End]}
	has := func(object map[string]json.RawMessage) bool {
		return slices.ContainsFunc(fields, func(f string) bool { _, ok := object[loose.Name(f)]; return ok })
	}
	if has(o.Fields) {
		return c
	}
	var inner map[string]json.RawMessage
	for name, raw := range o.Fields {
		if slices.Contains(wrapped, name) {
			continue
		}
		var object map[string]json.RawMessage
		if inner != nil || json.Unmarshal(unlisted(raw), &object) != nil || !has(object) {
			return c
		}
		inner = object
	}
	if inner != nil {
		c.fields = inner
		if token, ok := o.Fields[tokenField]; ok && inner[tokenField] == nil {
			inner[tokenField] = token
		}
	}
	return c
}

// unlisted returns the only element of a list; other values are returned unchanged.
func unlisted(raw json.RawMessage) json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && len(list) == 1 {
		return list[0]
	}
	return raw
}

// ReadInto reads the object of a reply, as ReadObject does, into pointers, by the names of its fields. The type
// of a pointer decides how its field is read:
//
//   - A number or a boolean may be written as a text ("5", "yes").
//   - An integer may have a fraction of zero.
//   - null is accepted for a pointer to a pointer. It is also accepted for a text, where it means "".
//
// The error lists all problems.
func ReadInto(text string, fields map[string]any) error {
	names := slices.Sorted(maps.Keys(fields))
	needed := slices.DeleteFunc(slices.Clone(names),
		func(name string) bool { _, is := fields[name].(Optional); return is })
	object, err := readObject(text, names, needed)
	if err != nil {
		return err
	}
	var wrong []error
	for _, name := range names {
		to := fields[name]
		if o, is := to.(Optional); is {
			if to = o.To; object[name] == nil {
				continue
			}
		}
		if err := readField(object[name], to); err != nil {
			wrong = append(wrong, fmt.Errorf("the reply's field %q: %w", name, err))
		}
	}
	return errors.Join(wrong...)
}

// booleans maps words to the booleans that they mean.
var booleans = map[string]string{
	"true": "true", "yes": "true", "1": "true", "false": "false", "no": "false", "0": "false",
}

// wholeNumber matches an integer, which may have a fraction of zero.
var wholeNumber = lazy.Compile(`^(-?\d+)(?:\.0*)?$`)

// noValue are texts that mean null, except in fields that are texts.
var noValue = []string{"", "null", "none", "n/a", "unknown"}

func readField(raw json.RawMessage, to any) error {
	target := reflect.TypeOf(to).Elem()
	null := bytes.Equal(raw, []byte("null"))
	switch {
	case target.Kind() == reflect.Pointer:
		if element := target.Elem().Kind(); null || element != reflect.String && slices.Contains(noValue, wordOf(raw)) {
			return nil
		}
		inner := reflect.New(target.Elem())
		if err := readField(raw, inner.Interface()); err != nil {
			return err
		}
		reflect.ValueOf(to).Elem().Set(inner)
		return nil
	case null && target.Kind() != reflect.String:
		return errors.New("it is null")
	}
	return json.Unmarshal(fitted(raw, target), to)
}

// fitted converts a value to the form that a type needs, if it can; otherwise it returns the value unchanged.
func fitted(raw json.RawMessage, target reflect.Type) json.RawMessage {
	word := wordOf(raw)
	switch target.Kind() {
	case reflect.Bool:
		if b, known := booleans[word]; known {
			return json.RawMessage(b)
		}
	case reflect.Int:
		if m := wholeNumber.FindStringSubmatch(word); m != nil {
			return json.RawMessage(m[1])
		}
	case reflect.String:
		if raw[0] != '"' && raw[0] != '{' && raw[0] != '[' && word != "null" {
			raw, _ := json.Marshal(string(raw)) // encoding a text never fails
			return raw
		}
	case reflect.Slice:
		var list []json.RawMessage
		if target.Elem().Kind() == reflect.Int && json.Unmarshal(raw, &list) == nil {
			for i := range list {
				list[i] = fitted(list[i], target.Elem())
			}
			if raw, err := json.Marshal(list); err == nil {
				return raw
			}
		}
	}
	return raw
}

// wordOf returns the text of a value that is a text or a literal, in lower case and without surrounding
// blanks.
func wordOf(raw json.RawMessage) string {
	text := string(raw)
	var inner string
	if json.Unmarshal(raw, &inner) == nil && !bytes.Equal(raw, []byte("null")) {
		text = inner
	}
	return strings.ToLower(strings.TrimSpace(text))
}
