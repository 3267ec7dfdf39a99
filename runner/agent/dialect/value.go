package dialect

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// as writes a value as JSON of one of the types. A value that fits none is written as text,
// or as its number, for the error of the schema check.
func (v value) as(types []string) (raw string, fits, repaired bool) {
	if len(types) == 0 {
		return v.guess(), true, false
	}
	for _, t := range types {
		if raw, repaired, ok := v.asType(t); ok {
			return raw, true, repaired
		}
	}
	if slices.Contains(types, "string") { // last: everything is text
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
		if whole, fraction, found := strings.Cut(raw, "."); t == "integer" && found && strings.Trim(fraction, "0") == "" {
			raw = whole // 5.0
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

// structure is a list or an object, repaired if necessary.
func (v value) structure(open string) (raw string, repaired, ok bool) {
	if !strings.HasPrefix(v.text, open) {
		return "", false, false
	}
	if json.Valid([]byte(v.text)) {
		return v.text, false, true
	}
	raw, ok = mend(v.text)
	return raw, true, ok && strings.HasPrefix(raw, open)
}

// guess is the JSON of a value without a schema; quoted values are text.
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

// decimal is a number in a notation slightly wider than JSON.
var decimal = regexp.MustCompile(`^([+-]?)0*([0-9]*)(\.[0-9]*)?([eE][+-]?[0-9]+)?$`)

// number is a text as a JSON number with the same digits.
func number(text string) (string, bool) {
	m := decimal.FindStringSubmatch(text)
	if m == nil || !strings.ContainsAny(strings.TrimSuffix(text, m[4]), "0123456789") {
		return "", false
	}
	sign, whole, fraction := strings.TrimPrefix(m[1], "+"), m[2], m[3]
	if whole == "" {
		whole = "0"
	}
	if fraction == "." {
		fraction = ""
	}
	raw := sign + whole + fraction + m[4]
	return raw, json.Valid([]byte(raw))
}
