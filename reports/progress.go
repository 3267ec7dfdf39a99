package reports

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/runner"
)

// soFar are the columns of runs in progress.
func soFar(now time.Time) []figure[runner.Progress] {
	type p = runner.Progress
	left := func(p p) string {
		if p.Ends.IsZero() {
			return undefined
		}
		s := max(0, p.Ends.Sub(now)).Round(time.Second)
		return fmt.Sprintf("%d:%02d", int(s.Minutes()), int(s.Seconds())%60)
	}
	return []figure[p]{
		{header: plain("configuration"), most: maxAnswer, cell: func(p p) line { return quoted(p.Configuration) }},
		count("done", func(p p) string { return fmt.Sprintf("%d/%d", p.Decided(), p.Queries) }),
		count("right so far", func(p p) string {
			if p.PassRate == nil {
				return undefined
			}
			d := digits(p.Decided())
			return fmt.Sprintf("%.*f %% [%.*f, %.*f]", d, p.PassRate.Value*100, d, p.PassRate.Low*100, d, p.PassRate.High*100)
		}),
		count("wrong", func(p p) string { return whole(p.Incorrect) }).leaving(2),
		measure("unscored", func(p p) string { return unlessNone(p.Unscored) }).leaving(3),
		count("in flight", func(p p) string { return whole(p.InFlight) }).leaving(5),
		count("tokens", func(p p) string { return thousands(p.Tokens) }).leaving(6),
		measure("cost", func(p p) string { return dollars(p.USD) }).leaving(4),
		count("left", left).leaving(1),
	}
}

// ProgressTable is a row for each configuration of a run in progress, and beneath it their last
// errors. No line is wider than the screen.
func ProgressTable(rows []runner.Progress, now time.Time, s Screen) ([]string, error) {
	var b bytes.Buffer
	if err := s.table(&b, *tabulate(nil, soFar(now), rows)); err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	for _, p := range rows {
		if p.LastError != "" {
			lines = append(lines, Clean("last error of "+p.Configuration+": "+p.LastError))
		}
	}
	for i, l := range lines {
		lines[i] = s.Cut(l)
	}
	return lines, nil
}

// ProgressLine is such a row as a line of a log.
func ProgressLine(p runner.Progress, now time.Time) string {
	t := tabulate(nil, soFar(now), []runner.Progress{p})
	var parts []string
	for i, c := range t.columns[1:] {
		if cell := t.rows[0][i+1].String(); cell != "" && cell != undefined {
			parts = append(parts, c.header.String()+" "+cell)
		}
	}
	if p.LastError != "" {
		parts = append(parts, "last error: "+p.LastError)
	}
	return Clean(p.Configuration + ": " + strings.Join(parts, ", "))
}
