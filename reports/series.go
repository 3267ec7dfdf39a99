package reports

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/series"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// WriteSeries writes how a series of runs compares with the accepted runs, as a table or as JSON.
func WriteSeries(w io.Writer, f document.Format, s series.Series, screen document.Screen) error {
	switch f {
	case document.FormatTable:
		return screen.Write(w, seriesTable(s))
	case document.FormatJSON:
		return document.WriteJSON(w, s)
	}
	return fmt.Errorf(
		"write series: there is no format %q; there are %s, %s",
		f,
		document.FormatTable,
		document.FormatJSON,
	)
}

func seriesTable(s series.Series) document.Document {
	of := "traces"
	if s.Clusters > 0 {
		of = "means of clusters"
	}
	share := func(right, of float64) string { return figures.FormatRate(right/of, 1) + " %" }
	head := []document.RichText{
		document.Concat(document.Quoted(s.Configuration), document.Plain(fmt.Sprintf(": %s against the %s, %s a run",
			text.Counted(len(s.Nights), "night"), text.Counted(len(s.Pool.Runs), "accepted run"),
			text.Counted(s.Queries, "query")))),
		document.Plain(
			fmt.Sprintf("the accepted runs: %s of %s %s right: at least %s (one-sided)", formatTraces(s.Pool.Right),
				formatTraces(s.Pool.Of), of, share(s.Pool.Low, 1)),
		),
	}
	if s.Rate != nil {
		head = append(head, document.Plain(fmt.Sprintf("the nights' rate: between %s and %s, at all looks together (95 %%)",
			share(s.Rate.Low, 1), share(s.Rate.High, 1))))
	}
	columns := []document.Column[series.Look]{
		{
			Header: "night",
			Text:   func(l series.Look) document.RichText { return document.Plain(l.Start.UTC().Format("2006-01-02 15:04")) },
		},
		{Header: "run", Text: func(l series.Look) document.RichText { return document.Quoted(l.Run) }, Leaves: 1},
		{Header: "right", Show: func(l series.Look) string { return formatTraces(l.Right) + "/" + formatTraces(l.Of) }},
		{Header: "rate", Show: func(l series.Look) string { return share(l.Right, l.Of) }},
		{Header: "against the pool\n(a drop from 40 on)", Show: func(l series.Look) string { return evidence(l.E) }},
	}
	if s.WithoutRanks == "" {
		columns = append(columns, document.Column[series.Look]{
			Header: "by ranks\n(from 20 on)",
			Show:   func(l series.Look) string { return evidence(*l.Ranks) },
		})
	}
	var notes []document.RichText
	if s.Pool.Few {
		notes = append(notes, document.Plain(fmt.Sprintf("the pool is small: accept five runs before a series; with %d a "+
			"drop is found late, and bad hours look like a drop more often", len(s.Pool.Runs))))
	}
	if s.WithoutRanks != "" {
		notes = append(notes, document.Plain("no test by ranks: "+s.WithoutRanks))
	}
	for _, w := range s.Warnings {
		notes = append(notes, document.Mixed("warning: "+w))
	}
	return document.Document{
		Headline: document.WithoutEmpty(
			document.Section{Lines: head},
			document.Section{Table: document.Tabulate(nil, columns, s.Nights)},
			document.Section{Lines: notes},
		),
		Closing: seriesClosing(s),
	}
}

// seriesClosing states whether the agent got worse.
func seriesClosing(s series.Series) document.RichText {
	if len(s.Nights) == 0 {
		return document.Plain("No run began after the runs of the pool: name runs that did.")
	}
	if s.Since == nil {
		return document.Plain("No drop is shown. There may be one: the interval above shows the lowest rate that fits.")
	}
	at := slices.IndexFunc(s.Nights, func(l series.Look) bool { return l.Run == *s.Since })
	how := "the traces of all nights are wrong more often than the rate of the accepted runs explains"
	if s.By == "ranks" {
		how = "nights are among the worst more often than chance explains"
	}
	return document.Concat(
		document.Plain(fmt.Sprintf("The agent got worse: shown at night %d, ", at+1)),
		document.Quoted(*s.Since),
		document.Plain("; "+how+"."),
	)
}

// formatTraces formats a number of traces, or a sum of means with one decimal.
func formatTraces(x float64) string {
	if x == float64(int(x)) {
		return strconv.Itoa(int(x))
	}
	return strconv.FormatFloat(x, 'f', 1, 64)
}

// evidence formats an e-value or the value of a martingale. Both are compared with a limit.
func evidence(e float64) string {
	switch {
	case e >= 1000:
		return ">999"
	case e >= 10:
		return strconv.Itoa(int(e)) // rounded down: 39.9 is below the limit of 40
	case e < 0.01:
		return "<0.01"
	}
	return strconv.FormatFloat(e, 'f', 2, 64)
}
