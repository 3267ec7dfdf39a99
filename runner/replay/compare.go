package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/store"
)

// difference compares a request with the recorded one. Values are compared in their
// recorded form, in which a nil list and an empty one are equal.
func difference(x store.Exchange, messages []model.Message, req model.Request) *Difference {
	d := &Difference{}
	d.messages(messages, req.Messages)
	was := x.RequestSettings
	if !slices.EqualFunc(was.Tools, req.Tools, sameTool) {
		d.add("tools", lines(was.Tools), lines(req.Tools))
	}
	for _, f := range []struct {
		name     string
		was, now any
	}{
		{"choice", was.Choice, req.Choice}, {"single_call", was.SingleCall, req.SingleCall},
		{"temperature", was.Temperature, req.Temperature}, {"seed", x.Seed, req.Seed},
		{"no_temperature", was.NoTemperature, req.NoTemperature}, {"no_seed", was.NoSeed, req.NoSeed},
	} {
		if f.was != f.now {
			d.add(f.name, asJSON(f.was), asJSON(f.now))
		}
	}
	if !slices.Equal(was.Stop, req.Stop) {
		d.add("stop", lines(was.Stop), lines(req.Stop))
	}
	if a, b := asJSON(was.Schema), asJSON(req.Schema); a != b {
		d.add("schema", a, b)
	}
	if a, b := asJSON(was.Extra), asJSON(req.Extra); a != b && len(was.Extra)+len(req.Extra) > 0 {
		d.add("extra", a, b)
	}
	return d
}

// add notes a differing field; the text of the first one is shown.
func (d *Difference) add(field, recorded, now string) {
	if len(d.Fields) == 0 {
		d.RecordedText, d.NowText = recorded, now
	}
	d.Fields = append(d.Fields, field)
}

func (d *Difference) messages(recorded, now []model.Message) {
	for i := range max(len(recorded), len(now)) {
		var a, b string
		switch {
		case i >= len(recorded):
			b = text(now[i])
		case i >= len(now):
			a = text(recorded[i])
		case sameMessage(recorded[i], now[i]):
			continue
		default:
			if a, b = text(recorded[i]), text(now[i]); a == b {
				a, b = asJSON(recorded[i]), asJSON(now[i])
			}
		}
		d.add(fmt.Sprintf("messages[%d]", i), a, b)
		return
	}
}

func sameMessage(a, b model.Message) bool {
	same := a.Role == b.Role && a.Name == b.Name && a.Content == b.Content && a.ToolCallID == b.ToolCallID &&
		slices.Equal(a.ToolCalls, b.ToolCalls) && bytes.Equal(a.Opaque, b.Opaque)
	return same || asJSON(a) == asJSON(b)
}

func sameTool(a, b model.ToolSpec) bool {
	return a.Name == b.Name && a.Description == b.Description && bytes.Equal(a.Parameters, b.Parameters) || asJSON(a) == asJSON(b)
}

// asJSON is a value in its recorded form.
func asJSON(v any) string {
	if m, ok := v.(model.Message); ok && len(m.ToolCalls) == 0 {
		m.ToolCalls = nil
		v = m
	}
	raw, err := json.Marshal(v)
	if err != nil { // invalid raw JSON, which a recording cannot contain
		return fmt.Sprintf("%+v", v)
	}
	return string(raw)
}

// lines writes one value a line.
func lines[T any](values []T) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = asJSON(v)
	}
	return strings.Join(out, "\n")
}

// text shows a message to people: its role, its content, its calls.
func text(m model.Message) string {
	out := []string{string(m.Role)}
	if m.ToolCallID != "" {
		out[0] += " (answers " + m.ToolCallID + ")"
	}
	out[0] += ":"
	if m.Content != "" {
		out = append(out, m.Content)
	}
	for _, c := range m.ToolCalls {
		out = append(out, fmt.Sprintf("call %s: %s(%s)", c.ID, c.Name, c.Arguments))
	}
	if len(m.Opaque) > 0 {
		out = append(out, "opaque: "+string(m.Opaque))
	}
	return strings.Join(out, "\n")
}
