package reports

import (
	"fmt"
	"io"
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
	case finds(g):
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
		lines = append(lines, fmt.Sprintf("warning: %d more stand in gate.json", more))
	}
	return &junitOut{xmlText(strings.Join(lines, "\n"))}
}

// finds reports whether the decision is that something became worse.
func finds(g Gate) bool { return g.Decision == gate.Regression || g.Decision == gate.Drift }

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
	said := &junitProblem{Message: xmlText(because(statusText(q.Status), rates(g, q))), Type: xmlText(q.Status), Text: xmlText(accountOf(g, q))}
	open := g.Decision != gate.Pass
	if l, ok := lossOf(g, q.Query); ok && q.Status != GateBroken && q.Status != GateSafety {
		said.Message = xmlText(fmt.Sprintf("among those that lost most: %s right before, %s now, where %.1f are expected", l.was(), l.is(), l.Expected))
		said.Type = "lost"
		c.Failure = said
		return c
	}
	switch q.Status {
	case GateBroken, GateSafety, GateSuspect:
		switch {
		case finds(g):
			c.Failure = said
		case open:
			c.Error = said
		}
	case GateUnscored:
		if open {
			c.Error = said
		} else {
			c.Skipped = &junitProblem{Message: said.Message, Text: said.Text} // without a type there
		}
	case GateFailing: // known, and not what was to be found
		c.Skipped = &junitProblem{Message: said.Message, Text: said.Text}
	case GateFlaky:
		if q.Verdict == string(judge.Correct) {
			c.Flaky = wrongAnswers(g, q)
		}
	}
	return c
}

// rates are the right traces of a query, then and now.
func rates(g Gate, q GateQuery) string {
	text := fmt.Sprintf("%s right before, %s now", historyOf(g, q), q.Now)
	if !q.Fresh.empty() {
		text += fmt.Sprintf(", %s fresh", q.Fresh)
	}
	return text
}

// flakyOf are the right traces where both kinds are among them: those of the run if it can.
func flakyOf(q GateQuery) string {
	t := q.Now
	if t.Right == 0 || t.Right == t.Valid {
		t = q.Before
	}
	return fmt.Sprintf("%d/%d", t.Right, t.Valid)
}

func accountOf(g Gate, q GateQuery) string {
	return strings.Join([]string{
		"answer: " + q.Consensus,
		"reason: " + q.Reason,
		"traces: " + rates(g, q),
		"answered before: " + answers(answeredBefore(g, q)).String(),
		"answers now: " + answers(q.AnswersNow).String(),
	}, "\n")
}

func wrongAnswers(g Gate, q GateQuery) []junitFlaky {
	var out []junitFlaky
	for _, a := range q.AnswersNow {
		if !a.Right {
			text := fmt.Sprintf("%s in %s", a.Answer, plural(a.Count, "trace", "traces"))
			out = append(out, junitFlaky{Message: xmlText(text), Type: xmlText(judge.Incorrect), Stack: xmlText(rates(g, q))})
		}
	}
	return out
}
