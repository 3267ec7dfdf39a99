package serper

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// object is a JSON object from a vendor. Its fields are decoded one by one, so that one malformed field does
// not make the whole reply unreadable.
type object map[string]json.RawMessage

// part returns the object in a field; nil if the field is missing. A value of another type is an error.
func (o object) part(name string) (part object, err error) {
	if raw := o[name]; raw != nil && json.Unmarshal(raw, &part) != nil {
		return nil, fmt.Errorf("%s is not of the documented type", name)
	}
	return part, nil
}

// text returns the first non-empty text of the named fields.
func (o object) text(names ...string) string {
	for _, name := range names {
		if text := textOf(o[name]); text != "" {
			return text
		}
	}
	return ""
}

// textOf reads a field that is a string, a number or a list of these. For other values it returns "".
func textOf(raw json.RawMessage) string {
	var list []json.RawMessage
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		return scalar(raw)
	}
	var parts []string
	for _, item := range list { // only one level, because each further level would read the rest again
		if s := scalar(item); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "; ")
}

func scalar(raw json.RawMessage) (s string) {
	switch {
	case len(raw) == 0 || strings.IndexByte("{[n", raw[0]) >= 0: // null begins with n
		return ""
	case raw[0] != '"':
		return string(raw)
	case json.Unmarshal(raw, &s) != nil:
		return ""
	}
	return s
}

// answerText joins the short answer and the passage from which it was taken. If both are empty, it returns
// the highlighted words.
func answerText(answer, passage, highlighted string) string {
	switch {
	case answer != "" && passage != "" && answer != passage:
		return answer + " — " + passage
	case answer+passage == "":
		return highlighted
	case answer == "":
		return passage
	}
	return answer
}

// maxFacts is the maximum number of facts of an entity.
const maxFacts = 20

// graphText describes an entity as text: its type, description, and facts in the order of their names.
func graphText(kind, description string, facts map[string]string) string {
	var parts []string
	for _, s := range []string{kind, description} {
		if s = strings.TrimRight(strings.TrimSpace(s), "."); s != "" {
			parts = append(parts, s)
		}
	}
	names := slices.Sorted(maps.Keys(facts))
	for _, name := range names[:min(len(names), maxFacts)] {
		parts = append(parts, name+": "+facts[name])
	}
	return strings.Join(parts, ". ")
}
