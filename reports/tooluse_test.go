package reports_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
)

// useResult has two configurations, of which the first called two tools.
func useResult() *result.Result {
	half, most, d := .5, .75, .25
	full := result.Configuration{Name: "full", K: 3, Tools: map[string]result.ToolUse{
		"calc": {Calls: 12, Failed: 3, Failures: map[string]int{"refused": 1, "timeout": 2}, Traces: 9, Seconds: 1.25, Tokens: 90,
			Paired: result.PairedUse{Queries: 20, With: &most, Without: &half, Difference: &d,
				CI: &result.Interval{Method: "tango-cr2", Level: .95, Low: -.05, High: .5}}},
		"search": {Calls: 40, Failures: map[string]int{}, Traces: 40, Seconds: 30, Tokens: 12345,
			Paired: result.PairedUse{Queries: 2, With: &half, Without: &half, Difference: new(float64)}},
	}}
	return &result.Result{Ablation: "tools", Baseline: "full",
		Configurations: []result.Configuration{full, {Name: "no tools", K: 3}}}
}

func TestToolUse(t *testing.T) {
	var out strings.Builder
	if err := reports.Write(&out, document.FormatMarkdown, useResult(), reports.Options{}); err != nil {
		t.Fatal(err)
	}
	shown := strings.Join(strings.Fields(strings.ReplaceAll(out.String(), "`", "")), " ")
	for _, want := range []string{
		"| full | calc | 12 | 2 timeout, 1 refused | 1.2 | 90 | 75 % | 50 % | +25 (−5 … +50) | 20 |",
		"| full | search | 40 | 0 | 30.0 | 12k | 50 % | 50 % | too few | 2 |",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("the report lacks %s:\n%s", want, shown)
		}
	}
	r := useResult()
	r.Ablation = "mine"
	for shown, options := range map[bool]reports.Options{false: {}, true: {Show: reports.Sections{ToolUse: true}}} {
		out.Reset()
		if err := reports.Write(&out, document.FormatMarkdown, r, options); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "Use of tools") != shown {
			t.Errorf("with the flag %v, the table is shown: %v", shown, !shown)
		}
	}
}

// CSV has the figures of the table, and empty cells for a configuration without the tool.
func TestToolUseAsCSV(t *testing.T) {
	var out strings.Builder
	if err := reports.Write(&out, document.FormatCSV, useResult(), reports.Options{}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := [2]map[string]string{{}, {}}
	for i, name := range rows[0] {
		if figure, of := strings.CutPrefix(name, "tool:calc:"); of {
			got[0][figure], got[1][figure] = rows[1][i], rows[2][i]
		}
	}
	want := map[string]string{"calls": "12", "failed": "3", "failures": "2 timeout, 1 refused", "traces": "9", "seconds": "1.25",
		"tokens": "90", "right_with": "0.75", "right_without": "0.5", "difference": "0.25", "difference_low": "-0.05",
		"difference_high": "0.5", "queries_with_both": "20"}
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for figure, cell := range got[1] {
		if cell != "" {
			t.Errorf("the row without tools has %s in %s", cell, figure)
		}
	}
}
