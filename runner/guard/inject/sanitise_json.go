package inject

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// SanitiseJSON applies [Sanitise] to every string in a JSON value, keys of objects
// included: they are as much the tool's words as the values. Structure, order of
// keys, spacing and the spelling of numbers stay; a string that needs no change keeps
// its escapes. Two keys that differ only in what is taken out become equal.
//
// It returns an error for what is not JSON, or nested deeper than encoding/json
// reads (10,000 levels); Sanitise takes any text.
func SanitiseJSON(raw json.RawMessage) (json.RawMessage, []Change, error) {
	if !json.Valid(raw) {
		return nil, nil, fmt.Errorf("sanitise tool output: %w", errors.New("not a JSON value; treat it as text"))
	}
	var log changeLog
	var out bytes.Buffer
	kept := 0
	for at := 0; at < len(raw); at++ {
		if raw[at] != '"' {
			continue
		}
		end := stringEnd(raw, at)
		if clean, changed := sanitiseLiteral(raw[at:end], &log); changed {
			out.Write(raw[kept:at])
			out.Write(clean)
			kept = end
		}
		at = end - 1
	}
	if kept == 0 {
		return raw, nil, nil
	}
	out.Write(raw[kept:])
	return out.Bytes(), log.list(), nil
}

// stringEnd returns the index after the string that begins at the quote raw[at].
func stringEnd(raw []byte, at int) int {
	for i := at + 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

// sanitiseLiteral cleans one string literal.
func sanitiseLiteral(literal []byte, log *changeLog) (clean []byte, changed bool) {
	var text string
	if err := json.Unmarshal(literal, &text); err != nil {
		return nil, false
	}
	cleaned := sanitise(text, log)
	if cleaned == text {
		return nil, false
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(cleaned); err != nil {
		return nil, false
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), true
}
