package otlp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// jsonReader reads requests in JSON without holding one in memory.
type jsonReader struct {
	in   *limitedReader
	dec  *json.Decoder
	take func(span, string)
	bad  func(error) // receives a record that cannot be read
}

// limitedReader limits the number of bytes that a decoder reads for one value.
type limitedReader struct {
	from io.Reader
	left int64
	over bool
}

func (l *limitedReader) Read(p []byte) (int, error) {
	if l.left <= 0 {
		l.over = true
		return 0, fmt.Errorf("a value has more than %d MiB", maxMessage>>20)
	}
	n, err := l.from.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

func newJSONReader(from io.Reader, take func(span, string), lost func(error)) *jsonReader {
	in := &limitedReader{from: from, left: maxMessage}
	r := &jsonReader{in: in, dec: json.NewDecoder(in), take: take, bad: lost}
	r.dec.UseNumber()
	return r
}

// The names of lists of resources, scopes and records: today's and older ones, and those of other programs.
var (
	resourceNames = []string{"resourceSpans", "resourceLogs", "resource_spans", "resource_logs", "batches"}
	scopeNames    = []string{"scopeSpans", "scopeLogs", "scope_spans", "scope_logs", "instrumentationLibrarySpans"}
	recordNames   = map[string]bool{"spans": true, "logRecords": false, "log_records": false} // true: spans
)

// file reads all requests of a file: one after the other, or in a list.
func (r *jsonReader) file() error {
	for n := 1; ; {
		r.in.left = maxMessage
		token, err := r.dec.Token()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return r.fault(n, err)
		}
		switch token {
		case json.Delim('['), json.Delim(']'): // a list of requests
			continue
		case json.Delim('{'):
			known := false
			if err := r.object(func(name string) error {
				if !contains(resourceNames, name) {
					known = known || strings.HasPrefix(name, "resource") // of metrics, or without entries
					return r.skip()
				}
				known = true
				return r.list(r.resource)
			}); err != nil {
				return r.fault(n, err)
			}
			if !known {
				return fmt.Errorf("request %d has no resourceSpans and no resourceLogs: give files of OTLP", n)
			}
			n++
		default:
			return fmt.Errorf("request %d is not an object: give files of OTLP", n)
		}
	}
}

// fault names the request with an error. errCut means that the file ends within it.
func (r *jsonReader) fault(n int, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		return errCut
	}
	return fmt.Errorf("request %d, byte %d: %w", n, r.dec.InputOffset(), err)
}

func contains(list []string, name string) bool {
	for _, s := range list {
		if s == name {
			return true
		}
	}
	return false
}

// object calls each with the names of an object, of which the first token was read. each reads the value.
func (r *jsonReader) object(each func(name string) error) error {
	for {
		r.in.left = maxMessage
		token, err := r.dec.Token()
		if err != nil {
			return err
		}
		name, is := token.(string)
		if !is {
			return nil // the end of the object
		}
		if err := each(name); err != nil {
			return err
		}
	}
}

// list calls each at every value of a list; null is an empty list.
func (r *jsonReader) list(each func() error) error {
	token, err := r.dec.Token()
	if err != nil || token == nil {
		return err
	}
	if token != json.Delim('[') {
		return errors.New("a list was expected")
	}
	for r.dec.More() {
		r.in.left = maxMessage
		if err := each(); err != nil {
			return err
		}
	}
	_, err = r.dec.Token()
	return err
}

func (r *jsonReader) begin() error {
	token, err := r.dec.Token()
	if err == nil && token != json.Delim('{') {
		err = errors.New("an object was expected")
	}
	return err
}

func (r *jsonReader) skip() error {
	var raw json.RawMessage
	return r.dec.Decode(&raw)
}

// resource reads the spans of a resource. If its name comes after the spans, their service is unknown.
func (r *jsonReader) resource() error {
	if err := r.begin(); err != nil {
		return err
	}
	service := ""
	return r.object(func(name string) error {
		switch {
		case name == "resource":
			var of struct{ Attributes []jsonAttribute }
			err := r.dec.Decode(&of)
			service = textOf(mapOf(of.Attributes)[serviceName])
			return err
		case contains(scopeNames, name):
			return r.list(func() error {
				if err := r.begin(); err != nil {
					return err
				}
				return r.object(func(name string) error {
					isSpans, known := recordNames[name]
					if !known {
						return r.skip()
					}
					return r.list(func() error { return r.record(isSpans, service) })
				})
			})
		}
		return r.skip()
	})
}

// record reads a span or a log record. A record with a value of another type than expected is counted; after an error
// of syntax, the rest of the file cannot be read.
func (r *jsonReader) record(isSpan bool, service string) error {
	read := readJSONLog
	if isSpan {
		read = readJSONSpan
	}
	before := r.dec.InputOffset()
	out, kept, err := read(r.dec)
	switch {
	case err != nil && (r.dec.InputOffset() == before || r.in.over):
		return err
	case err != nil:
		r.bad(err)
	case kept:
		r.take(out, service)
	}
	return nil
}
