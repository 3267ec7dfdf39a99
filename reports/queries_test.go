package reports_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/store"
)

func queryRecords() []store.Record {
	return []store.Record{
		record("exact", judge.Correct, "equal entities", "Nile", "Nile", "Nile"),
		record("majority", judge.Incorrect, `"amazon" is not "nile"`, "Amazon", "Nile", "Amazon"),
		record("tie", judge.Correct, "equal entities", "Nile", "Amazon", "Congo"),
		record("failures", judge.Correct, "equal entities", "Nile", "no_answer", "Nile", "infra", "Nile"),
		record("refused", judge.Correct, "refused, as expected", "refused", "refused", "refused"),
		record("abstained", judge.Incorrect, "abstained, where answered was expected", "abstained", "abstained", "Nile"),
		record("no-vote", judge.Incorrect, "no answer, where answered was expected", "no_answer", "no_answer", "no_answer"),
		record("unscored", judge.Unscored, "infrastructure failures left fewer valid traces than the quorum", "Nile", "infra", "infra"),
		record("single", judge.Correct, "equal entities", "Nile"),
		record("sixty", judge.Incorrect, "equal entities", strings.Repeat("sixty five ", 5)+"fives"),
		record("hostile", judge.Incorrect, "not a date: "+hostile, hostile),
		record("wide", judge.Correct, "equal entities", "長江は中国の川"),
	}
}

// The queries that are not right come first, and the others where all are asked for.
func TestQueries(t *testing.T) {
	for file, o := range map[string]reports.Options{
		"queries_all.txt": {All: true}, "queries_failures.txt": {}, "queries_80.txt": {All: true, Screen: document.Screen{Width: 80}},
	} {
		o.Records = store.RowsOf(queryRecords()...)
		got := written(t, func(b *bytes.Buffer) error { return reports.Write(b, document.FormatTable, oneConfiguration(), o) })
		got = got[:strings.Index(got, "offline:reader")]
		golden.Check(t, "testdata/"+file, got)
		for i, line := range strings.Split(strings.TrimSuffix(got, "\n"), "\n") {
			if strings.ContainsAny(line, steering+"\t") || strings.TrimRight(line, " ") != line {
				t.Errorf("%s:%d: %q holds control characters, or spaces at its end", file, i+1, line)
			}
		}
	}
}

func TestQueriesWithoutRows(t *testing.T) {
	if got := written(t, func(b *bytes.Buffer) error {
		return reports.WriteRows(b, document.FormatTable, "run-1", store.RowsOf(), document.Screen{})
	}); got != "" {
		t.Errorf("of no records: wrote %q, want nothing", got)
	}
	allRight := reports.Options{Records: store.RowsOf(record("q", judge.Correct, "equal", "Nile"))}
	got := written(t, func(b *bytes.Buffer) error {
		return reports.Write(b, document.FormatTable, oneConfiguration(), allRight)
	})
	if !strings.HasPrefix(got, "1 right query: --all shows them\n\noffline:reader") {
		t.Errorf("no failures: %s", got)
	}
}

// A run that fails throughout does not fill the screen.
func TestManyFailures(t *testing.T) {
	var records []store.Record
	for i := range 20 {
		records = append(records, record(fmt.Sprintf("q-%02d", i), judge.Incorrect, "", "Nile"))
	}
	o := reports.Options{Records: store.RowsOf(records...)}
	got := written(t, func(b *bytes.Buffer) error { return reports.Write(b, document.FormatTable, oneConfiguration(), o) })
	if !strings.Contains(got, "\nq-14 ") || strings.Contains(got, "\nq-15 ") || !strings.Contains(got, "\n5 more that are not right: --all shows them\n") {
		t.Errorf("%s", got)
	}
}

// Rows of several configurations say whose they are.
func TestQueriesOfSeveralConfigurations(t *testing.T) {
	records := queryRecords()[:2]
	records[1].Configuration = "k=1"
	got := written(t, func(b *bytes.Buffer) error {
		return reports.WriteRows(b, document.FormatTable, "run-1", store.RowsOf(records...), document.Screen{})
	})
	for _, want := range []string{"configuration  query ", "\ndefault        exact ", "\nk=1            majority "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
