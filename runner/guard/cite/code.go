package cite

import (
	"regexp"
	"strings"
)

// codeSpan is text between backticks on one line.
var codeSpan = regexp.MustCompile("``[^\n]+?``|`[^`\n]+`")

// dropFences leaves out fenced code blocks, which state nothing. A fence that is never
// closed reaches to the end, as in Markdown.
func dropFences(message string) string {
	if !strings.Contains(message, "```") && !strings.Contains(message, "~~~") {
		return message
	}
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(message) {
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
