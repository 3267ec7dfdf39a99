// Package runner runs an agent over a dataset: K independent traces for every query, then
// consensus, verdict and record. It only schedules and stops; the packages beneath define
// agents, votes and verdicts.
//
// It may import everything beneath runner, consensus, judge and datasets.
package runner

import (
	"bytes"
	"encoding/json"

	"github.com/seed-5817661a/concur/runner/trace"
)

// actions counts the tool calls of a trace, and the repeats among them: the same tool with
// the same arguments as an earlier call.
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

// canonical writes JSON with sorted keys and without spaces. Input that is not JSON is
// returned unchanged.
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
