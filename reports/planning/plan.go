package planning

import (
	"fmt"
	"io"
	"slices"

	"github.com/seed-5817661a/concur/ablations/sizing"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// WritePlan writes how many queries and traces are needed to detect a drop, as a table or as JSON.
func WritePlan(w io.Writer, f document.Format, p sizing.Plan, s document.Screen) error {
	switch f {
	case document.FormatTable:
		return s.Write(w, planTable(p))
	case document.FormatJSON:
		return document.WriteJSON(w, p)
	}
	return fmt.Errorf("write plan: there is no format %q; there are %s, %s", f, document.FormatTable, document.FormatJSON)
}

func planTable(p sizing.Plan) document.Document {
	type option = sizing.Option
	from := document.Plain("stated rates")
	if p.Run != "" {
		from = document.Concat(
			document.Plain("run "),
			document.Quoted(p.Run),
			document.Plain(", "),
			document.Quoted(p.Configuration),
			document.Plain(fmt.Sprintf(", %s, K=%d", text.Counted(p.Queries, "query"), p.K)),
		)
	}
	from = document.Concat(
		from,
		document.Plain(fmt.Sprintf(": single traces are right in %s %%, and queries differ by %s points "+
			"(standard deviation)", figures.FormatRate(p.Mean, 0), figures.EffectPoints(&p.Between))),
	)
	drop := figures.MarginPoints(p.Drop)
	head := []document.RichText{
		from,
		document.Plain(fmt.Sprintf("queries needed to find a drop of %s points in four of five comparisons, with %s "+
			"compared with the baseline:", drop, text.Counted(p.Rows, "row"))),
	}
	most := ""
	if p.AtMost {
		most = " at most"
	}
	table := document.Tabulate(nil, []document.Column[option]{
		{Header: "K", Show: func(o option) string { return figures.Whole(o.K) }},
		{Header: "queries" + most, Show: func(o option) string { return figures.Count(o.Queries) }},
		{
			Header: "traces of a run",
			Show:   func(o option) string { return document.FormatDefined(o.Traces, figures.Thousands) },
		},
		{Header: "cost of a run", Show: func(o option) string { return figures.Dollars(o.USD) }, When: document.IfFilled},
		{Header: "queries by\nvotes alone", Show: func(o option) string { return figures.Count(o.Votes) }},
		{
			Header: "note", When: document.IfFilled,
			Text: func(o option) document.RichText {
				switch {
				case o.Advised:
					return document.Plain("advised")
				case o.Cheapest:
					return document.Plain("fewest traces")
				}
				return nil
			},
		},
	}, p.Options)
	notes := []document.RichText{document.Plain("if the baseline must be run as well, the cost is twice as high")}
	if p.AtMost {
		notes = append(notes, document.Plain("with one trace per query it is unknown how queries differ, so one rate "+
			"is assumed for all: the numbers are upper limits; a run with K=3 gives better ones"))
	}
	if p.Clustered {
		notes = append(
			notes,
			document.Plain("if a change affects whole clusters, read the numbers of queries as numbers of clusters"),
		)
	}
	return document.Document{
		Headline: document.WithoutEmpty(
			document.Section{Lines: head},
			document.Section{Table: table},
			document.Section{Lines: notes},
		),
		Closing: advice(p),
	}
}

// advice recommends the option with the most queries among those that need about the fewest traces.
func advice(p sizing.Plan) document.RichText {
	i := slices.IndexFunc(p.Options, func(o sizing.Option) bool { return o.Advised })
	if i < 0 {
		return document.Plain("More than 100,000 queries are needed: choose a larger drop.")
	}
	o := p.Options[i]
	return document.Plain(
		fmt.Sprintf("Take %s with K=%d: among the choices with about the fewest traces, this one has the most queries, "+
			"and so says most about other queries.", text.Counted(*o.Queries, "query"), o.K),
	)
}
