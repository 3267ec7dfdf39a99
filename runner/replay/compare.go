package replay

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/linediff"
	"github.com/seed-5817661a/concur/model"
)

// difference compares a request with the recorded request. It returns nil if they are equal. It compares the
// recorded forms of values, in which a nil list and an empty list are equal.
func difference(x *exchange, req model.Request) *Difference {
	d := &Difference{}
	d.messages(x.messages, req.Messages)
	was := x.RequestSettings
	for _, f := range []struct{ name, was, now string }{
		{"tools", lines(was.Tools), lines(req.Tools)},
		{"choice", asJSON(was.Choice), asJSON(req.Choice)},
		{"single_call", asJSON(was.SingleCall), asJSON(req.SingleCall)},
		{"temperature", asJSON(was.Temperature), asJSON(req.Temperature)},
		{"seed", asJSON(x.Seed), asJSON(req.Seed)},
		{"no_temperature", asJSON(was.NoTemperature), asJSON(req.NoTemperature)},
		{"no_seed", asJSON(was.NoSeed), asJSON(req.NoSeed)},
		{"stop", lines(was.Stop), lines(req.Stop)},
		{"schema", asJSON(was.Schema), asJSON(req.Schema)},
		{"extra", asJSON(was.Extra), asJSON(req.Extra)},
	} {
		if f.was != f.now && (f.name != "extra" || len(was.Extra)+len(req.Extra) > 0) {
			d.add(f.name, f.was, f.now)
		}
	}
	return d
}

// add adds a differing field, and keeps the two texts of the first one.
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
			b = showMessage(now[i])
		case i >= len(now):
			a = showMessage(recorded[i])
		case recorded[i].Same(now[i]) || asJSON(recorded[i]) == asJSON(now[i]):
			continue
		default:
			if a, b = showMessage(recorded[i]), showMessage(now[i]); a == b {
				a, b = asJSON(recorded[i]), asJSON(now[i])
			}
		}
		d.add(fmt.Sprintf("messages[%d]", i), a, b)
		return
	}
}

// asJSON returns a value in its recorded form.
func asJSON(v any) string {
	if m, ok := v.(model.Message); ok && len(m.ToolCalls) == 0 {
		m.ToolCalls = nil
		v = m
	}
	raw, err := json.Marshal(v)
	if err != nil { // happens only for invalid raw JSON, which a recording cannot contain
		return fmt.Sprintf("%+v", v)
	}
	return string(raw)
}

// lines writes one value per line.
func lines[T any](values []T) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = asJSON(v)
	}
	return strings.Join(out, "\n")
}

// showMessage returns a message for people: role, content and calls.
func showMessage(m model.Message) string {
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

// maxLines is the maximum number of removed lines that are shown, and also the maximum number of added lines.
const maxLines = 6

// unified shows the difference of two texts as one hunk, from the first differing line to the last, shortened
// to a few lines. Its time is linear in the length of the texts.
func unified(recorded, now string) string {
	a, b := split(recorded), split(now)
	start := linediff.Common(a, b)
	removed, added := a[start:], b[start:]
	for len(removed) > 0 && len(added) > 0 && removed[len(removed)-1] == added[len(added)-1] {
		removed, added = removed[:len(removed)-1], added[:len(added)-1]
	}
	var out strings.Builder
	from := max(0, start-1) // one line of context
	fmt.Fprintf(&out, "--- recorded\n+++ now\n@@ -%s +%s @@", formatRange(from, start+len(removed)),
		formatRange(from, start+len(added)))
	if from < start {
		out.WriteString("\n " + linediff.Window([]rune(a[from]), 0))
	}
	write(&out, "-", removed, added)
	write(&out, "+", added, removed)
	return out.String()
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// formatRange returns a range of lines in the notation of a hunk's header.
func formatRange(from, to int) string {
	if to == from {
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

// write writes lines. Each begins shortly before its first difference from its counterpart.
func write(out *strings.Builder, mark string, lines, counterparts []string) {
	for i, line := range lines {
		if i == maxLines {
			fmt.Fprintf(out, "\n%s… %d more lines", mark, len(lines)-i)
			return
		}
		shown, parts := []rune(line), 0
		if i < len(counterparts) {
			parts = linediff.Common(shown, []rune(counterparts[i]))
		}
		out.WriteString("\n" + mark + linediff.Window(shown, parts))
	}
}
