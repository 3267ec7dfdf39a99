package replay

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of a diff. A message can be a long document, or one long line of JSON.
const (
	maxLines  = 6   // of removed lines, and of added lines
	maxWidth  = 160 // bytes shown of a line
	leadWidth = 40  // bytes before the first difference
)

// unified shows the difference of two texts in one hunk, from the first differing line to
// the last, cut to a few lines. It takes time linear in the texts.
func unified(recorded, now string) string {
	a, b := split(recorded), split(now)
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	var out strings.Builder
	out.WriteString("--- recorded\n+++ now\n")
	from := max(0, start-1) // one line of context
	fmt.Fprintf(&out, "@@ -%s +%s @@", span(from, len(a)-end), span(from, len(b)-end))
	if from < start {
		out.WriteString("\n " + window(a[from], 0))
	}
	removed, added := a[start:len(a)-end], b[start:len(b)-end]
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

// span is a range of lines in the notation of a hunk's head.
func span(from, to int) string {
	if to == from {
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

// write writes lines, each from shortly before its first difference from its counterpart.
func write(out *strings.Builder, mark string, lines, counterparts []string) {
	for i, line := range lines {
		if i == maxLines {
			fmt.Fprintf(out, "\n%s… %d more lines", mark, len(lines)-i)
			return
		}
		parts := 0
		if i < len(counterparts) {
			parts = common(line, counterparts[i])
		}
		out.WriteString("\n" + mark + window(line, parts))
	}
}

// common is the length of the common prefix.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// window cuts a line to the part around an offset and makes it printable.
func window(line string, around int) string {
	from, to := 0, len(line)
	if to > maxWidth {
		from = max(0, min(around-leadWidth, to-maxWidth))
		to = min(to, from+maxWidth)
	}
	for from > 0 && from < to && !utf8.RuneStart(line[from]) {
		from++
	}
	for to < len(line) && to > from && !utf8.RuneStart(line[to]) {
		to--
	}
	shown := printable(line[from:to])
	if from > 0 {
		shown = "…" + shown
	}
	if to < len(line) {
		shown += "…"
	}
	return shown
}

// printable escapes characters that a terminal would interpret or not show.
func printable(text string) string {
	var out strings.Builder
	for _, r := range text {
		if strconv.IsPrint(r) {
			out.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRune(r)
		out.WriteString(quoted[1 : len(quoted)-1])
	}
	return out.String()
}
