package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner"
)

// A row without traces shares another's, unless nothing of it is left to run.
func TestForecastSaysWhoRunsNothing(t *testing.T) {
	text := written(t, func(b *bytes.Buffer) error {
		return reports.Forecast(b, runner.Forecast{Ablation: "a", Configurations: []runner.ForecastRow{{Name: "first", Traces: 87}, {Name: "second"}, {Name: "third", Done: true}}})
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
