package reports_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
)

// The table that docs/statistics.md explains line by line is what the command prints.
func TestDocumentedTable(t *testing.T) {
	counted := func(name string, correct int, low, high float64) result.Configuration {
		return result.Configuration{
			Name: name, K: 3, Counts: result.Counts{Queries: 29, Correct: correct, Incorrect: 29 - correct},
			PassRate: pointer(float64(correct) / 29), CI: pointer(wilson(low, high)),
		}
	}
	r := run(29, nil, counted("full", 28, 0.8282, 0.9939), counted("no planner", 25, 0.6944, 0.9451), counted("no web search", 19, 0.4735, 0.8006))
	r.Baseline = "full"
	r.Comparisons = []result.Comparison{
		against("no planner", 4, 1, -0.28, 0.06, 0.219, 0.219, result.Undetermined),
		against("no web search", 9, 0, -0.49, -0.16, 0.00195, 0.0039, result.Worse),
	}
	page, err := os.ReadFile("../docs/statistics.md")
	if err != nil {
		t.Fatal(err)
	}
	got := written(t, func(b *bytes.Buffer) error {
		return reports.Write(b, document.FormatTable, r, reports.Options{Screen: document.Screen{Width: 100}})
	})
	shown, _, _ := strings.Cut(got[strings.Index(got, "right answers"):], "\n\n")
	if !strings.Contains(string(page), "```\n"+shown+"\n```\n") {
		t.Errorf("docs/statistics.md does not show\n%s", shown)
	}
}
