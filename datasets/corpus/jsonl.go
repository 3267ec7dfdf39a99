package corpus

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lines"
)

// batchLines is the number of lines that are parsed together, on one core.
const batchLines = 256

// jsonLine is a line of a file, then its document; err says why it cannot be read.
type jsonLine struct {
	number   int
	text     []byte
	document Document
	err      error
}

// jsonl reads one document per line. It keeps only a few batches of lines in memory, and parses them at the same time.
func (r *reader) jsonl(name string, f io.Reader) {
	batches := make(chan chan []jsonLine, runtime.GOMAXPROCS(0)) // in the order of the file
	go func() {
		defer close(batches)
		inBatches(f, func(batch []jsonLine) {
			done := make(chan []jsonLine, 1)
			batches <- done
			go func() {
				parse(batch)
				done <- batch
			}()
		})
	}()
	for done := range batches {
		for _, l := range <-done {
			if l.err != nil {
				r.fail(name, l.number, "%v", l.err)
				continue
			}
			r.add(l.document, name, l.number, name+"#"+slugOf(l.document.Title))
		}
	}
}

// inBatches calls do with the lines of a file, batchLines at a time.
func inBatches(f io.Reader, do func([]jsonLine)) {
	var batch []jsonLine
	lines.Each(f, func(number int, line []byte, err error) {
		batch = append(batch, jsonLine{number: number, text: bytes.Clone(line), err: err})
		if len(batch) == batchLines {
			do(batch)
			batch = nil
		}
	})
	if len(batch) > 0 {
		do(batch)
	}
}

// parse reads the documents of lines.
func parse(batch []jsonLine) {
	for i := range batch {
		switch l := &batch[i]; {
		case errors.Is(l.err, lines.ErrLong):
			l.err = fmt.Errorf("%w; split the document", l.err)
		case l.err != nil:
			l.err = fmt.Errorf("cannot be read: %w", l.err)
		default:
			l.document, l.err = parseDocument(bytes.TrimSpace(l.text))
			l.text = nil
		}
	}
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
