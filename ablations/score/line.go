package score

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/trace"
)

type given struct {
	text string // the text; a number as it is written; of a message, its short answer
	null bool   // null or blank, or a message without a short answer

	message string        // set with Options.Messages
	outcome trace.Outcome // outcome of a message; "" for a short answer
}

type line struct {
	number  int
	id      string
	query   string
	golds   []string // all right answers; empty if unknown
	answers []given
	correct []bool // nil without verdicts
}

// parse reads a line. Its errors state the fact and one action.
func (o Options) parse(number int, text []byte) (line, error) {
	l := line{number: number, id: strconv.Itoa(number)}
	if !utf8.Valid(text) {
		return l, fmt.Errorf("the line is not UTF-8: save the file as UTF-8")
	}
	var fields map[string]json.RawMessage
	if err := lines.Decode(text, &fields); err != nil {
		return l, fmt.Errorf("%w; write one object on each line: {\"id\": …, \"gold\": …, \"answers\": […]}",
			lines.Fault(err, text))
	}
	if id, kind := scalar(findField(fields, o.Fields.ID)); kind == isText {
		l.id = id
	} else if kind == isOther {
		return l, fmt.Errorf("the id %q is neither text nor a number; name another field with --id", o.Fields.ID)
	}
	for _, name := range []string{"query", "question"} {
		if query, kind := scalar(fields[name]); kind == isText && l.query == "" {
			l.query = query
		}
	}
	var err error
	if l.answers, err = o.answers(fields); err != nil {
		return l, err
	}
	if o.Fields.Correct != "" {
		l.correct, err = o.verdicts(fields, len(l.answers))
		return l, err
	}
	l.golds, err = o.golds(fields)
	return l, err
}

func (o Options) answers(fields map[string]json.RawMessage) ([]given, error) {
	raw := findField(fields, o.Fields.Answers)
	if raw == nil {
		return nil, fmt.Errorf("there is no field %q for the answers; the line has %s; name its field with --answers",
			o.Fields.Answers, cmp.Or(text.ListedUpTo(10, slices.Sorted(maps.Keys(fields))), "no fields"))
	}
	list := elements(raw)
	if len(list) == 0 || len(list) > result.MaxCurve {
		return nil, fmt.Errorf("there are %d answers in %q; write 1 to %d", len(list), o.Fields.Answers,
			result.MaxCurve)
	}
	out := make([]given, len(list))
	for i, raw := range list {
		text, kind := scalar(raw)
		if kind == isOther {
			return nil, fmt.Errorf("answer %d is neither text, a number nor null: %.40s; write it as text", i+1, raw)
		}
		text = strings.TrimSpace(text)
		out[i] = given{text: text, null: kind == isNull || text == ""}
	}
	return out, nil
}

func (o Options) verdicts(fields map[string]json.RawMessage, answers int) ([]bool, error) {
	raw := findField(fields, o.Fields.Correct)
	if _, kind := scalar(raw); kind == isNull {
		return nil, nil
	}
	list := elements(raw)
	if len(list) != answers {
		return nil, fmt.Errorf("there are %d verdicts in %q for %d answers; write one for each answer", len(list),
			o.Fields.Correct, answers)
	}
	out := make([]bool, len(list))
	for i, raw := range list {
		switch string(raw) {
		case "true", "1":
			out[i] = true
		case "false", "0":
		default:
			return nil, fmt.Errorf("verdict %d in %q is %.40s; write true or false", i+1, o.Fields.Correct, raw)
		}
	}
	return out, nil
}

// golds returns the golds; nil if the gold is null or missing.
func (o Options) golds(fields map[string]json.RawMessage) ([]string, error) {
	var out []string
	for _, raw := range elements(findField(fields, o.Fields.Gold)) {
		text, kind := scalar(raw)
		if kind == isOther {
			return nil, fmt.Errorf("the gold %q is neither text, a number nor null: %.40s; name a field in it, such "+
				"as --gold %s.text", o.Fields.Gold, raw, o.Fields.Gold)
		}
		if text = strings.TrimSpace(text); text != "" {
			out = append(out, text)
		}
	}
	return out, nil
}

// findField returns the value at a path; nil if there is no value. A field whose name is the whole path takes
// precedence.
func findField(fields map[string]json.RawMessage, path string) json.RawMessage {
	if raw, ok := fields[path]; ok {
		return raw
	}
	name, rest, deeper := strings.Cut(path, ".")
	raw := fields[name]
	if !deeper || raw == nil {
		return nil
	}
	var inner map[string]json.RawMessage
	if raw[0] == '[' {
		inner = map[string]json.RawMessage{}
		for i, element := range elements(raw) {
			inner[strconv.Itoa(i)] = element
		}
	} else if json.Unmarshal(raw, &inner) != nil {
		return nil
	}
	return findField(inner, rest)
}

// elements returns the elements of a list; a single value as a list; nil if there is no value.
func elements(raw json.RawMessage) []json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	if raw[0] != '[' {
		return []json.RawMessage{raw}
	}
	var list []json.RawMessage
	_ = lines.Decode(raw, &list) // part of a valid line, so it is valid
	return list
}

// jsonKind is the kind of a JSON value.
type jsonKind int

const (
	isNull jsonKind = iota // or missing
	isText                 // or a number, as written
	isOther
)

func scalar(raw json.RawMessage) (text string, k jsonKind) {
	switch {
	case len(raw) == 0 || raw[0] == 'n':
		return "", isNull
	case raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0:
		return string(raw[1 : len(raw)-1]), isText
	case raw[0] == '"':
		_ = json.Unmarshal(raw, &text) // part of a valid line, so it is valid
		return text, isText
	case raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9':
		return string(raw), isText
	}
	return "", isOther
}
