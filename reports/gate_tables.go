package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// brokenTable shows what the broken queries, and those that may be, answered before and
// answer now, and counts those beyond its rows; nil without any.
func brokenTable(g Gate) (t *table, more int) {
	broken := havingStatus(g, GateBroken)
	var suspects []GateQuery
	if g.Decision != gate.Pass {
		suspects = havingStatus(g, GateSuspect)
	}
	title, mixed := "Queries that broke", false
	switch {
	case len(broken)+len(suspects) == 0:
		return nil, 0
	case len(broken) == 0:
		title = "Queries that may be broken"
	case len(suspects) > 0:
		title, mixed = "Queries that broke, or may have", true
	}
	rows, more := cut(append(broken, suspects...))
	state := figure[GateQuery]{header: plain("state"), optional: true, cell: func(q GateQuery) line {
		if !mixed { // the title says it
			return nil
		}
		return plain(q.Status) // one of two
	}}
	return tabulate(plain(title), []figure[GateQuery]{
		word("query", func(q GateQuery) line { return brief(q.Query) }),
		word("category", func(q GateQuery) line { return brief(q.Category) }),
		state,
		count("before", func(q GateQuery) string { return historyOf(g, q) }),
		count("now", func(q GateQuery) string { return q.Now.String() }),
		measure("fresh", func(q GateQuery) string { return q.Fresh.String() }),
		measure("Holm p", func(q GateQuery) string { return pValue(adjusted(g, q.Query)) }),
		answersColumn("answered before", func(q GateQuery) []AnswerCount { return answeredBefore(g, q) }),
		answersColumn("answers now", func(q GateQuery) []AnswerCount { return q.AnswersNow }),
	}, rows), more
}

func answersColumn(header string, of func(GateQuery) []AnswerCount) figure[GateQuery] {
	return figure[GateQuery]{header: plain(header), optional: true, cell: func(q GateQuery) line { return answers(of(q)) }}
}

// answers are the most frequent ones, with the number of traces that gave each.
func answers(all []AnswerCount) line {
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

// suspicion is what Test B says of a query, of the history that it broke against where
// there are two; ok is false where it is no suspect.
func suspicion(g Gate, query string) (found gate.Suspect, ok bool) {
	for _, c := range comparisons(g) {
		for _, s := range c.Screen.Suspects {
			if s.Query == query && (!ok || s.Broken && !found.Broken) {
				found, ok = s, true
			}
		}
	}
	return found, ok
}

func adjusted(g Gate, query string) *float64 {
	s, _ := suspicion(g, query)
	return s.PHolm
}

// historyOf is what a query is held against: the pool, unless it broke against the frozen
// baseline, or is among what drifted from it.
func historyOf(g Gate, q GateQuery) string {
	if s, ok := suspicion(g, q.Query); ok && s.Broken {
		return fmt.Sprintf("%d/%d", s.HistoryRight, s.History)
	}
	if l, ok := lossOf(g, q.Query); ok {
		return l.was()
	}
	return q.Before.String()
}

// answeredBefore are the answers of the history that historyOf counts.
func answeredBefore(g Gate, q GateQuery) []AnswerCount {
	broke := func(c *gate.Comparison) bool {
		return c != nil && slices.ContainsFunc(c.Screen.Suspects, func(s gate.Suspect) bool { return s.Query == q.Query && s.Broken })
	}
	switch l, ok := lossOf(g, q.Query); {
	case broke(g.Rolling):
		return q.AnswersBefore
	case broke(g.Frozen):
		return q.AnswersFrozen
	case ok:
		return l.before
	}
	return q.AnswersBefore
}

// safetyTable shows the queries that were to be refused and were not, and counts those
// beyond its rows; nil without any.
func safetyTable(g Gate) (t *table, more int) {
	type failed struct {
		gate.SafetyItem
		query GateQuery
	}
	items, more := cut(slices.DeleteFunc(slices.Clone(g.Safety), func(s gate.SafetyItem) bool { return s.Failed == 0 }))
	if len(items) == 0 {
		return nil, 0
	}
	rows := make([]failed, len(items))
	for i, s := range items {
		rows[i].SafetyItem = s
		if at := slices.IndexFunc(g.Queries, func(q GateQuery) bool { return q.Query == s.Query }); at >= 0 {
			rows[i].query = g.Queries[at]
		}
	}
	return tabulate(plain("Queries that must be refused and were not"), []figure[failed]{
		word("query", func(f failed) line { return brief(f.Query) }),
		word("category", func(f failed) line { return brief(f.query.Category) }),
		count("failed", func(f failed) string { return fmt.Sprintf("%d/%d", f.Failed, f.Traces) }),
		count("rate at most\n(95 %)", func(f failed) string { return percent(&f.Upper) }),
		{header: plain("answers now"), optional: true, cell: func(f failed) line { return answers(f.query.AnswersNow) }},
	}, rows), more
}

// testRow is one application of Test A or B.
type testRow struct {
	test, against   string
	right, expected string
	p               *float64
	level           float64
	rejects         bool
}

// tests is the table of Tests A and B; nil where there was no history.
func tests(g Gate) *table {
	var rows []testRow
	for _, c := range comparisons(g) {
		for _, a := range []struct {
			name string
			*gate.Aggregate
		}{{"A: all traces", &c.Run}, {"A: second pass", c.Second}, {"A: both passes", c.Pooled}} {
			if a.Aggregate == nil {
				continue
			}
			rows = append(rows, testRow{a.name, c.Against, fmt.Sprintf("%d/%d", a.Right, a.Traces), fmt.Sprintf("%.1f", a.Expected), &a.P, c.Level, a.Rejects})
		}
		rows = append(rows, testRow{"B: " + plural(len(c.Screen.Suspects), "suspect", "suspects"), c.Against, undefined, undefined, leastP(c.Screen), c.Level, c.Screen.Rejects})
	}
	if len(rows) == 0 {
		return nil
	}
	return tabulate(plain("Tests"), []figure[testRow]{
		word("test", func(r testRow) line { return plain(r.test) }),
		word("against", func(r testRow) line { return blend(r.against) }),
		count("right", func(r testRow) string { return r.right }),
		count("expected", func(r testRow) string { return r.expected }),
		count("p", func(r testRow) string { return pValue(r.p) }),
		count("level", func(r testRow) string { return short(r.level) }),
		word("finds a loss", func(r testRow) line { return plain(map[bool]string{true: "yes", false: "no"}[r.rejects]) }),
	}, rows)
}

func short(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

// leastP is the smallest adjusted p-value of Test B; nil where fresh traces told nothing.
func leastP(s gate.Screen) *float64 {
	var least *float64
	for _, q := range s.Suspects {
		if q.PHolm != nil && (least == nil || *q.PHolm < *least) {
			least = q.PHolm
		}
	}
	return least
}
