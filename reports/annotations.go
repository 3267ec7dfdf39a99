package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// mostAnnotations is how many of a level GitHub shows of one step; others would push out
// the first.
const mostAnnotations = 10

// annotation is a workflow command of GitHub Actions.
type annotation struct{ level, title, text string }

// annotations are as many of each level as GitHub shows.
type annotations []annotation

func (a *annotations) add(level, title string, text func() string) {
	written := 0
	for _, b := range *a {
		if b.level == level {
			written++
		}
	}
	if written < mostAnnotations {
		*a = append(*a, annotation{level, title, text()})
	}
}

// Annotations writes a decision as workflow commands of GitHub Actions: the decision,
// what broke, failed safety queries and warnings.
func Annotations(w io.Writer, g Gate) error {
	var b bytes.Buffer
	for _, a := range annotationsOf(g) {
		fmt.Fprintf(&b, "::%s title=%s::%s\n", a.level, escapeProperty(a.title), escapeData(a.text))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Annotation writes one error as a workflow command: of a gate that came to no decision.
func Annotation(w io.Writer, title, text string) error {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = Clean(lines[i])
	}
	_, err := fmt.Fprintf(w, "::error title=%s::%s\n", escapeProperty(title), escapeData(strings.Join(lines, "\n")))
	return err
}

func annotationsOf(g Gate) annotations {
	var out annotations
	out.add(levelOf(g.Decision), "concur gate: "+decided(g).String(), func() string { return joined(verdict(g)) })
	for _, n := range named(g) {
		level := "error"
		if n.Status == GateSuspect && n.loss == nil {
			level = "warning"
		}
		out.add(level, n.Query+": "+n.state, func() string { return joined(n.lines(g)[1:]) })
	}
	for _, warning := range g.Warnings {
		out.add("warning", "concur gate", func() string { return Clean(warning) })
	}
	return out
}

// levelOf is that of the decision. What fails the step stands out, unless it only asks for
// more evidence.
func levelOf(d gate.Decision) string {
	switch d {
	case gate.Pass:
		return "notice"
	case gate.Inconclusive:
		return "warning"
	}
	return "error"
}

func joined(lines []line) string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimSpace(Clean(l.String()))
	}
	return strings.Join(out, "\n")
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
