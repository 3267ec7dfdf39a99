package reports_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
)

// The table of --steps says whose fewest it is.
func TestStepsOfTwoRuns(t *testing.T) {
	r := offlineAblation()
	r.Runs = []result.RunRef{{Label: "A"}, {Label: "B"}}
	got := written(t, func(b *bytes.Buffer) error {
		return reports.Write(b, document.FormatTable, r, reports.Options{Show: reports.Sections{Steps: true}})
	})
	if want := "a correct trace of the same query in the same run\n"; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}

// What has no verdict is marked, whichever side it is on and whatever it answered.
func TestUnscoredFlips(t *testing.T) {
	r := offlineAblation()
	r.Comparisons[0].Flips = []result.Flip{
		{Query: "one", Gain: true, Unscored: true, Baseline: "Rhine", Configuration: "Nile"},
		{Query: "two", Unscored: true, Baseline: "Nile", Configuration: "[infra]"},
		{Query: "three", Baseline: "Nile", Configuration: "[no_answer]"},
		{Query: "four", Gain: true, Baseline: "[abstained]", Configuration: "Nile"},
	}
	r.Comparisons = r.Comparisons[:1]
	got := written(t, func(b *bytes.Buffer) error {
		return reports.Write(b, document.FormatTable, r, reports.Options{Show: reports.Sections{Flips: true}})
	})
	for query, want := range map[string]string{"one": "gained (unscored)", "two": "lost (unscored)", "three": "lost  ", "four": "gained  "} {
		found := false
		for l := range strings.Lines(got) {
			found = found || strings.Contains(l, query) && strings.Contains(l, want)
		}
		if !found {
			t.Errorf("no %q of %s in\n%s", want, query, got)
		}
	}
}

// Agreement of queries without a verdict is not compared with verdicts.
func TestConfidenceOfNothing(t *testing.T) {
	r := oneConfiguration()
	c := &r.Configurations[0]
	c.Counts, c.Confidence = result.Counts{Queries: 29, Unscored: 29}, nil
	got := written(t, func(b *bytes.Buffer) error {
		return reports.Write(b, document.FormatTable, r, reports.Options{Show: reports.Sections{Confidence: true}})
	})
	if want := "default: no query is scored\n"; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}

// A row alone says whose judge it is.
func TestOneRowHasItsFootnotes(t *testing.T) {
	r := variantAlone()
	r.Ablation = "alone"
	got := written(t, func(b *bytes.Buffer) error {
		return reports.Write(b, document.FormatTable, r, reports.Options{Notes: notes(), Explain: true})
	})
	for _, want := range []string{
		"\njudged, not validated, by offline:reader¹ for correctness and offline:reader¹ for quality (form only), passing from a score of 4\nthe correctness judge read 5 of 29 judged verdicts; 24 followed from equality or the outcome\n",
		"\nablation alone has one configuration, so nothing was compared\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// A program is never told a rate of what was not run.
func TestCSVOfAPart(t *testing.T) {
	r := partialRun()
	got := written(t, func(b *bytes.Buffer) error { return reports.Write(b, document.FormatCSV, r, reports.Options{}) })
	rows, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range rows[0] {
		want, known := map[string]string{
			"pass_rate": "", "ci_low": "", "ci_high": "", "clusters": "", "missing": "10",
			"correct:multi_hop": "9", "missing:multi_hop": "1", "correct:calculation": "", "missing:calculation": "9",
		}[name]
		if known && rows[1][i] != want {
			t.Errorf("%s is %q, want %q", name, rows[1][i], want)
		}
	}
}

// The punctuation of a sentence stays out of the code that it quotes.
func TestPunctuationIsNotCode(t *testing.T) {
	for text, want := range map[string]string{
		"pass is gold; openai:a; openai:b and more":    "pass is gold; `openai:a`; `openai:b` and more",
		"a_b c_d, e_f: said (g_h, i_j).":               "`a_b c_d`, `e_f`: said (`g_h`, `i_j`).",
		"f(x) and (f(x)); #1 :; (k_l)":                 "`f(x)` and `(f(x))`; `#1 :;` (`k_l`)",
		"paired over 9 queries; 3 of a_b, and no more": "paired over 9 queries; 3 of `a_b`, and no more",
	} {
		r := offlineAblation()
		r.Warnings = []string{text}
		got := written(t, func(b *bytes.Buffer) error { return reports.Write(b, document.FormatMarkdown, r, reports.Options{}) })
		if !strings.Contains(got, "- warning: "+want+"\n") {
			at := strings.Index(got, "- warning: ")
			t.Errorf("%q: want %q in %s", text, want, got[at:])
		}
	}
}
