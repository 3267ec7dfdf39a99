package reports_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/ablations/series"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
)

// The table of a series says what every night adds, and its last sentence whether a drop is shown.
func TestWriteSeries(t *testing.T) {
	since, ranks := "night-2", 21.9
	s := series.Series{
		Configuration: "default", Queries: 20, K: 3,
		Pool: series.Pool{Runs: []string{"p"}, Right: 55, Of: 60, Low: 0.815, Few: true},
		Nights: []series.Look{
			{Run: "night-1", Start: time.Unix(0, 0), Right: 54, Of: 60, E: 0.001, Ranks: &ranks},
			{Run: "night-2\x1b", Start: time.Unix(0, 0), Right: 20.5, Of: 60, E: 39.96, Ranks: &ranks},
		},
		Rate: &series.Interval{Low: 0.5, High: 0.7}, Warnings: []string{"look at this"},
	}
	written := func() string {
		var b bytes.Buffer
		if err := reports.WriteSeries(&b, document.FormatTable, s, document.Screen{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	text := written()
	for _, want := range []string{
		"default: 2 nights against the 1 accepted run, 20 queries a run", "55 of 60 traces right: at least 81.5 %", "<0.01", " 39 ", " 21",
		"20.5/60", "the pool is small", "warning: look at this", "No drop is shown",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("without %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "\x1b") {
		t.Error("the name of a run steers the terminal")
	}
	s.Nights[1].Run, s.Since, s.By = since, &since, "ranks"
	if text := written(); !strings.Contains(text, "The agent got worse: shown at night 2, night-2; nights are among the worst more often than chance explains.") {
		t.Error(text)
	}
	s.Nights, s.Since = nil, nil
	if text := written(); !strings.Contains(text, "No run began after the runs of the pool") {
		t.Error(text)
	}
	if err := reports.WriteSeries(&bytes.Buffer{}, document.FormatCSV, s, document.Screen{}); err == nil {
		t.Error("a format without a form is written")
	}
}
