package external

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// colour matches escape sequences of terminals. JSON strings cannot contain their first byte.
var colour = lazy.Compile("\x1b\\[[0-?]*[ -/]*[@-~]")

// uncoloured returns an output without byte order mark and colours.
func uncoloured(output []byte) []byte {
	output = bytes.TrimPrefix(bytes.TrimSpace(output), []byte("\uFEFF"))
	if bytes.IndexByte(output, '\x1b') >= 0 {
		output = colour.ReplaceAll(output, nil)
	}
	return bytes.TrimSpace(output)
}

// noNumber matches the values NaN and Infinity, which Python writes in JSON.
var noNumber = lazy.Compile(`([:,\[]\s*)-?(?:NaN|Infinity)(\s*[,\]}])`)

// withoutNaN replaces NaN and Infinity in JSON by null. It does not change valid JSON. The expression does not
// match after a quotation mark, so that texts with these words do not change.
func withoutNaN(raw []byte) []byte {
	if json.Valid(raw) || !bytes.Contains(raw, []byte("NaN")) && !bytes.Contains(raw, []byte("Infinity")) {
		return raw
	}
	for range 2 { // twice, because neighbours in a list share a comma
		raw = noNumber.ReplaceAll(raw, []byte("${1}null${2}"))
	}
	return raw
}

// sideFields are the fields of a reply that have no effect on its answer.
var sideFields = []string{"steps", "evidence", "usage"}

// withoutOdd removes the side fields that do not follow the contract from a reply. It also returns the names of
// these fields.
func withoutOdd(raw []byte) (rest []byte, left []string) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return raw, nil
	}
	for name, value := range fields {
		var r Reply
		// encoding a value that was just read never fails
		alone, _ := json.Marshal(map[string]json.RawMessage{name: value})
		if slices.Contains(sideFields, strings.ToLower(name)) && json.Unmarshal(alone, &r) != nil {
			delete(fields, name)
			left = append(left, name)
		}
	}
	slices.Sort(left)
	rest, _ = json.Marshal(fields)
	return rest, left
}

// label is a text; a number is accepted as a text.
type label string

// UnmarshalJSON reads a text, a number, or null for "".
func (l *label) UnmarshalJSON(raw []byte) error {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return err
	}
	switch v := value.(type) {
	case nil:
	case string:
		*l = label(v)
	case json.Number:
		*l = label(v)
	default:
		return fmt.Errorf("%s is not a text", raw)
	}
	return nil
}

// UnmarshalJSON reads a document. The id may also be a number, and the score may also be a text that is a
// number.
func (d *ReplyDocument) UnmarshalJSON(raw []byte) error {
	type plain ReplyDocument
	in := struct {
		*plain
		ID    label           `json:"id"`
		Score json.RawMessage `json:"score"`
	}{plain: (*plain)(d)}
	if err := json.Unmarshal(raw, &in); err != nil {
		return err
	}
	d.ID = string(in.ID)
	if text := strings.Trim(string(in.Score), `"`); text != "" && text != "null" {
		if err := json.Unmarshal([]byte(text), &d.Score); err != nil {
			return fmt.Errorf("score: %w", err)
		}
	}
	return nil
}
