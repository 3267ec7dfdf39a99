package lines

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// Fault explains why text could not be decoded as JSON: which field has a value of the wrong type, or how the
// text begins if it is not JSON. Other errors are returned unchanged.
func Fault(err error, text []byte) error {
	if kind, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		where := "it"
		if kind.Field != "" {
			where = fmt.Sprintf("the field %q", strings.ToLower(kind.Field))
		}
		found := map[string]string{"array": "a list", "object": "an object", "string": "text",
			"bool": "true or false"}[kind.Value]
		if number, is := strings.CutPrefix(kind.Value, "number "); is {
			found = "the number " + number
		} else if found == "" {
			found = "a number"
		}
		return fmt.Errorf("%s is %s, not %s", where, found, wanted(kind.Type))
	}
	if syntax, is := errors.AsType[*json.SyntaxError](err); is {
		text = bytes.TrimSpace(text)
		switch {
		case !utf8.Valid(text):
			return errors.New("it is not UTF-8; save the file as UTF-8")
		case len(text) > 0 && text[0] != '{' && text[0] != '[':
			return fmt.Errorf("it is not JSON: it begins with %q", clip(text))
		}
		return errors.New("not JSON: " + Syntax(syntax))
	}
	return err
}

// wanted describes the JSON values that a Go type accepts.
func wanted(t reflect.Type) string {
	if t == reflect.TypeFor[json.Number]() {
		return "a number or text"
	}
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Pointer:
		return wanted(t.Elem())
	}
	return "a number"
}

// clip returns the start of text.
func clip(text []byte) string {
	const most = 20
	runes := []rune(string(text[:min(len(text), 4*most)]))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}
