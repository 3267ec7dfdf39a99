package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/wire"
)

// Limits of a reply's lists; decoding more would cost far more time than its bytes suggest.
const (
	maxChoices = 16
	maxCalls   = 1000
	maxParts   = 10_000
)

var errMore = errors.New("there are more than are read")

// elements reads a JSON array up to a limit; errMore reports that it continues. null and an
// empty text have no elements.
func elements[T any](raw json.RawMessage, limit int) ([]T, error) {
	if !wire.Present(raw) {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if start, err := dec.Token(); err != nil || start != json.Delim('[') {
		return nil, errors.New("it is no list")
	}
	var out []T
	for dec.More() {
		if len(out) == limit {
			return out, errMore
		}
		var element T
		if err := dec.Decode(&element); err != nil {
			return nil, err
		}
		out = append(out, element)
	}
	return out, nil
}

// contentOf is the text of a content: the string itself, or the texts of its parts.
// Thinking parts, which Mistral writes as nested parts, are the thought; other types have
// no text.
func contentOf(raw json.RawMessage) (text, thought string, err error) {
	if !wire.Present(raw) || json.Unmarshal(raw, &text) == nil {
		return text, "", nil
	}
	type part struct {
		Text     string          `json:"text"`
		Thinking json.RawMessage `json:"thinking"`
	}
	parts, err := elements[part](raw, maxParts)
	if err != nil {
		return "", "", fmt.Errorf("content: %w", err)
	}
	var texts, thoughts strings.Builder
	for _, p := range parts {
		texts.WriteString(p.Text)
		if inner, _, err := contentOf(p.Thinking); err == nil {
			thoughts.WriteString(inner)
		}
	}
	return texts.String(), thoughts.String(), nil
}

// argumentsOf is the text of a call's arguments, or their raw JSON.
func argumentsOf(raw json.RawMessage) (string, error) {
	switch raw = bytes.TrimSpace(raw); {
	case !wire.Present(raw):
		return "", nil
	case raw[0] == '"':
		var text string
		err := json.Unmarshal(raw, &text)
		return text, err
	default:
		return string(raw), nil
	}
}
