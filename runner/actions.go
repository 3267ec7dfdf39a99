package runner

import (
	"bytes"
	"encoding/json"

	"github.com/seed-5817661a/concur/runner/trace"
)

// actions counts the tool calls that a trace asks for, and those among them that ask for
// what an earlier one has asked for: the same tool with the same arguments.
type actions struct {
	n, repeated int
	seen        map[string]bool
}

func (a *actions) add(x trace.Action) {
	if a.seen == nil {
		a.seen = map[string]bool{}
	}
	a.n++
	call := x.Name + "\x00" + canonical(x.Input)
	if a.seen[call] {
		a.repeated++
	}
	a.seen[call] = true
}

// canonical writes JSON with sorted keys and without spaces; what is none stays as it is.
func canonical(raw json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return string(raw)
	}
	out, err := json.Marshal(v)
	if err != nil {
		return string(raw)
	}
	return string(out)
}
