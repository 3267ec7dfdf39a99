package reports_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/store"
)

// A row without traces shares another's, unless nothing of it is left to run.
func TestForecastSaysWhoRunsNothing(t *testing.T) {
	text := written(t, func(b *bytes.Buffer) error {
		return reports.Forecast(b, runner.Forecast{Ablation: "a", Configurations: []runner.ForecastRow{{Name: "first", Traces: 87}, {Name: "second"}, {Name: "third", Done: true}}}, reports.Screen{})
	})
	for name, want := range map[string]string{"first": "87", "second": "shared", "third": "done"} {
		found := false
		for line := range strings.Lines(text) {
			found = found || strings.Contains(line, name) && strings.Contains(line, want)
		}
		if !found {
			t.Errorf("no row %s with %s in\n%s", name, want, text)
		}
	}
}

// Plan and list of runs fit a terminal of 80 columns, and what tells rows apart stays.
func TestPlanAndRunsFitATerminal(t *testing.T) {
	row := runner.ForecastRow{Name: "all guards off", Model: "offline:reader", Strategy: "react", Protocol: "native", Tools: []string{"planner", "web_search", "calc"}, Without: []string{"guard.calls", "guard.citations", "guard.spotlight"}, Traces: 72, Note: strings.Repeat("note ", 20)}
	entry := reports.RunEntry{Manifest: store.Manifest{Run: "20261122T204942-gold29-2b95ca7b", State: store.Interrupted, Configurations: []store.Configuration{{Name: "full"}, {Name: strings.Repeat("c", 40)}}}, Bytes: 123456789}
	for _, text := range []string{
		written(t, func(b *bytes.Buffer) error {
			return reports.Forecast(b, runner.Forecast{Ablation: "guards", Configurations: []runner.ForecastRow{row}, Guess: &runner.Guess{Tokens: 1e7, TurnsPerTrace: 4}}, reports.Screen{Width: 80})
		}),
		written(t, func(b *bytes.Buffer) error {
			return reports.Runs(b, []reports.RunEntry{entry}, reports.Screen{Width: 80})
		}),
	} {
		for line := range strings.Lines(text) {
			if utf8.RuneCountInString(line) > 81 {
				t.Errorf("too wide: %s", line)
			}
		}
		for _, want := range []string{"guard.calls", "20261122T204942-gold29-2b95ca7b"} {
			if strings.Contains(text, "all guards off") == (want == "guard.calls") && !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	}
}
