package corpus

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lines"
)

// jsonl reads one document per line and keeps one line in memory.
func (r *reader) jsonl(name string, f io.Reader) {
	lines.Each(f, func(number int, line []byte, err error) {
		switch {
		case errors.Is(err, lines.ErrLong):
			r.fail(name, number, "%v; split the document", err)
			return
		case err != nil:
			r.fail(name, number, "cannot be read: %v", err)
			return
		}
		d, err := parseDocument(bytes.TrimSpace(line))
		if err != nil {
			r.fail(name, number, "%v", err)
			return
		}
		r.add(d, name, number, name+"#"+slugOf(d.Title))
	})
}

// parseDocument returns a document; its id is empty if the line gives none.
func parseDocument(line []byte) (Document, error) {
	if !utf8.Valid(line) {
		return Document{}, errors.New("the line is not UTF-8; save the file as UTF-8")
	}
	var raw struct {
		Document
		ID *identifier `json:"id"`
	}
	if err := json.Unmarshal(line, &raw); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			err = fmt.Errorf("%s is a JSON %s", cmp.Or(strings.TrimPrefix(wrong.Field, "Document."), "the line"),
				wrong.Value)
		} else if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
			return Document{}, errors.New("not JSON: " + lines.Syntax(wrong))
		}
		return Document{}, fmt.Errorf("%w: write a JSON object with title and text, and optionally id and source", err)
	}
	if raw.ID != nil {
		raw.Document.ID = string(*raw.ID)
		if strings.TrimSpace(raw.Document.ID) == "" {
			return Document{}, errors.New("id is empty; give one, or leave it out")
		}
	}
	return raw.Document, nil
}

// identifier is text or a number, kept as written.
type identifier string

// UnmarshalJSON reads a string or a number.
func (id *identifier) UnmarshalJSON(data []byte) error {
	switch {
	case data[0] == '"':
		return json.Unmarshal(data, (*string)(id))
	case data[0] == '-' || data[0] >= '0' && data[0] <= '9':
		*id = identifier(data)
		return nil
	}
	return errors.New("id is neither text nor a number")
}
