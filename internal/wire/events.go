package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// doneMark is the data that ends the streams of most endpoints.
const doneMark = "[DONE]"

// Events reads the data of server-sent events, at most MaxBody bytes. Event names are
// ignored, because the data has the same information.
type Events struct {
	lines *bufio.Reader
	read  int
	// done: the stream has its end mark. cut: it stopped, perhaps within the last event.
	done, cut bool
	rest      []byte // of the bytes before a line feed, split at carriage returns
	more      bool   // rest has a line, perhaps an empty one
}

// NewEvents reads a body.
func NewEvents(body io.Reader) *Events {
	return &Events{lines: bufio.NewReader(io.LimitReader(body, MaxBody+1))}
}

// Done reports whether the stream had its end mark.
func (e *Events) Done() bool { return e.done }

// Next gives the data of the next event with data. io.EOF is the end, with or without a
// mark; any other error is a BadStream or the body's own.
func (e *Events) Next() ([]byte, error) {
	var data []byte
	for !e.done {
		line, err := e.line()
		if err != nil {
			if errors.Is(err, io.EOF) && len(data) > 0 {
				return data, nil
			}
			return nil, err
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch {
		case len(line) == 0 && len(data) > 0:
			return data, nil
		case len(line) == 0, len(name) == 0: // the end of an event without data, a comment
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

// cutName reports a line that may have been cut within the name of a field.
func (e *Events) cutName(line string) bool {
	return e.cut && (strings.HasPrefix("data", line) || strings.HasPrefix("event", line) || strings.HasPrefix("retry", line))
}

// line gives a line without its end, which is a line feed, a carriage return, or both.
func (e *Events) line() ([]byte, error) {
	if !e.more {
		if err := e.fill(); err != nil {
			return nil, err
		}
	}
	line, rest, more := bytes.Cut(e.rest, []byte("\r"))
	e.rest, e.more = rest, more
	return line, nil
}

// fill reads up to the next line feed.
func (e *Events) fill() error {
	if e.cut {
		return io.EOF
	}
	raw, err := e.lines.ReadBytes('\n')
	if e.read == 0 {
		raw = bytes.TrimPrefix(raw, []byte("\uFEFF"))
	}
	if e.read += len(raw); e.read > MaxBody {
		return BadStream(fmt.Sprintf("it is longer than %d bytes", MaxBody))
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if e.cut = err != nil; e.cut && len(raw) == 0 {
		return io.EOF
	}
	e.rest, e.more = bytes.TrimSuffix(bytes.TrimSuffix(raw, []byte("\n")), []byte("\r")), true
	return nil
}

// Each passes every JSON value of the events to take, until the end of the stream or until
// take returns io.EOF. An event has several values if the empty lines between events are
// missing. The error is a Failed, ErrCut, a BadStream, or the body's own.
func (e *Events) Each(take func(json.RawMessage) error) error {
	for {
		data, err := e.Next()
		if err == nil {
			err = e.values(data, take)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (e *Events) values(data []byte, take func(json.RawMessage) error) error {
	dec := json.NewDecoder(bytes.NewReader(bytes.ToValidUTF8(data, []byte("\uFFFD"))))
	for {
		var raw json.RawMessage
		err := dec.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return e.Fault(data, fmt.Errorf("it holds an event that is no JSON: %s", data))
		}
		if err := take(raw); err != nil {
			return e.Fault(data, err)
		}
	}
}
