package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/judge"
)

// gateJUnit writes a decision as one suite: a case that holds the decision itself, and one
// per query. Nothing fails under a PASS and something does otherwise, so that whoever
// reads the XML comes to what the exit code says.
func gateJUnit(w io.Writer, g Gate) error {
	s := junitSuite{Name: xmlText(g.Configuration), Properties: &junitProperties{[]junitProperty{
		{"decision", xmlText(g.Decision)}, {"run", xmlText(g.Run)}, {"dataset", xmlText(g.Dataset)}, {"model", xmlText(g.Model)},
		{"baseline", xmlText(g.Baseline)}, {"k", xmlText(fmt.Sprint(g.K))}, {"seed", xmlText(fmt.Sprint(g.Seed))},
	}}}
	s.Cases = append(s.Cases, decisionCase(g))
	for _, q := range g.Queries {
		s.Cases = append(s.Cases, queryCase(g, q))
	}
	return writeJUnit(w, "concur gate", []junitSuite{s})
}

func decisionCase(g Gate) junitCase {
	c := junitCase{Class: "concur", Name: "gate", Out: outOf(g.Warnings)}
	first, _ := reasons(g)
	p := &junitProblem{Message: xmlText(say(decided(g), plain(": "), first).String()), Type: xmlText(decided(g).String()), Text: xmlText(strings.Join(g.Reasons, "\n"))}
	switch {
	case g.Decision == gate.Pass:
	case g.Decision.Alarm():
		c.Failure = p
	default:
		c.Error = p
	}
	return c
}

// outOf are warnings, one a line; nil without any.
func outOf(warnings []string) *junitOut {
	if len(warnings) == 0 {
		return nil
	}
	lines := make([]string, 0, mostGateReasons+1)
	for _, w := range warnings[:min(len(warnings), mostGateReasons)] {
		lines = append(lines, "warning: "+Clean(w))
	}
	if more := len(warnings) - mostGateReasons; more > 0 {
		lines = append(lines, fmt.Sprintf("warning: %d more are in gate.json", more))
	}
	return &junitOut{xmlText(strings.Join(lines, "\n"))}
}

func queryCase(g Gate, q GateQuery) junitCase {
	c := junitCase{Class: classOf(g.Configuration, q.Category), Name: xmlText(q.Query), Time: junitTime(q.Seconds)}
	for _, t := range []struct {
		name  string
		tally Tally
	}{{"now", q.Now}, {"before", q.Before}, {"fresh", q.Fresh}} {
		if !t.tally.empty() {
			c.property(t.name, t.tally.String())
		}
	}
	if q.Status == GateFlaky {
		c.property("flaky", flakyOf(q))
	}
	n := nameOf(g, q)
	lost := false
	for _, of := range named(g) {
		if of.Query == q.Query {
			n, lost = of, of.loss != nil
		}
	}
	text := make([]string, 0, 8)
	for _, l := range n.lines(g) {
		text = append(text, l.String())
	}
	problem := &junitProblem{Message: xmlText(because(n.state, rates(n))), Type: xmlText(q.Status), Text: xmlText(strings.Join(text, "\n"))}
	skipped := &junitProblem{Message: problem.Message, Text: problem.Text} // without a type there
	open := g.Decision != gate.Pass
	switch {
	case lost:
		problem.Type = "lost"
		c.Failure = problem
	case slices.Contains([]string{GateBroken, GateSafety, GateSuspect}, q.Status) && g.Decision.Alarm():
		c.Failure = problem
	case slices.Contains([]string{GateBroken, GateSafety, GateSuspect, GateUnscored}, q.Status) && open:
		c.Error = problem
	case q.Status == GateUnscored, q.Status == GateFailing, q.Status == GateNew: // known, and not what was to be found
		c.Skipped = skipped
	case q.Status == GateFlaky && q.Verdict == string(judge.Correct):
		c.Flaky = wrongAnswers(n)
	}
	return c
}

// rates are the right traces of a query, then and now.
func rates(n namedQuery) string {
	text := fmt.Sprintf("%s right before, %s now", n.before, n.Now)
	if !n.Fresh.empty() {
		text += fmt.Sprintf(", %s fresh", n.Fresh)
	}
	return text
}

// flakyOf are the right traces where both kinds are among them: those of the run if it can.
func flakyOf(q GateQuery) string {
	t := q.Now
	if t.Right == 0 || t.Right == t.Scored {
		t = q.Before
	}
	return fmt.Sprintf("%d/%d", t.Right, t.Scored)
}

func wrongAnswers(n namedQuery) []junitFlaky {
	var out []junitFlaky
	for _, p := range n.Passes {
		for _, a := range p.Answers {
			if !a.Right {
				text := fmt.Sprintf("%s in %s of %s", a.Answer, plural(a.Count, "trace", "traces"), p.Run)
				out = append(out, junitFlaky{Message: xmlText(text), Type: xmlText(judge.Incorrect), Stack: xmlText(rates(n))})
			}
		}
	}
	return out
}
