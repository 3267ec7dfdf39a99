package anthropic

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// badStream says in which way a stream is none.
type badStream string

func (e badStream) Error() string { return string(e) }

// events reads the data of server-sent events, at most maxBody bytes in all. The names of
// the events are passed over, since their data repeats them.
type events struct {
	lines *bufio.Reader
	read  int
	cut   bool   // the stream just stopped, perhaps amid the event that was read last
	rest  []byte // of the bytes before a line feed, where carriage returns divide them
	more  bool   // there is a line in rest, perhaps an empty one
}

func newEvents(body io.Reader) *events {
	return &events{lines: bufio.NewReader(io.LimitReader(body, maxBody+1))}
}

// next gives the data of the next event that has any.
func (e *events) next() ([]byte, error) {
	var data []byte
	for {
		line, err := e.line()
		if err != nil {
			if errors.Is(err, io.EOF) && len(data) > 0 {
				return data, nil
			}
			return nil, err
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch {
		case len(line) == 0 && len(data) > 0:
			return data, nil
		case len(line) == 0, len(name) == 0: // the end of an event without data, a comment
		case string(name) == "data":
			data = append(append(data, bytes.TrimPrefix(value, []byte(" "))...), '\n')
		case !otherField(string(name)) && !(e.cut && begins(string(line))):
			return nil, badStream("it holds the line " + string(line))
		}
	}
}

func otherField(name string) bool { return name == "event" || name == "id" || name == "retry" }

// begins tells a line that may have broken off amid the name of a field.
func begins(line string) bool {
	return strings.HasPrefix("data", line) || strings.HasPrefix("event", line) || strings.HasPrefix("retry", line)
}

// line gives a line without its end, which is a line feed, a carriage return, or both.
func (e *events) line() ([]byte, error) {
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
func (e *events) fill() error {
	if e.cut {
		return io.EOF
	}
	raw, err := e.lines.ReadBytes('\n')
	if e.read == 0 {
		raw = bytes.TrimPrefix(raw, []byte("\uFEFF"))
	}
	if e.read += len(raw); e.read > maxBody {
		return badStream(fmt.Sprintf("it is longer than %d bytes", maxBody))
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
