package otlp

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// span is what is kept of a span, or of a log record.
type span struct {
	traceID    [16]byte
	id, parent [8]byte
	start, end uint64 // in nanoseconds
	server     bool   // the span is the server's side of a request
	log        bool

	content
}

// content is the part of a span that is in the temporary file.
type content struct {
	Name       string         `json:"n,omitempty"` // of an event, for a log record
	Failed     bool           `json:"f,omitempty"` // the status is an error
	Status     string         `json:"s,omitempty"` // the text of the status
	Attributes map[string]any `json:"a,omitempty"`
	Events     []event        `json:"e,omitempty"`
	Body       any            `json:"b,omitempty"` // of a log record
}

// event is a span event.
type event struct {
	Name       string         `json:"n"`
	Attributes map[string]any `json:"a,omitempty"`
}

// keptEvents begin the names of span events and log records that have messages, or a failure.
var keptEvents = []string{"gen_ai.", "exception"}

func keptEvent(name string) bool {
	for _, p := range keptEvents {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// value returns the value of a field: that of the first of its attributes that the span has; nil without one.
func (c content) value(field string) any {
	for _, name := range table().fields[field] {
		if prefix, is := strings.CutSuffix(name, numbered); is {
			if list := nested(c.Attributes, prefix+"."); list != nil {
				return list
			}
		} else if v, has := c.Attributes[name]; has && v != nil && v != "" {
			return v
		}
	}
	return nil
}

func (c content) text(field string) string { return textOf(c.value(field)) }

// recordedInput returns the question that a framework recorded as the input of a function.
func (c content) recordedInput() string {
	return plainText(c.value("input"), "user", "input", "query", "question", "prompt", "text", "content")
}

// recordedOutput returns the final message that a framework recorded as the output of a function.
func (c content) recordedOutput() string {
	return plainText(c.value("output"), "assistant", "output", "answer", "result", "response", "text", "content")
}

func (c content) number(field string) int {
	n, err := strconv.ParseFloat(c.text(field), 64)
	if err != nil || n < 0 || n > 1<<50 {
		return 0
	}
	return int(n)
}

// textOf returns a value as a text: JSON for lists and objects, "" for a missing value.
func textOf(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		return v.String()
	}
	raw, err := json.Marshal(value)
	if err != nil { // NaN or infinity
		return ""
	}
	return string(raw)
}

// nested returns the attributes that begin with a prefix as one value. Names with dots become objects, and objects
// whose names are numbers become lists: a.0.b and a.1.b are a list of two objects. It returns nil without such
// attributes.
func nested(attributes map[string]any, prefix string) any {
	var root map[string]any
	for name, value := range attributes {
		rest, is := strings.CutPrefix(name, prefix)
		if !is {
			continue
		}
		if root == nil {
			root = map[string]any{}
		}
		putAt(root, rest, value)
	}
	if root == nil {
		return nil
	}
	return listed(root)
}

// maxDepth is the greatest depth of names with dots, and of values in values.
const maxDepth = 32

// putAt sets the value at a path of names with dots.
func putAt(into map[string]any, path string, value any) {
	for range maxDepth {
		head, rest, more := strings.Cut(path, ".")
		if !more {
			if _, taken := into[head]; !taken {
				into[head] = value
			}
			return
		}
		inner, is := into[head].(map[string]any)
		if !is {
			inner = map[string]any{}
			into[head] = inner
		}
		into, path = inner, rest
	}
}

// listed turns objects whose names are numbers into lists, in the order of the numbers.
func listed(value any) any {
	object, is := value.(map[string]any)
	if !is {
		return value
	}
	numbers := make([]int, 0, len(object))
	for name, v := range object {
		object[name] = listed(v)
		if n, err := strconv.Atoi(name); err == nil && n >= 0 {
			numbers = append(numbers, n)
		}
	}
	if len(numbers) == 0 || len(numbers) < len(object) {
		return object
	}
	slices.Sort(numbers)
	list := make([]any, len(numbers))
	for i, n := range numbers {
		list[i] = object[strconv.Itoa(n)]
	}
	return list
}
