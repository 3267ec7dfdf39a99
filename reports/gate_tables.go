package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// namedQuery is a query that the decision rests on.
type namedQuery struct {
	GateQuery
	state  string // in words
	before string // right of the history that it is compared with
	was    []AnswerCount
	loss   *gate.Loss // where the total alarmed
}

// named are the queries that a decision names, the worst first: broken ones, failed safety
// queries, those that may be broken, and those that lost most where the total alarmed.
func named(g Gate) []namedQuery {
	if g.Decision == gate.Pass {
		return nil
	}
	var out []namedQuery
	for _, q := range havingStatus(g, GateBroken, GateSafety, GateSuspect) {
		out = append(out, nameOf(g, q))
	}
	for _, l := range g.Losses {
		if !g.Decision.Alarm() || slices.ContainsFunc(out, func(n namedQuery) bool { return n.Query == l.Query }) {
			continue
		}
		at := slices.IndexFunc(g.Queries, func(q GateQuery) bool { return q.Query == l.Query })
		n := namedQuery{GateQuery: GateQuery{Query: l.Query}}
		if at >= 0 {
			n = nameOf(g, g.Queries[at])
		}
		n.loss, n.before = &l, fmt.Sprintf("%d/%d", l.HistoryRight, l.History)
		n.state = fmt.Sprintf("among those that lost most: %d/%d, where %.1f are expected", l.Right, l.Traces, l.Expected)
		if g.Decision == gate.Drift {
			n.was = n.AnswersFrozen
		}
		out = append(out, n)
	}
	return out
}

func nameOf(g Gate, q GateQuery) namedQuery {
	n := namedQuery{GateQuery: q, state: statusText(q.Status), before: q.Before.String(), was: q.AnswersBefore}
	s, ok := slipOf(g.Outcome, q.Query)
	if !ok {
		return n
	}
	n.before = fmt.Sprintf("%d/%d", s.HistoryRight, s.History)
	if g.Frozen != nil && s.Broken && !slices.ContainsFunc(poolSlips(g), func(p gate.Slip) bool { return p.Query == q.Query && p.Broken }) {
		n.was = q.AnswersFrozen
	}
	return n
}

func poolSlips(g Gate) []gate.Slip {
	if g.Rolling == nil {
		return nil
	}
	return g.Rolling.Slips
}

// lines are what somebody wants to know of the query: what was expected, what it answered in
// each pass, and how to look.
func (n namedQuery) lines(g Gate) []line {
	head := brief(n.Query)
	if n.Category != "" {
		head = say(head, plain(" ("), brief(n.Category), plain(")"))
	}
	out := []line{say(head, plain(": "+n.state))}
	if n.Expected != "" {
		out = append(out, say(plain("  expected: "), quoted(clip(n.Expected, maxAnswer))))
	}
	out = append(out, say(plain("  before: "+n.before+" right; "), answers(n.was)))
	for _, p := range n.Passes {
		out = append(out, say(plain("  in "), brief(p.Run), plain(": "+p.Traces.String()+" right; "), answers(p.Answers)))
	}
	run := g.Run
	if len(n.Passes) > 0 {
		run = n.Passes[len(n.Passes)-1].Run
	}
	return append(out, say(plain("  look: concur trace "), brief(run), plain(" "), brief(n.Query)))
}

// answers are the most frequent ones, with the number of traces that gave each.
func answers(all []AnswerCount) line {
	if len(all) == 0 {
		return plain("no answers")
	}
	var out line
	for i, a := range all[:min(len(all), mostGateAnswers)] {
		if i > 0 {
			out = say(out, plain("; "))
		}
		out = say(out, quoted(cmp.Or(clip(a.Answer, maxAnswer), `""`)))
		if a.Count > 1 {
			out = say(out, plain(fmt.Sprintf(" ×%d", a.Count)))
		}
	}
	if more := len(all) - mostGateAnswers; more > 0 {
		out = say(out, plain(fmt.Sprintf("; %d more", more)))
	}
	return out
}

// comparisons are those with the histories that there are.
func comparisons(g Gate) []gate.Comparison {
	var out []gate.Comparison
	for _, c := range []*gate.Comparison{g.Rolling, g.Frozen} {
		if c != nil {
			out = append(out, *c)
		}
	}
	return out
}

func short(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

// levelText has two digits that count, and no exponent.
func levelText(x float64) string {
	if x <= 0 || x >= 1 {
		return short(x)
	}
	return strings.TrimRight(strconv.FormatFloat(x, 'f', 1-int(math.Floor(math.Log10(x))), 64), "0")
}
