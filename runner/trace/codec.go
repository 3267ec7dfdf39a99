package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/internal/lines"
)

// Schema is the name on the first line of trace.jsonl.
const Schema = "concur/trace/v1"

// header holds the first fields of every event's line.
type header struct {
	ID
	Path    string    `json:"path"`
	Step    int       `json:"step"`
	Event   string    `json:"event"`
	Session int       `json:"session"`
	Time    time.Time `json:"time"`
}

// MarshalJSON writes the event as one flat object: the header's fields, then the body's.
func (e Event) MarshalJSON() ([]byte, error) {
	if e.Body == nil {
		return nil, fmt.Errorf("encode event of trace %s/%d: it has no body", e.Query, e.Trace)
	}
	if u, is := e.Body.(Unknown); is {
		return u.Line, nil
	}
	head, err := lines.Encode(header{e.ID, e.Path, e.Step, e.Body.event(), e.Session, e.Time})
	if err != nil {
		return nil, err
	}
	body, err := lines.Encode(e.Body)
	if err != nil {
		return nil, err
	}
	line := append(head[:len(head)-1], ',')
	return append(line, body[1:]...), nil
}

// UnmarshalJSON reads the output of MarshalJSON. Unknown fields are ignored and unknown
// events kept unchanged, because later versions may add some.
func (e *Event) UnmarshalJSON(line []byte) error {
	var h header
	if err := json.Unmarshal(line, &h); err != nil {
		return err
	}
	if h.Event == "" {
		return errors.New("decode event: the line has no event field")
	}
	decode, known := bodies[h.Event]
	if !known {
		decode = func(line []byte) (Body, error) { return Unknown{h.Event, bytes.Clone(line)}, nil }
	}
	body, err := decode(line)
	if err != nil {
		return fmt.Errorf("decode %s event: %w", h.Event, err)
	}
	*e = Event{h.ID, h.Path, h.Step, h.Session, h.Time, body}
	return nil
}

// bodies decode the events of a name.
var bodies = map[string]func(line []byte) (Body, error){
	"thought":     decodeAs[Thought],
	"action":      decodeAs[Action],
	"observation": decodeAs[Observation],
	"reflection":  decodeAs[Reflection],
	"guard":       decodeAs[Guard],
	"audit":       decodeAs[Audit],
	"final":       decodeAs[Conclusion],
}

func decodeAs[T Body](line []byte) (Body, error) {
	var b T
	err := json.Unmarshal(line, &b)
	return b, err
}
