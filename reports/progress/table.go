package progress

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
	"github.com/seed-5817661a/concur/runner"
)

// progressColumns returns the columns of the table of active configurations. A run of attacks has no column of
// verdicts, because its queries are attacks.
func progressColumns(now time.Time, attack bool) []document.Column[runner.Progress] {
	type p = runner.Progress
	left := func(p p) string {
		if p.Ends.IsZero() {
			return document.Undefined
		}
		s := max(0, p.Ends.Sub(now)).Round(time.Second)
		return fmt.Sprintf("%d:%02d", int(s.Minutes()), int(s.Seconds())%60)
	}
	columns := []document.Column[p]{
		{
			Header: "configuration",
			Text:   func(p p) document.RichText { return document.Quoted(p.Configuration) },
			Most:   document.MaxAnswer,
		},
		{Header: "done", Show: func(p p) string { return fmt.Sprintf("%d/%d", p.Decided(), p.Queries) }},
		{
			Header: "right so far",
			Show: func(p p) string {
				if p.PassRate == nil {
					return document.Undefined
				}
				d := figures.Digits(p.Decided())
				return figures.FormatRate(p.PassRate.Value, d) + " % " + text.Bracketed(p.PassRate.Low, p.PassRate.High, d)
			},
		},
		{Header: "wrong", Show: func(p p) string { return figures.Whole(p.Incorrect) }, Leaves: 2},
		{
			Header: "unscored",
			Show:   func(p p) string { return figures.UnlessZero(p.Unscored) },
			When:   document.IfFilled,
			Leaves: 3,
		},
		{Header: "in flight", Show: func(p p) string { return figures.Whole(p.InFlight) }, Leaves: 5},
		{Header: "tokens", Show: func(p p) string { return figures.Thousands(p.Tokens) }, Leaves: 6},
		{Header: "cost", Show: func(p p) string { return figures.Dollars(p.USD) }, When: document.IfFilled, Leaves: 4},
		{Header: "left", Show: left, Leaves: 1},
	}
	if attack {
		return slices.DeleteFunc(columns, func(c document.Column[p]) bool {
			return c.Header == "right so far" || c.Header == "wrong"
		})
	}
	return columns
}

// Table returns the lines of a table with one row for each configuration of an active run. The configurations'
// last errors follow, cut to the width of the screen.
func Table(rows []runner.Progress, now time.Time, s document.Screen) ([]string, error) {
	var b bytes.Buffer
	columns := progressColumns(now, len(rows) > 0 && rows[0].Attack)
	if err := s.WriteTable(&b, *document.Tabulate(nil, columns, rows)); err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	for _, p := range rows {
		if p.LastError != "" {
			lines = append(lines, document.Clean("last error of "+p.Configuration+": "+p.LastError))
		}
	}
	for i, l := range lines {
		lines[i] = s.Cut(l)
	}
	return lines, nil
}

// FormatLine returns the progress of a configuration as one line for a log.
func FormatLine(p runner.Progress, now time.Time) string {
	t := document.Tabulate(nil, progressColumns(now, p.Attack), []runner.Progress{p})
	var parts []string
	for i, c := range t.Columns[1:] {
		if cell := t.Rows[0][i+1].String(); cell != "" && cell != document.Undefined {
			parts = append(parts, c.Header.String()+" "+cell)
		}
	}
	if p.LastError != "" {
		parts = append(parts, "last error: "+p.LastError)
	}
	return document.Clean(p.Configuration + ": " + strings.Join(parts, ", "))
}
