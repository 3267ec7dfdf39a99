package reports

import (
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// lost is a query that an alarm of Test A rests on.
type lost struct {
	gate.Loss
	query  GateQuery
	before []AnswerCount // of the history that it is held against
}

// losses are the queries that lost most, where Test A alone found something: no single one
// of them is proven to have broken.
func losses(g Gate) []lost {
	if !finds(g) {
		return nil
	}
	out := make([]lost, len(g.Losses))
	for i, l := range g.Losses {
		out[i].Loss = l
		if at := slices.IndexFunc(g.Queries, func(q GateQuery) bool { return q.Query == l.Query }); at >= 0 {
			out[i].query, out[i].before = g.Queries[at], g.Queries[at].AnswersBefore
		}
		if g.Decision == gate.Drift {
			out[i].before = out[i].query.AnswersFrozen
		}
	}
	return out
}

// lossOf finds the loss of a query.
func lossOf(g Gate, query string) (lost, bool) {
	all := losses(g)
	at := slices.IndexFunc(all, func(l lost) bool { return l.Query == query })
	if at < 0 {
		return lost{}, false
	}
	return all[at], true
}

func (l lost) was() string { return fmt.Sprintf("%d/%d", l.HistoryRight, l.History) }
func (l lost) is() string  { return fmt.Sprintf("%d/%d", l.Right, l.Traces) }

// lossTable shows what the queries that lost most answered before and answer now; nil
// without any.
func lossTable(g Gate) (t *table, more int) {
	rows, more := cut(losses(g))
	if len(rows) == 0 {
		return nil, 0
	}
	return tabulate(plain("Queries that lost most"), []figure[lost]{
		word("query", func(l lost) line { return brief(l.Query) }),
		word("category", func(l lost) line { return brief(l.query.Category) }),
		count("before", lost.was),
		count("now", lost.is),
		count("expected", func(l lost) string { return fmt.Sprintf("%.1f", l.Expected) }),
		{header: plain("answered before"), optional: true, cell: func(l lost) line { return answers(l.before) }},
		{header: plain("answers now"), optional: true, cell: func(l lost) line { return answers(l.query.AnswersNow) }},
	}, rows), more
}
