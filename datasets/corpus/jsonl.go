package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lines"
)

// jsonl reads one document per line and holds one line at a time.
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
		r.add(d, name, number, name+"#"+slug(d.Title))
	})
}

// parseDocument returns a document, with an empty id where the line gives none.
func parseDocument(line []byte) (Document, error) {
	if !utf8.Valid(line) {
		return Document{}, errors.New("the line is not UTF-8; save the file as UTF-8")
	}
	var raw struct {
		ID     *identifier `json:"id"`
		Title  string      `json:"title"`
		Text   string      `json:"text"`
		Source string      `json:"source"`
	}
	if err := json.Unmarshal(line, &raw); err != nil {
		return Document{}, describeJSON(err)
	}
	d := Document{Title: raw.Title, Text: raw.Text, Source: raw.Source}
	if raw.ID != nil {
		d.ID = string(*raw.ID)
		if strings.TrimSpace(d.ID) == "" {
			return Document{}, errors.New("id is empty; give one, or leave it out")
		}
	}
	return d, nil
}

// identifier is text or a number, which stays as it is written.
type identifier string

// UnmarshalJSON takes a string or a number.
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

// describeJSON says what is wrong with a line in the words of its writer.
func describeJSON(err error) error {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not a JSON object: %v at byte %d", syntax, syntax.Offset)
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("expected a JSON object, found a JSON %s", wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("%s: expected text, found a JSON %s", wrong.Field, wrong.Value)
	}
	return err
}
