package dialect

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kaptinlin/jsonrepair"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/lines"
)

// as returns a value as JSON of one of the types. If the value fits no type, it becomes a string or a number,
// so that the schema check can report it.
func (v value) as(types []string) (raw string, fits, repaired bool) {
	if len(types) == 0 {
		return v.guess(), true, false
	}
	for _, t := range types {
		if raw, repaired, ok := v.asType(t); ok {
			return raw, true, repaired
		}
	}
	if slices.Contains(types, "string") { // last, because any value can be a string
		return quote(v.text), true, false
	}
	if n, ok := number(v.text); ok && slices.Contains(types, "integer") {
		return n, false, false
	}
	return quote(v.text), false, false
}

func (v value) asType(t string) (raw string, repaired, ok bool) {
	switch t {
	case "number", "integer":
		raw, ok = number(v.text)
		if whole, fraction, found := strings.Cut(raw, "."); t == "integer" && found &&
			strings.Trim(fraction, "0") == "" {
			raw = whole // 5.0 is the integer 5
		}
		return raw, false, ok && (t == "number" || !strings.ContainsAny(raw, ".eE"))
	case "boolean":
		raw = strings.ToLower(v.text)
		return raw, false, raw == "true" || raw == "false"
	case "null":
		return "null", false, !v.quoted && (v.text == "null" || v.text == "None")
	case "array":
		return v.structure("[")
	case "object":
		return v.structure("{")
	default:
		return "", false, false
	}
}

// structure returns a list or an object, repaired if necessary.
func (v value) structure(open string) (raw string, repaired, ok bool) {
	if !strings.HasPrefix(v.text, open) {
		return "", false, false
	}
	if json.Valid([]byte(v.text)) {
		return v.text, false, true
	}
	raw, ok = repairJSON(v.text)
	return raw, true, ok && strings.HasPrefix(raw, open)
}

// guess returns the JSON of a value without a schema; quoted values are text.
func (v value) guess() string {
	switch {
	case v.quoted:
		return quote(v.text)
	case v.text == "True" || v.text == "False":
		return strings.ToLower(v.text)
	case v.text == "None":
		return "null"
	case json.Valid([]byte(v.text)):
		return v.text
	default:
		return quote(v.text)
	}
}

// decimal matches a number in a notation slightly wider than JSON.
var decimal = lazy.Compile(`^([+-]?)0*([0-9]*)(\.[0-9]*)?([eE][+-]?[0-9]+)?$`)

// number returns a text as a JSON number with the same digits.
func number(text string) (string, bool) {
	m := decimal.FindStringSubmatch(text)
	if m == nil || !strings.ContainsAny(strings.TrimSuffix(text, m[4]), "0123456789") {
		return "", false
	}
	raw := strings.TrimPrefix(m[1], "+") + cmp.Or(m[2], "0") + strings.TrimSuffix(m[3], ".") + m[4]
	return raw, json.Valid([]byte(raw))
}

// maxRepair limits the size of JSON that is repaired, in bytes. Reason: the library recurses for every bracket,
// and its time grows faster than its input.
const maxRepair = 4 << 10

// readArguments reads the JSON object of an action, with or without a fence, and repairs it if necessary. what
// is its name in errors.
func readArguments(raw, what string) (arguments string, repaired bool, err error) {
	arguments = unfence(raw)
	if arguments == "" {
		return "{}", false, nil
	}
	if isObject(arguments) {
		return arguments, false, nil
	}
	if one, several := oneOf(arguments); several {
		return one, true, nil
	}
	broken := objectIn(arguments)
	if len(broken) > maxRepair {
		return "", false, fmt.Errorf("%s is not a JSON object, and at %d bytes too long to mend", what, len(broken))
	}
	if mended, ok := repairJSON(broken); ok && isObject(mended) {
		return mended, true, nil
	}
	return "", false, errors.New(what + " is not a JSON object")
}

// repairJSON repairs short JSON. It checks the result, because the library may return JSON that is not valid.
func repairJSON(broken string) (string, bool) {
	if len(broken) > maxRepair {
		return "", false
	}
	mended, err := jsonrepair.Repair(broken)
	return mended, err == nil && json.Valid([]byte(mended))
}

// unfence removes a Markdown code fence.
func unfence(text string) string {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "```") {
		return text
	}
	_, text, _ = strings.Cut(text, "\n")
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "```"))
}

// objectIn removes prose around an object.
func objectIn(text string) string {
	if i := strings.IndexByte(text, '{'); i >= 0 {
		text = text[i:]
	}
	if i := strings.LastIndexByte(text, '}'); i >= 0 {
		text = text[:i+1]
	}
	return text
}

func isObject(text string) bool {
	_, ok := fieldsOf(text)
	return ok
}

func fieldsOf(text string) (map[string]json.RawMessage, bool) {
	var object map[string]json.RawMessage
	err := json.Unmarshal([]byte(text), &object)
	return object, err == nil && object != nil
}

// quote encodes a text as JSON without unnecessary escapes.
func quote(text string) string {
	raw, _ := lines.Encode(text) // encoding a string never fails
	return string(raw)
}

// plain returns the text of a JSON string. Other text is returned unchanged.
func plain(raw string) string {
	if text, quoted := unquote(raw); quoted {
		return text
	}
	return raw
}

// unquote decodes a JSON string.
func unquote(raw string) (string, bool) {
	if !strings.HasPrefix(raw, `"`) {
		return "", false
	}
	var text string
	err := json.Unmarshal([]byte(raw), &text)
	return text, err == nil
}
