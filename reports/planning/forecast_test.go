package planning_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/planning"
	"github.com/seed-5817661a/concur/reports/reporttest"
	"github.com/seed-5817661a/concur/runner"
)

// A row without traces shares another's, unless nothing of it is left to run.
func TestForecastSaysWhoRunsNothing(t *testing.T) {
	text := reporttest.Written(t, func(b *bytes.Buffer) error {
		return planning.WriteForecast(b, runner.Forecast{Ablation: "a", Configurations: []runner.ForecastRow{{Name: "first", Traces: 87}, {Name: "second"}, {Name: "third", Done: true}}}, document.Screen{})
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

// A forecast fits a terminal of 80 columns, and what tells rows apart stays.
func TestForecastFitsATerminal(t *testing.T) {
	row := runner.ForecastRow{Name: "all guards off", Model: "offline:reader", Strategy: "react", Protocol: "native", Tools: []string{"planner", "web_search", "calc"}, Without: []string{"guard.calls", "guard.citations", "guard.spotlight"}, Traces: 72, Note: strings.Repeat("note ", 20)}
	text := reporttest.Written(t, func(b *bytes.Buffer) error {
		return planning.WriteForecast(b, runner.Forecast{Ablation: "guards", Configurations: []runner.ForecastRow{row}, Guess: &runner.Guess{Tokens: 1e7, TurnsPerTrace: 4}}, document.Screen{Width: 80})
	})
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(line) > 81 {
			t.Errorf("too wide: %s", line)
		}
	}
	if !strings.Contains(text, "guard.calls") {
		t.Errorf("what is left out is not shown:\n%s", text)
	}
}
