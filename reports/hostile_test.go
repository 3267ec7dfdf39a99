package reports_test

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/reporttest"
	"github.com/seed-5817661a/concur/runner/store"
)

// attacked is a report in which everything that others write is an attack.
func attacked(t *rapid.T) *result.Result {
	draw := func() string { return attack.Draw(t, "text") }
	r := hostileResult()
	category := draw()
	r.Versions = map[string]string{"norm": draw(), "prompt": draw(), "correctness": draw()}
	r.Dataset.Name, r.Run, r.Ablation, r.Dataset.Categories = draw(), draw(), "a"+draw(), []string{category}
	r.Baseline = draw()
	for i := range r.Configurations {
		c := &r.Configurations[i]
		c.Name, c.Model, c.Note, c.Agent = draw(), draw(), draw(), draw()
		c.NoKCurve, c.Pass = draw(), judge.Mode(draw())
		c.Judge.CorrectnessModel, c.Judge.QualityModel = draw(), draw()
		c.ByCategory = map[string]result.Counts{category: {Queries: 1, Correct: 1}}
	}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		c.Configuration, c.Baseline = r.Configurations[i+1].Name, r.Baseline
		c.Differs = []string{draw(), draw()}
		text := draw()
		if c.LeftOut = &text; c.Refused != nil {
			c.Refused = &text
		}
		c.WayFlips = []result.WayFlip{{Query: draw(), Category: draw(), Answer: draw(), Reason: draw()}}
		for j := range c.Flips {
			c.Flips[j] = result.Flip{Query: draw(), Category: draw(), Baseline: draw(), Configuration: draw(), Reason: draw()}
		}
	}
	r.Warnings = []string{draw(), r.Configurations[0].Name + ": " + draw()}
	return r
}

func render(t *rapid.T, f document.Format, r *result.Result) string {
	var b bytes.Buffer
	records := queryRecords()[10:11]
	if err := reports.Write(&b, f, r, reports.Options{Records: store.RowsOf(records...), Show: everything}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Nothing that others write is live in Markdown: outside of code there is no mention, no
// link, no image, no HTML, and no cell more than the table has columns.
func TestMarkdownIsInert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reporttest.CheckMarkdown(t, render(t, document.FormatMarkdown, attacked(t)))
	})
}

// A spreadsheet reads the CSV as the same rows, and no text of others as a formula.
func TestCSVIsInert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := attacked(t)
		got := render(t, document.FormatCSV, r)
		rows, err := csv.NewReader(strings.NewReader(got)).ReadAll() // which also counts the cells
		if err != nil || len(rows) != len(r.Configurations)+1 {
			t.Fatalf("%d rows, error %v:\n%s", len(rows), err, got)
		}
		for _, row := range rows {
			for _, cell := range row {
				if _, err := strconv.ParseFloat(cell, 64); err != nil && strings.IndexAny(cell, "=+-@\t\r") == 0 {
					t.Fatalf("a formula: %q", cell)
				}
			}
		}
		if strings.ContainsAny(got, steering) {
			t.Fatalf("control characters in %q", got)
		}
	})
}

// A terminal gets one line per row and nothing that steers it.
func TestTableIsInert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if got := render(t, document.FormatTable, attacked(t)); strings.ContainsAny(got, steering+"\t\x00\u2028") {
			t.Fatalf("control characters in %q", got)
		}
	})
}
