package reports

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// Annotations writes a decision as a workflow command of GitHub Actions: the decision, why, and
// what broke.
func Annotations(w io.Writer, g Gate) error {
	level := "error" // what fails the step stands out, unless it only asks for more evidence
	switch g.Decision {
	case gate.Pass:
		level = "notice"
	case gate.Inconclusive:
		level = "warning"
	}
	lines := verdictLines(g)
	for _, p := range findings(g) {
		lines = append(lines, p.lines...)
	}
	_, err := fmt.Fprintf(w, "::%s title=%s::%s\n", level, escapeProperty("concur gate: "+cmp.Or(string(g.Decision), "no decision")), escapeData(joined(lines)))
	return err
}

// The escapes of actions/toolkit, core/src/command.ts. What steers a terminal is taken out
// first: raw logs are read in one.
var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func escapeProperty(s string) string { return propertyEscapes.Replace(clip(s, maxMarkdown)) }

func escapeData(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = clip(l, maxMarkdown)
	}
	return dataEscapes.Replace(strings.Join(lines, "\n"))
}
