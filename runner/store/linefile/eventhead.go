package linefile

import (
	"bytes"
	"encoding/json"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// Head has the fields that are before the time in an event or an exchange. In an exchange, Event is empty.
type Head struct {
	model.Identity
	Event   string `json:"event"`
	Session int    `json:"session"`
}

// Ends reports whether the line ends its trace.
func (h Head) Ends() bool { return h.Event == "final" && h.Path == "" }

// Group identifies the lines of a file that are numbered together: the events of a trace, or the exchanges of a
// trace, a verifier or a judge, always in one session. For events, the purpose is "".
type Group struct {
	model.Identity
	session int
}

// Group returns the group of the line. For an extraction, ok is false, because it comes after the end of its
// trace.
func (h Head) Group() (Group, bool) {
	return Group{h.OfTrace(), h.Session}, h.Query != "" && h.Event != trace.ExtractionEvent
}

// Ended returns the groups that are complete when a trace ends.
func (h Head) Ended() [2]Group {
	events := Group{h.OfTrace(), h.Session}
	exchanges := events
	exchanges.Purpose = model.Agent
	return [...]Group{events, exchanges}
}

var sameSettings = []byte(`"request_settings":null`)

// NamesSettings reports whether an exchange has only the name of its request settings, and not the settings.
func NamesSettings(exchange []byte) bool { return bytes.Contains(exchange, sameSettings) }

// headEnd is the text directly after the fields of a Head.
var headEnd = []byte(`,"time":`)

// DecodeHead checks that the line is complete, and decodes only the fields before the time. It finds them by
// headEnd: quotation marks in strings are escaped, so headEnd occurs only between fields.
func DecodeHead(line []byte, into any) error {
	if !Whole(line) {
		return ErrDamaged
	}
	if i := bytes.Index(line, headEnd); i >= 0 {
		head := make([]byte, 0, 256)
		line = append(append(head, line[:i]...), '}')
	}
	if err := json.Unmarshal(line, into); err != nil {
		return Damaged(err)
	}
	return nil
}

// Read decodes the head of a line. If a text is equal to that of the previous head, read uses the same memory
// for both.
func (h *Head) Read(line Line) error {
	last := *h
	*h = Head{}
	if line.Whole() && h.scan(line.Text, &last) {
		return nil
	}
	*h = Head{}
	return DecodeHead(line.Text, h)
}

// scan reads a head in the form that concur writes. It returns false for any other form.
func (h *Head) scan(line []byte, last *Head) bool {
	ok, timed := true, false
	read := Fields(line, func(key, value []byte) bool {
		switch string(key) {
		case "agent":
			ok = ReadText(value, &h.Agent, last.Agent)
		case "query":
			ok = ReadText(value, &h.Query, last.Query)
		case "purpose":
			purpose := ""
			ok = ReadText(value, &purpose, string(last.Purpose))
			h.Purpose = model.Purpose(purpose)
		case "path":
			ok = ReadText(value, &h.Path, last.Path)
		case "task":
			ok = ReadText(value, &h.Task, last.Task)
		case "event":
			ok = ReadText(value, &h.Event, last.Event)
		case "trace":
			h.Trace, ok = Digits(value, true)
		case "step":
			h.Step, ok = Digits(value, true)
		case "session":
			h.Session, ok = Digits(value, true)
		case "time":
			timed = true
		default:
			ok = false
		}
		return ok && !timed
	})
	return read && ok && timed
}
