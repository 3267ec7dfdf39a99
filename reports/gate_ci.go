package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
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

// gateJUnit writes a decision as one suite: a case that holds the decision itself, and one
// per query. Nothing fails under a PASS and something does otherwise, so that whoever
// reads the XML comes to what the exit code says.
func gateJUnit(w io.Writer, g Gate) error {
	s := junitSuite{Name: xmlText(g.Configuration), Properties: &junitProperties{[]junitProperty{
		{"decision", xmlText(g.Decision)}, {"run", xmlText(g.Run)}, {"dataset", xmlText(g.Dataset)}, {"model", xmlText(g.Model)},
		{"baseline", xmlText(g.Baseline)}, {"k", xmlText(fmt.Sprint(g.K))}, {"seed", xmlText(fmt.Sprint(g.Seed))},
	}}}
	c := junitCase{Class: "concur", Name: "gate"}
	if warnings := few(g.Warnings, mostGateReasons, "warnings"); len(warnings) > 0 {
		c.Out = &junitOut{xmlText(joined(warnings))}
	}
	problem := &junitProblem{Message: xmlText(verdictLines(g)[0].String()), Type: xmlText(g.Decision), Text: xmlText(strings.Join(g.Reasons, "\n"))}
	switch {
	case g.Decision == gate.Pass:
	case g.Decision.Alarm():
		c.Failure = problem
	default:
		c.Error = problem
	}
	s.Cases = append(s.Cases, c)
	found := map[string]namedQuery{}
	for _, n := range named(g) {
		found[n.Query] = n
	}
	for _, q := range g.Queries {
		n, isNamed := found[q.Query]
		if !isNamed {
			n = nameOf(g, q)
		}
		s.Cases = append(s.Cases, n.junit(g, isNamed))
	}
	return writeJUnit(w, "concur gate", []junitSuite{s})
}

func (n namedQuery) junit(g Gate, isNamed bool) junitCase {
	c := junitCase{Class: classOf(g.Configuration, n.Category), Name: xmlText(n.Query), Time: junitTime(n.Seconds)}
	for _, t := range []struct {
		name   string
		traces gate.Traces
	}{{"now", n.Now}, {"before", n.Before}, {"fresh", n.Fresh}} {
		if t.traces.All() > 0 {
			c.property(t.name, t.traces.String())
		}
	}
	message := fmt.Sprintf("%s: %s right before, %s now", n.state, n.before, n.Now)
	if n.Fresh.All() > 0 {
		message += fmt.Sprintf(", %s fresh", n.Fresh)
	}
	problem := &junitProblem{Message: xmlText(message), Type: xmlText(n.Status), Text: xmlText(joined(n.lines(g)))}
	switch {
	case isNamed && g.Decision.Alarm():
		c.Failure = problem
	case isNamed, n.Status == GateUnscored && g.Decision != gate.Pass:
		c.Error = problem
	case slices.Contains([]string{GateUnscored, GateFailing, GateNew}, n.Status): // known, and not what was to be found
		problem.Type = "" // which has no place there
		c.Skipped = problem
	}
	return c
}
