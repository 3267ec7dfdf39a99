package linefile

import (
	"bytes"
	"encoding/json"
)

// RecordHead has the fields of a record that say for which query it is, and when it was written.
type RecordHead struct {
	Configuration string `json:"configuration"`
	Query         string `json:"query"`
	Session       int    `json:"-"`
}

var (
	afterQuery = []byte(`,"category":`)
	session    = []byte(`,"session":`)
)

// Read decodes only the beginning and the end of a line if the line has the form that concur writes, and
// otherwise the whole line.
func (h *RecordHead) Read(from Line) error {
	line := from.Text
	i, j := bytes.Index(line, afterQuery), bytes.LastIndex(line, session)
	if i > 0 && j > i && from.Whole() {
		head := make([]byte, 0, 256)
		n, digits := 0, 0
		for _, c := range line[j+len(session):] {
			if c < '0' || c > '9' || digits == 9 {
				break
			}
			n, digits = 10*n+int(c-'0'), digits+1
		}
		if digits > 0 && json.Unmarshal(append(append(head, line[:i]...), '}'), h) == nil && h.Query != "" {
			h.Session = n
			return nil
		}
	}
	var all struct {
		*RecordHead
		Timing struct {
			Session int `json:"session"`
		} `json:"timing"`
	}
	all.RecordHead = h
	err := json.Unmarshal(line, &all)
	h.Session = all.Timing.Session
	return err
}
