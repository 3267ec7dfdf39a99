package reports_test

import (
	"bytes"
	"encoding/csv"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/store"
)

// attack is text that means to get out of its cell, in one format or another.
var attack = rapid.Custom(func(t *rapid.T) string {
	piece := rapid.SampledFrom([]string{
		"|", "\\", "`", "``", "```", "\n", "\r", "\t", " ", "@team", "#12", "=cmd()", "+1", "-1", "<script>", "![x](y)", "[x](http://x.y)",
		"**", "_", "$x$", "~~", "&amp;", ": ", "http://x.y", "www.x.y", "\x1b[31m", "\u202e", "\u2028", "\x00", "\xff", "é", "長", "plain", "'", "\"", ",",
	})
	return strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")
})

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
		got := render(t, document.FormatMarkdown, attacked(t))
		columns := 0
		for l := range strings.Lines(got) {
			l = strings.TrimSuffix(l, "\n")
			switch {
			case strings.HasPrefix(l, "|"):
				for _, cells := range [][]string{cellsOf(l, false), cellsOf(l, true)} {
					if columns == 0 {
						columns = len(cells)
					}
					if len(cells) != columns {
						t.Fatalf("%d cells where the table has %d: %s", len(cells), columns, l)
					}
					for _, cell := range cells {
						inert(t, cell, l)
					}
				}
			case l == "":
				columns = 0
			default:
				columns = 0
				inert(t, strings.Trim(strings.TrimPrefix(l, "- "), "*"), l)
			}
		}
	})
}

// cellsOf splits a row at its pipes. Parsers differ: some take a pipe as escaped if a
// backslash precedes it, others pair backslashes from the left.
func cellsOf(row string, pairing bool) []string {
	var cells []string
	var cell strings.Builder
	escaped := false
	for _, r := range row {
		if r == '|' && !escaped {
			cells = append(cells, cell.String())
			cell.Reset()
			continue
		}
		if r == '|' {
			text := strings.TrimSuffix(cell.String(), `\`)
			cell.Reset()
			cell.WriteString(text)
		}
		escaped = r == '\\' && !(pairing && escaped)
		cell.WriteRune(r)
	}
	return append(cells, cell.String())
}

var live = regexp.MustCompile("[@#<>$~_*&]|\\]\\(|://|www\\.|`|[A-Za-z]-[0-9]")

// measureName is the one use of ours of a letter that mentions: not after another.
var measureName = regexp.MustCompile(`pass@[kK]`)

func inert(t *rapid.T, text, where string) {
	if bare := measureName.ReplaceAllString(outsideCode(text), ""); live.MatchString(bare) {
		t.Fatalf("%q is live in %s", bare, where)
	}
	if strings.ContainsAny(text, steering) {
		t.Fatalf("control characters in %q", where)
	}
}

// outsideCode takes out code spans and escaped characters as CommonMark reads them.
func outsideCode(s string) string {
	var out strings.Builder
	for s != "" {
		switch {
		case s[0] == '\\' && len(s) > 1:
			s = s[2:]
		case s[0] == '`':
			ticks := s[:len(s)-len(strings.TrimLeft(s, "`"))]
			end := closing(s[len(ticks):], len(ticks))
			if end < 0 {
				return out.String() + "`"
			}
			s = s[len(ticks)+end:]
		default:
			out.WriteByte(s[0])
			s = s[1:]
		}
	}
	return out.String()
}

// closing is where a run of exactly n backticks ends, or -1.
func closing(s string, n int) int {
	for i := 0; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if i += run; run == n {
			return i
		}
	}
	return -1
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
