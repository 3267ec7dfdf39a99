package store

import (
	"bytes"
	"encoding/json"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// lineHead has the fields that are before the time in an event or an exchange. In an exchange, Event is empty.
type lineHead struct {
	model.Identity
	Event   string `json:"event"`
	Session int    `json:"session"`
}

// ends reports whether the line ends its trace.
func (h lineHead) ends() bool { return h.Event == "final" && h.Path == "" }

// group identifies the lines of a file that are numbered together: the events of a trace, or the exchanges of a
// trace, a verifier or a judge, always in one session. For events, the purpose is "".
type group struct {
	model.Identity
	session int
}

// group returns the group of the line. For an extraction, ok is false, because it comes after the end of its
// trace.
func (h lineHead) group() (group, bool) {
	return group{h.OfTrace(), h.Session}, h.Query != "" && h.Event != trace.ExtractionEvent
}

// ended returns the groups that are complete when a trace ends.
func (h lineHead) ended() [2]group {
	events := group{h.OfTrace(), h.Session}
	exchanges := events
	exchanges.Purpose = model.Agent
	return [...]group{events, exchanges}
}

// headEnd is the text directly after the fields of a lineHead.
var headEnd = []byte(`,"time":`)

// decodeHead checks that the line is complete, and decodes only the fields before the time. It finds them by
// headEnd: quotation marks in strings are escaped, so headEnd occurs only between fields.
func decodeHead(line []byte, into any) error {
	if !whole(line) {
		return errDamaged
	}
	if i := bytes.Index(line, headEnd); i >= 0 {
		head := make([]byte, 0, 256)
		line = append(append(head, line[:i]...), '}')
	}
	if err := json.Unmarshal(line, into); err != nil {
		return damageError(err)
	}
	return nil
}

// read decodes the head of a line. If a text is equal to that of the previous head, read uses the same memory
// for both.
func (h *lineHead) read(line rawLine) error {
	last := *h
	*h = lineHead{}
	if line.whole() && h.scan(line.text, &last) {
		return nil
	}
	*h = lineHead{}
	return decodeHead(line.text, h)
}

// scan reads a head in the form that concur writes. It returns false for any other form.
func (h *lineHead) scan(line []byte, last *lineHead) bool {
	ok, timed := true, false
	read := fields(line, func(key, value []byte) bool {
		switch string(key) {
		case "agent":
			ok = text(value, &h.Agent, last.Agent)
		case "query":
			ok = text(value, &h.Query, last.Query)
		case "purpose":
			purpose := ""
			ok = text(value, &purpose, string(last.Purpose))
			h.Purpose = model.Purpose(purpose)
		case "path":
			ok = text(value, &h.Path, last.Path)
		case "task":
			ok = text(value, &h.Task, last.Task)
		case "event":
			ok = text(value, &h.Event, last.Event)
		case "trace":
			h.Trace, ok = digits(value, true)
		case "step":
			h.Step, ok = digits(value, true)
		case "session":
			h.Session, ok = digits(value, true)
		case "time":
			timed = true
		default:
			ok = false
		}
		return ok && !timed
	})
	return read && ok && timed
}
