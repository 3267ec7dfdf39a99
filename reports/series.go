package reports

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/series"
	"github.com/seed-5817661a/concur/internal/text"
)

// WriteSeries writes how a series of runs compares with the accepted runs, as a table or as JSON.
func WriteSeries(w io.Writer, f Format, s series.Series, screen Screen) error {
	switch f {
	case FormatTable:
		return screen.write(w, seriesTable(s))
	case FormatJSON:
		return JSON(w, s)
	}
	return fmt.Errorf("write series: there is no format %q; there are %s, %s", f, FormatTable, FormatJSON)
}

func seriesTable(s series.Series) document {
	of := "traces"
	if s.Clusters > 0 {
		of = "means of clusters"
	}
	share := func(right, of float64) string { return rate(right/of, 1) + " %" }
	head := []line{
		say(quoted(s.Configuration), plain(fmt.Sprintf(": %s against the %s, %s a run",
			text.Counted(len(s.Nights), "night"), text.Counted(len(s.Pool.Runs), "accepted run"),
			text.Counted(s.Queries, "query")))),
		plain(fmt.Sprintf("the accepted runs: %s of %s %s right: %s at least (one-sided)", count1(s.Pool.Right),
			count1(s.Pool.Of), of, share(s.Pool.Low, 1))),
	}
	if s.Rate != nil {
		head = append(head, plain(fmt.Sprintf("the nights' rate: between %s and %s, at all looks together (95 %%)",
			share(s.Rate.Low, 1), share(s.Rate.High, 1))))
	}
	columns := []Column[series.Look]{
		{Header: "night", Text: func(l series.Look) line { return plain(l.Start.UTC().Format("2006-01-02 15:04")) }},
		{Header: "run", Text: func(l series.Look) line { return quoted(l.Run) }, Leaves: 1},
		{Header: "right", Show: func(l series.Look) string { return count1(l.Right) + "/" + count1(l.Of) }},
		{Header: "rate", Show: func(l series.Look) string { return share(l.Right, l.Of) }},
		{Header: "against the pool\n(a drop from 40 on)", Show: func(l series.Look) string { return evidence(l.E) }},
	}
	if s.WithoutRanks == "" {
		columns = append(columns, Column[series.Look]{
			Header: "by ranks\n(from 20 on)",
			Show:   func(l series.Look) string { return evidence(*l.Ranks) },
		})
	}
	var notes []line
	if s.Pool.Few {
		notes = append(notes, plain(fmt.Sprintf("the pool is small: accept five runs before a series; with %d a "+
			"drop is found late, and bad hours look like one more often", len(s.Pool.Runs))))
	}
	if s.WithoutRanks != "" {
		notes = append(notes, plain("no test by ranks: "+s.WithoutRanks))
	}
	for _, w := range s.Warnings {
		notes = append(notes, blend("warning: "+w))
	}
	return document{headline: filled(part{lines: head}, part{table: tabulate(nil, columns, s.Nights)},
		part{lines: notes}), closing: seriesClosing(s)}
}

// seriesClosing states whether the agent got worse.
func seriesClosing(s series.Series) line {
	if len(s.Nights) == 0 {
		return plain("There is no night behind the pool yet: name runs that began after it.")
	}
	if s.Since == nil {
		return plain("No drop is shown. It may be there: the rate above says how far down it fits.")
	}
	at := slices.IndexFunc(s.Nights, func(l series.Look) bool { return l.Run == *s.Since })
	how := "the traces of all nights are too often wrong for the rate of the accepted runs"
	if s.By == "ranks" {
		how = "nights are too often among the worst of all"
	}
	return say(plain(fmt.Sprintf("The agent got worse: shown at night %d, ", at+1)), quoted(*s.Since),
		plain("; "+how+"."))
}

// count1 formats a number of traces, or a sum of means with one decimal.
func count1(x float64) string {
	if x == float64(int(x)) {
		return strconv.Itoa(int(x))
	}
	return strconv.FormatFloat(x, 'f', 1, 64)
}

// evidence formats an e-value or a martingale, which is compared with its limit.
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
