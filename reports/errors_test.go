package reports_test

import (
	"errors"
	"testing"

	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/reporttest"
	"github.com/seed-5817661a/concur/runner/store"
)

// A write error reaches the caller: a report that is cut off must not look whole.
func TestWriteErrorsAreReported(t *testing.T) {
	full := errors.New("disk full")
	w := reporttest.BrokenWriter{Err: full}
	records := queryRecords()
	for name, err := range map[string]error{
		"queries":  reports.WriteRows(w, document.FormatTable, "run-1", store.RowsOf(records...), document.Screen{}),
		"JSON":     document.WriteJSON(w, oneConfiguration()),
		"table":    reports.Write(w, document.FormatTable, offlineAblation(), reports.Options{}),
		"markdown": reports.Write(w, document.FormatMarkdown, offlineAblation(), reports.Options{}),
		"CSV":      reports.Write(w, document.FormatCSV, offlineAblation(), reports.Options{}),
	} {
		if !errors.Is(err, full) {
			t.Errorf("%s: error %v, want %v", name, err, full)
		}
	}
}
