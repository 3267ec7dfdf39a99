package checking

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/schema"
)

// words is one text that checks read. Its other forms are made when they are first needed.
type words struct {
	what   string // in reasons
	body   string
	folded *string
	value  *jsonValue
}

// jsonValue is a text as JSON.
type jsonValue struct {
	value any
	err   error
}

// fold returns the text in lower case.
func (t *words) fold() string {
	if t.folded == nil {
		folded := lower(t.body)
		t.folded = &folded
	}
	return *t.folded
}

// lower returns strings.ToLower of a text. For ASCII it needs about half of the time.
func lower(s string) string {
	out := make([]byte, len(s))
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf {
			return strings.ToLower(s)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		out[i] = c
	}
	return string(out)
}

// json returns the text as a JSON value. The error says that it is not JSON.
func (t *words) json() (any, error) {
	if t.value == nil {
		value, err := schema.Decode([]byte(t.body))
		t.value = &jsonValue{value, t.noJSON(err)}
	}
	return t.value.value, t.value.err
}

// noJSON returns the error of the JSON decoder with the name of the text; nil if err is nil.
func (t *words) noJSON(err error) error {
	switch {
	case err == nil:
		return nil
	case strings.Contains(t.body, "```"):
		return fmt.Errorf("the %s is not JSON: %w; a code fence is part of the %[1]s", t.what, err)
	}
	return fmt.Errorf("the %s is not JSON: %w", t.what, err)
}
