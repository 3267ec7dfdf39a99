package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/score"
	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
)

// TestScore: two files of recorded answers, one with queries of different lengths and lines
// that were left out. What the files hold and how they are named cannot steer a terminal.
func TestScore(t *testing.T) {
	read := func(name, text string) *score.Score {
		t.Helper()
		s, err := score.Read(t.Context(), name, strings.NewReader(text), score.Options{Queries: true, Partial: true})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	before := read("before.jsonl", `{"id":"a","gold":"x","answers":["x","y","x"]}
{"id":"b","gold":"x","answers":["y","y","y"]}
{"id":"\u001b[31mc","gold":"x","answers":["\u001b[31my","x","z"]}`)
	after := read("\x1b[31mafter|`_.jsonl", `{"id":"a","gold":"x","answers":["x","x","x"]}
{"id":"b","gold":"x","answers":["x","x"]}
{"id":"\u001b[31mc","gold":"x","answers":["x","x",null]}
{"id":"d","\u001b[31mgold":"x"}`)
	if err := after.Against(before, ablations.Options{}); err != nil {
		t.Fatal(err)
	}
	for file, format := range map[string]document.Format{"score.txt": document.FormatTable, "score.md": document.FormatMarkdown} {
		var b bytes.Buffer
		if err := reports.WriteScore(&b, format, after, reports.Options{Show: reports.Sections{Flips: true}}); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsRune(b.String(), '\x1b') {
			t.Errorf("%s holds an escape", format)
		}
		golden.Check(t, "testdata/"+file, b.String())
	}
	if err := reports.WriteScore(&bytes.Buffer{}, document.FormatCSV, after, reports.Options{}); err == nil || !strings.Contains(err.Error(), "there are table, markdown, json") {
		t.Errorf("CSV: %v", err)
	}
}
