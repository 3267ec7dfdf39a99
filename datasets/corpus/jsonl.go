package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// corpusReader collects the documents of several files and what is wrong with
// them.
type corpusReader struct {
	documents []Document
	places    map[string]string // of the ids seen: "file:line"
	errs      strictyaml.Errors
}

func (r *corpusReader) fail(label string, line int, format string, args ...any) {
	r.errs = append(r.errs, &strictyaml.Error{File: label, Line: line, Message: fmt.Sprintf(format, args...)})
}

// file reads one file; label is its name in messages.
func (r *corpusReader) file(folder fs.FS, name, label string) {
	f, err := folder.Open(name)
	if err != nil {
		r.fail(label, 0, "cannot be opened: %v", err)
		return
	}
	defer f.Close()
	lines.Each(f, func(number int, line []byte, err error) {
		switch {
		case errors.Is(err, lines.ErrLong):
			r.fail(label, number, "%v; split the document", err)
		case err != nil:
			r.fail(label, number, "cannot be read: %v", err)
		default:
			r.line(bytes.TrimSpace(line), fmt.Sprintf("%s:%d", name, number), label, number)
		}
	})
}

// line reads one document; place names it where it has no id.
func (r *corpusReader) line(line []byte, place, label string, number int) {
	document, err := parseDocument(line)
	if err != nil {
		r.fail(label, number, "%v", err)
		return
	}
	if document.ID == "" {
		document.ID = place
	}
	if first, again := r.places[document.ID]; again {
		r.fail(label, number, "duplicate id %q, first in %s", document.ID, first)
		return
	}
	r.places[document.ID] = place
	r.documents = append(r.documents, document)
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
	for _, required := range []struct{ field, value string }{{"title", raw.Title}, {"text", raw.Text}} {
		if strings.TrimSpace(required.value) == "" {
			return Document{}, fmt.Errorf("%s is missing or empty (a document needs title and text)", required.field)
		}
	}
	document := Document{Title: raw.Title, Text: raw.Text, Source: raw.Source}
	if raw.ID != nil {
		document.ID = string(*raw.ID)
		if strings.TrimSpace(document.ID) == "" {
			return Document{}, errors.New("id is empty; give one, or leave it out")
		}
	}
	return document, nil
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
