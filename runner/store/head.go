package store

import (
	"bytes"
	"encoding/json"
)

// recordHead has the fields of a record that say for which query it is, and when it was written.
type recordHead struct {
	Configuration string `json:"configuration"`
	Query         string `json:"query"`
	Session       int    `json:"-"`
}

var (
	afterQuery = []byte(`,"category":`)
	session    = []byte(`,"session":`)
)

// read decodes only the beginning and the end of a line if the line has the form that concur writes, and
// otherwise the whole line.
func (h *recordHead) read(from rawLine) error {
	line := from.text
	i, j := bytes.Index(line, afterQuery), bytes.LastIndex(line, session)
	if i > 0 && j > i && from.whole() {
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
		*recordHead
		Timing struct {
			Session int `json:"session"`
		} `json:"timing"`
	}
	all.recordHead = h
	err := json.Unmarshal(line, &all)
	h.Session = all.Timing.Session
	return err
}
