package planning_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/sizing"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/planning"
	"github.com/seed-5817661a/concur/reports/reporttest"
)

func TestWritePlan(t *testing.T) {
	p := sizing.Plan{
		Run: "run-1", Configuration: "default", Queries: 30, K: 3, Mean: .667, Between: .324, Drop: .1, Rows: 1, Level: .05, Clustered: true,
		Options: []sizing.Option{
			{K: 1, Queries: new(210), Traces: new(210), USD: new(.42), Votes: new(210), Cheapest: true, Advised: true},
			{K: 3, Queries: new(72), Traces: new(216), USD: new(.432), Votes: new(212)},
			{K: 5},
		},
	}
	got := reporttest.Written(t, func(b *bytes.Buffer) error { return planning.WritePlan(b, document.FormatTable, p, document.Screen{}) })
	for _, want := range []string{
		"run run-1, default, 30 queries, K=3: single traces are right in 67 %, and queries differ by 32 points",
		"queries needed to find a drop of 10 points in four of five comparisons, with 1 row compared with the baseline:",
		"\n1      210              210          $0.42          210  advised\n3       72              216          $0.43          212\n5        –                –              –            –",
		"read the numbers of queries as numbers of clusters",
		"\nTake 210 queries with K=1: ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	p.AtMost, p.Options = true, p.Options[2:]
	got = reporttest.Written(t, func(b *bytes.Buffer) error { return planning.WritePlan(b, document.FormatTable, p, document.Screen{}) })
	if !strings.Contains(got, "queries at most") || !strings.Contains(got, "More than 100,000 queries") {
		t.Errorf("an upper value that nothing reaches:\n%s", got)
	}
	if err := planning.WritePlan(&bytes.Buffer{}, document.FormatCSV, p, document.Screen{}); err == nil {
		t.Error("a plan is written as CSV")
	}
}
