package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"strings"
)

// EventStream is the media type of a stream.
const EventStream = "text/event-stream"

// doneMark is the data that ends the streams of most endpoints.
const doneMark = "[DONE]"

// BadStream is the error of a stream that does not follow the API.
type BadStream string

func (e BadStream) Error() string { return string(e) }

// Failed is the error of a stream that reports a failure; Body is the report.
type Failed struct{ Body json.RawMessage }

func (e Failed) Error() string { return "the stream reports a failure" }

// ErrCut is the error of a stream that ended before the reply was complete.
var ErrCut = errors.New("the stream broke off before the reply was complete")

// IsStream distinguishes a stream from a reply in one piece, which some endpoints send instead. If the
// content type is unclear, the first byte decides.
func IsStream(contentType string, body *bufio.Reader) bool {
	kind, _, _ := mime.ParseMediaType(contentType)
	switch {
	case kind == EventStream:
		return true
	case strings.Contains(kind, "json") || strings.Contains(kind, "html"):
		return false
	}
	first, err := body.Peek(1)
	return err == nil && !strings.ContainsAny(string(first), "{[< \t\r\n")
}

// Events reads the data of server-sent events, at most MaxBody bytes. Event names are
// ignored, because the data has the same information.
type Events struct {
	body  *bounded
	lines *bufio.Scanner
	first bool // no line has been read yet
	// done: the stream had its end mark. cut: the stream ended without it, perhaps within the last event.
	done, cut bool
}

// NewEvents returns a reader of a body's events.
func NewEvents(body io.Reader) *Events {
	e := &Events{body: &bounded{in: io.LimitReader(body, MaxBody+1), left: MaxBody}, first: true}
	e.lines = bufio.NewScanner(e.body)
	e.lines.Buffer(nil, MaxBody+2)
	e.lines.Split(e.split)
	return e
}

// bounded reads at most left bytes from a reader; reading more is an error.
type bounded struct {
	in     io.Reader
	left   int
	failed bool // the reader failed with an error other than io.EOF
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	if b.left -= n; b.left < 0 {
		n, err = 0, BadStream(fmt.Sprintf("it is longer than %d bytes", MaxBody))
	}
	b.failed = err != nil && !errors.Is(err, io.EOF)
	return n, err
}

// split implements bufio.SplitFunc for lines that end in a line feed, a carriage return, or both.
func (e *Events) split(data []byte, atEOF bool) (advance int, line []byte, err error) {
	end := len(data)
	for _, mark := range []byte("\r\n") {
		if at := bytes.IndexByte(data[:end], mark); at >= 0 {
			end = at
		}
	}
	rest := data[end:]
	switch {
	case len(rest) == 0 && atEOF && len(data) > 0 && !e.body.failed:
		e.cut = true
		return len(data), data, nil
	case len(rest) == 0 || len(rest) == 1 && rest[0] == '\r' && !atEOF: // a line feed may follow
		return 0, nil, nil
	case bytes.HasPrefix(rest, []byte("\r\n")):
		return end + 2, data[:end], nil
	}
	return end + 1, data[:end], nil
}

// Done reports whether the stream's end mark has been read.
func (e *Events) Done() bool { return e.done }

// Next returns the data of the next event with data. At the end it returns io.EOF, with or without an end
// mark. Any other error is a BadStream or an error of the body.
func (e *Events) Next() ([]byte, error) {
	var data []byte
	for !e.done {
		if !e.lines.Scan() {
			if err := e.lines.Err(); err != nil {
				return nil, err
			}
			e.cut = true
			break
		}
		line := e.lines.Bytes()
		if e.first {
			line, e.first = bytes.TrimPrefix(line, []byte("\uFEFF")), false
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch {
		case len(line) == 0 && len(data) > 0:
			return data, nil
		case len(line) == 0, len(name) == 0: // the end of an event without data, or a comment
		case string(name) != "data":
			if !otherField(string(name)) && !e.cutName(string(line)) {
				return nil, BadStream("it holds the line " + string(line))
			}
		case string(bytes.TrimSpace(value)) == doneMark:
			e.done = true
		default:
			data = append(append(data, value...), '\n')
		}
	}
	if len(data) > 0 {
		return data, nil
	}
	return nil, io.EOF
}

func otherField(name string) bool { return name == "event" || name == "id" || name == "retry" }

// cutName reports whether a line may be cut within the name of a field.
func (e *Events) cutName(line string) bool {
	return e.cut && (strings.HasPrefix("data", line) || strings.HasPrefix("event", line) ||
		strings.HasPrefix("retry", line))
}

// Each calls take with every JSON value in the events, until the end of the stream or until take returns
// io.EOF. An event has several values if the empty lines between events are missing. The error is a Failed,
// ErrCut, a BadStream, or an error of the body.
func (e *Events) Each(take func(json.RawMessage) error) error {
	for {
		data, err := e.Next()
		if err == nil {
			err = e.fault(data, values(data, take))
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func values(data []byte, take func(json.RawMessage) error) error {
	dec := json.NewDecoder(bytes.NewReader(bytes.ToValidUTF8(data, []byte("\uFFFD"))))
	for {
		var raw json.RawMessage
		err := dec.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("it holds an event that is not JSON: %s", data)
		}
		if err := take(raw); err != nil {
			return err
		}
	}
}

// fault classifies an error in the data of the last Next. It returns a Failed and io.EOF unchanged, ErrCut
// for data that was cut off with the stream, and a BadStream for everything else.
func (e *Events) fault(data []byte, err error) error {
	_, failed := errors.AsType[Failed](err)
	switch {
	case err == nil, failed, errors.Is(err, io.EOF):
		return err
	case e.cut && !json.Valid(data):
		return ErrCut // the stream ended within the last event
	}
	return BadStream(err.Error())
}
