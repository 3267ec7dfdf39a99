package serper

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// object is a JSON object of a vendor, of which one odd field does not cost the whole reply.
type object map[string]json.RawMessage

// part reads an object within; it is nil where the field is missing. An error is a value of another kind.
func (o object) part(name string) (part object, err error) {
	if raw := o[name]; raw != nil && json.Unmarshal(raw, &part) != nil {
		return nil, fmt.Errorf("%s is not of the documented type", name)
	}
	return part, nil
}

// text is the first of some fields that says something.
func (o object) text(names ...string) string {
	for _, name := range names {
		if text := textOf(o[name]); text != "" {
			return text
		}
	}
	return ""
}

// textOf reads a field that the vendors fill with a string, a number or a list of them. Other values are read as "".
func textOf(raw json.RawMessage) string {
	var list []json.RawMessage
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		return scalar(raw)
	}
	var parts []string
	for _, item := range list { // one level only: each further one would read the rest again
		if s := scalar(item); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "; ")
}

func scalar(raw json.RawMessage) (s string) {
	switch {
	case len(raw) == 0 || strings.IndexByte("{[n", raw[0]) >= 0: // n begins null
		return ""
	case raw[0] != '"':
		return string(raw)
	case json.Unmarshal(raw, &s) != nil:
		return ""
	}
	return s
}

// answerText puts the short answer before the passage it was taken from; the highlighted words stand in for both.
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

// maxFacts bounds the facts of an entity.
const maxFacts = 20

// graphText spells an entity out: type, description, facts in the order of their names.
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
