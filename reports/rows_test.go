package reports_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/store"
)

func TestWriteRows(t *testing.T) {
	strange := record("hostile", judge.Incorrect, hostile, hostile, "refused", hostile)
	strange.Question, strange.Expected = "=cmd()", "-38.83"
	records := append(queryRecords()[:3], strange)
	rows := func(f document.Format) string {
		return written(t, func(b *bytes.Buffer) error {
			return reports.WriteRows(b, f, "run-1", store.RowsOf(records...), document.Screen{})
		})
	}
	golden.Check(t, "testdata/rows.csv", rows(document.FormatCSV))
	lines, err := csv.NewReader(strings.NewReader(rows(document.FormatCSV))).ReadAll()
	if err != nil || len(lines) != len(records)+1 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	for _, line := range lines {
		for _, cell := range line {
			if strings.HasPrefix(cell, "=") {
				t.Errorf("a cell is a formula: %q", cell)
			}
		}
	}
	if got := lines[len(lines)-1]; !slices.Contains(got, "-38.83") {
		t.Errorf("the expected number -38.83 has become another: %q", got)
	}
	var back struct {
		Schema  string
		Queries []struct{ Question, Trace string }
	}
	if err := json.Unmarshal([]byte(rows(document.FormatJSON)), &back); err != nil {
		t.Fatal(err)
	}
	if q := back.Queries; back.Schema != "concur/queries/v1" || len(q) != len(records) || q[3].Question != "=cmd()" || q[0].Trace != "concur trace run-1 "+records[0].Query {
		t.Errorf("%+v", back)
	}
	for _, f := range []document.Format{document.FormatTable, document.FormatMarkdown} {
		if got := rows(f); strings.Count(got, "Nile") == 0 || strings.ContainsAny(strings.ReplaceAll(got, "\n", ""), steering) {
			t.Errorf("%s: %q", f, got)
		}
	}
	if err := reports.WriteRows(&bytes.Buffer{}, "junit", "run-1", store.RowsOf(), document.Screen{}); err == nil {
		t.Error("JUnit has rows of queries")
	}
}

// The command of a row shows the traces of its own configuration.
func TestRowsOfSeveralConfigurations(t *testing.T) {
	records := queryRecords()[:2]
	records[1].Configuration = "it's k=1"
	got := written(t, func(b *bytes.Buffer) error {
		return reports.WriteRows(b, document.FormatCSV, "run-1", store.RowsOf(records...), document.Screen{})
	})
	if want := "concur trace run-1 " + records[1].Query + ` --configuration 'it'\''s k=1'`; !strings.Contains(got, want) {
		t.Errorf("%s lacks %s", got, want)
	}
}
