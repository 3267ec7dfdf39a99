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
	lines := verdictLines(g)
	for _, p := range findings(g) {
		lines = append(lines, p.lines...)
	}
	level := map[gate.Decision]string{gate.Pass: "notice", gate.Inconclusive: "warning"}[g.Decision]
	_, err := fmt.Fprintf(w, "::%s title=concur gate::%s\n", cmp.Or(level, "error"), dataEscapes.Replace(joined(lines)))
	return err
}

// dataEscapes are those of actions/toolkit, core/src/command.ts.
var dataEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

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
	for _, q := range g.Queries {
		s.Cases = append(s.Cases, g.junit(q))
	}
	return writeJUnit(w, "concur gate", []junitSuite{s})
}

func (g Gate) junit(q GateQuery) junitCase {
	c := junitCase{Class: classOf(g.Configuration, q.Category), Name: xmlText(q.Query), Time: junitTime(q.Seconds)}
	message := fmt.Sprintf("%s: %s right before, %s now", q.Status, q.Before, q.Now)
	if q.Fresh.All() > 0 {
		message += fmt.Sprintf(", %s fresh", q.Fresh)
	}
	problem := &junitProblem{Message: xmlText(message), Type: xmlText(q.Status), Text: xmlText(joined(q.lines(g.Run)))}
	switch {
	case g.restsOn(q) && g.Decision.Alarm():
		c.Failure = problem
	case g.restsOn(q), q.Status == GateUnscored && g.Decision != gate.Pass:
		c.Error = problem
	case slices.Contains([]string{GateUnscored, GateFailing, GateNew}, q.Status): // known, and not what was to be found
		problem.Type = "" // which has no place there
		c.Skipped = problem
	}
	return c
}
