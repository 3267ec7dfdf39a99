package reports

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// A gate's page stays below what a comment on a pull request may hold, however many
// queries break.
const (
	mostGateRows    = 15 // queries that are shown
	mostGateReasons = 10
	mostGateNames   = 8 // in a sentence
	mostGateAnswers = 3 // of a query
	maxGateName     = 60
	mostPInSentence = 2
)

// gateText writes a decision for a terminal, the decision first: in the log of a CI job it
// stands where the command was.
func gateText(w io.Writer, g Gate) error {
	d := document{details: append([]part{{lines: verdict(g)}}, findings(g)...)}
	if err := writeText(w, d); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return writeFacts(w, grounds(g))
}

// verdict is the decision with the sentence that decided, and beneath it the others.
func verdict(g Gate) []line {
	first, others := reasons(g)
	out := []line{say(decided(g), plain(" ("+exitCode(g)+"): "), first)}
	return slices.Concat(out, differs(g), others)
}

// differs says in what the run was made otherwise than the accepted ones.
func differs(g Gate) []line {
	if len(g.Differs) == 0 {
		return nil
	}
	l := say(plain("differs from the accepted runs in "), blend(clip(strings.Join(g.Differs[:min(len(g.Differs), mostGateNames)], "; "), 10*maxGateName)))
	if more := len(g.Differs) - mostGateNames; more > 0 {
		l = say(l, plain(fmt.Sprintf("; %d more in gate.json", more)))
	}
	return []line{l}
}

func decided(g Gate) line { return blend(cmp.Or(string(g.Decision), "NO DECISION")) }

func reasons(g Gate) (first line, others []line) {
	if len(g.Reasons) == 0 {
		return plain("no reason is given"), nil
	}
	rest := g.Reasons[1:]
	for _, r := range rest[:min(len(rest), mostGateReasons)] {
		others = append(others, sentence(r))
	}
	if more := len(rest) - mostGateReasons; more > 0 {
		others = append(others, plain(fmt.Sprintf("%d more reasons are in gate.json", more)))
	}
	return sentence(g.Reasons[0]), others
}

func exitCode(g Gate) string { return fmt.Sprintf("exit code %d", g.Decision.ExitCode()) }

// findings are the queries that the decision rests on. On a PASS there are none.
func findings(g Gate) []part {
	var out []part
	rows, more := cut(named(g))
	for _, n := range rows {
		out = append(out, part{lines: n.lines(g)})
	}
	if more > 0 {
		out = append(out, part{lines: []line{plain(fmt.Sprintf("and %d more, which are in gate.json", more))}})
	}
	return out
}

// cut keeps a table short before it is made, and counts what it leaves out.
func cut[R any](rows []R) (shown []R, more int) {
	shown = rows[:min(len(rows), mostGateRows)]
	return shown, len(rows) - len(shown)
}

// names lists queries, with something about each.
func names[T any](items []T, of func(T) line) line {
	lines := make([]line, 0, mostGateNames+1)
	for _, item := range items[:min(len(items), mostGateNames)] {
		lines = append(lines, of(item))
	}
	if more := len(items) - mostGateNames; more > 0 {
		lines = append(lines, plain(fmt.Sprintf("%d more", more)))
	}
	return list(lines)
}

// brief is a name of others in as many characters as a sentence or a table can bear.
func brief(name string) line { return quoted(clip(name, maxGateName)) }

// pInWords is how the gate's sentences give a p-value.
var pInWords = regexp.MustCompile(` \(p=[0-9][-+.0-9e]{0,20}\)?[;,]? ?`)

// sentence is one of the gate's, which names what others named. Its p-values are ours.
func sentence(text string) line {
	var out line
	for range mostPInSentence {
		at := pInWords.FindStringIndex(text)
		if at == nil {
			break
		}
		out, text = say(out, blend(text[:at[0]]), plain(text[at[0]:at[1]])), text[at[1]:]
	}
	return say(out, blend(text))
}

// havingStatus are the queries that have one of the states.
func havingStatus(g Gate, states ...string) []GateQuery {
	var out []GateQuery
	for _, q := range g.Queries {
		if slices.Contains(states, q.Status) {
			out = append(out, q)
		}
	}
	return out
}

// plural says how many, in words that agree.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
