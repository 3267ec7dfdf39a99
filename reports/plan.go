package reports

import (
	"fmt"
	"io"
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
)

// WritePlan writes how many queries and traces are needed to detect a drop, as a table or as JSON.
func WritePlan(w io.Writer, f Format, p result.Plan, s Screen) error {
	switch f {
	case FormatTable:
		return s.write(w, planTable(p))
	case FormatJSON:
		return JSON(w, p)
	}
	return fmt.Errorf("write plan: there is no format %q; there are %s, %s", f, FormatTable, FormatJSON)
}

func planTable(p result.Plan) document {
	type option = result.PlanOption
	from := plain("stated rates")
	if p.Run != "" {
		from = say(plain("run "), quoted(p.Run), plain(", "), quoted(p.Configuration),
			plain(fmt.Sprintf(", %s, K=%d", text.Counted(p.Queries, "query"), p.K)))
	}
	from = say(from, plain(fmt.Sprintf(": single traces are right in %s %%, and queries differ by %s points "+
		"(standard deviation)", rate(p.Mean, 0), mde(&p.Between))))
	drop := wholePoints(p.Drop)
	head := []line{from, plain(fmt.Sprintf("what finds a drop of %s points in four of five comparisons, with %s "+
		"compared with the baseline:", drop, text.Counted(p.Rows, "row")))}
	most := ""
	if p.AtMost {
		most = " at most"
	}
	table := tabulate(nil, []Column[option]{
		{Header: "K", Show: func(o option) string { return whole(o.K) }},
		{Header: "queries" + most, Show: func(o option) string { return maybe(o.Queries) }},
		{Header: "traces of a run", Show: func(o option) string { return defined(o.Traces, thousands) }},
		{Header: "cost of a run", Show: func(o option) string { return dollars(o.USD) }, When: ifFilled},
		{Header: "queries by\nvotes alone", Show: func(o option) string { return maybe(o.Votes) }},
		{
			Header: "note", When: ifFilled,
			Text: func(o option) line {
				switch {
				case o.Advised:
					return plain("advised")
				case o.Cheapest:
					return plain("fewest traces")
				}
				return nil
			},
		},
	}, p.Options)
	notes := []line{plain("the baseline costs as much again where it is to be run too")}
	if p.AtMost {
		notes = append(notes, plain("with one trace a query nothing says how queries differ, so one rate is "+
			"supposed for all: at most so many are needed; a run with K=3 says it better"))
	}
	if p.Clustered {
		notes = append(notes, plain("if a change hits whole clusters, it takes as many clusters as the table says queries"))
	}
	return document{headline: filled(part{lines: head}, part{table: table}, part{lines: notes}), closing: advice(p)}
}

// advice recommends the option with the most queries among those that need about the fewest traces.
func advice(p result.Plan) line {
	i := slices.IndexFunc(p.Options, func(o result.PlanOption) bool { return o.Advised })
	if i < 0 {
		return plain("It takes more than 100,000 queries: look for a larger drop.")
	}
	o := p.Options[i]
	return plain(fmt.Sprintf("Take %s with K=%d: of what needs about the fewest traces, it has the most queries, "+
		"which say more of others.", text.Counted(*o.Queries, "query"), o.K))
}
