package cite

import "strings"

// dropFences leaves out fenced code blocks, which state nothing. A fence that is never
// closed reaches to the end, as in Markdown.
func dropFences(text string) string {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return text
	}
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		marks := fenceOf(line)
		switch {
		case fence == "" && marks != "":
			fence = marks
			b.WriteByte('\n')
		case fence != "" && strings.HasPrefix(marks, fence):
			fence = ""
		case fence == "":
			b.WriteString(line)
		}
	}
	return b.String()
}

// fenceOf is the run of marks that opens or closes a block, "" for other lines.
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " \t>")
	for _, mark := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, mark)
		if n := len(line) - len(rest); n >= 3 && !strings.Contains(rest, "`") {
			return line[:n]
		}
	}
	return ""
}

// codeSpans finds the text between equal runs of backticks on one line.
func codeSpans(text string) []span {
	if !strings.Contains(text, "`") {
		return nil
	}
	var out []span
	at := 0
	for line := range strings.Lines(text) {
		out = append(out, codeSpansOfLine(line, at)...)
		at += len(line)
	}
	return out
}

func codeSpansOfLine(line string, at int) []span {
	var runs []span
	for i := 0; i < len(line); i++ {
		if line[i] != '`' {
			continue
		}
		start := i
		for i < len(line) && line[i] == '`' {
			i++
		}
		runs = append(runs, span{start, i})
	}
	// From the right, so that the partner of every run is known at once.
	partner := make([]int, len(runs))
	last := map[int]int{}
	for i := len(runs) - 1; i >= 0; i-- {
		width := runs[i].end - runs[i].start
		if next, ok := last[width]; ok {
			partner[i] = next
		}
		last[width] = i
	}
	var out []span
	for i := 0; i < len(runs); i++ {
		if p := partner[i]; p > 0 {
			out = append(out, span{at + runs[i].start, at + runs[p].end})
			i = p
		}
	}
	return out
}
