package reports_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/reports"
)

var everything = reports.Sections{Flips: true, ByCategory: true, KCurve: true, Steps: true, Confidence: true}

var extensions = map[reports.Format]string{
	reports.FormatTable: "txt", reports.FormatMarkdown: "md", reports.FormatCSV: "csv", reports.FormatJSON: "json",
}

// One input goes through every format.
func TestWrite(t *testing.T) {
	for name, c := range map[string]struct {
		result  *result.Result
		options reports.Options
	}{
		"one":      {variantAlone(), reports.Options{Notes: notes(), Records: queryRecords()[:4], FailuresOnly: true}},
		"ablation": {offlineAblation(), reports.Options{Notes: notes()}},
		"sections": {offlineAblation(), reports.Options{Notes: notes(), Show: everything}},
		"hostile":  {hostileResult(), reports.Options{Notes: notes(), Records: queryRecords(), Show: everything}},
	} {
		for format, extension := range extensions {
			if format == reports.FormatJSON && name != "hostile" {
				continue // more of the same: the Result
			}
			got := written(t, func(b *bytes.Buffer) error { return reports.Write(b, format, c.result, c.options) })
			golden.Check(t, "testdata/write_"+name+"."+extension, got)
		}
	}
}

func variantAlone() *result.Result {
	return run(29, categories(), variant("default", 24, 0.6545, 0.924, ""))
}

// The tables of the built-in ablation fit on a wide terminal.
func TestAblationFitsATerminal(t *testing.T) {
	got := written(t, func(b *bytes.Buffer) error {
		return reports.Write(b, reports.FormatTable, offlineAblation(), reports.Options{Notes: notes()})
	})
	for l := range strings.Lines(got) {
		if n := utf8.RuneCountInString(l); n > 151 {
			t.Errorf("%d columns: %s", n, l)
		}
	}
}

func TestFormats(t *testing.T) {
	for _, f := range reports.Formats() {
		if got := written(t, func(b *bytes.Buffer) error {
			return reports.Write(b, reports.Format(f), oneConfiguration(), reports.Options{})
		}); got == "" {
			t.Errorf("%s is empty", f)
		}
	}
	err := reports.Write(io.Discard, "pdf", oneConfiguration(), reports.Options{})
	if err == nil || !strings.Contains(err.Error(), "table, markdown, csv, json") {
		t.Errorf("error %v, want one that names the formats", err)
	}
}

// What is not said by a result is not shown: neither columns nor sentences.
func TestWriteOfNothing(t *testing.T) {
	for name, r := range map[string]*result.Result{
		"no configurations": run(0, nil),
		"empty ones":        run(0, nil, result.Configuration{Name: "a"}, result.Configuration{Name: "b"}),
		"a loose comparison": {
			Configurations: []result.Configuration{{Name: "a"}, {Name: "b"}},
			Comparisons:    []result.Comparison{{Baseline: "x", Configuration: "y"}, {Baseline: "a", Configuration: "b"}},
		},
		"empty figures": run(29, categories(), result.Configuration{
			Name: "a", K: 3, Counts: result.Counts{Queries: 29, Unscored: 29, Missing: 29},
			KCurve: &result.KCurve{}, Confidence: &result.Confidence{}, PassRate: pointer(0.0),
		}),
	} {
		for _, f := range reports.Formats() {
			got := written(t, func(b *bytes.Buffer) error {
				return reports.Write(b, reports.Format(f), r, reports.Options{Show: everything})
			})
			if strings.Contains(got, "NaN") || strings.Contains(got, "%!") {
				t.Errorf("%s as %s: %s", name, f, got)
			}
		}
	}
}

// Sentences of a comparison that do not stand in the golden files.
func TestLegend(t *testing.T) {
	for name, c := range map[string]struct {
		change      func(*result.Result)
		want, never string
	}{
		"one comparison needs no adjustment": {func(r *result.Result) {
			r.Configurations, r.Comparisons = r.Configurations[:2], r.Comparisons[:1]
		}, "p is McNemar's mid-p\n", "Holm"},
		"unpaired": {func(r *result.Result) {
			r.Comparisons[0].Pairing, r.Comparisons[0].Method, r.Comparisons[0].CI.Method = result.Unpaired, "fisher", "newcombe"
		}, "k=1: compared unpaired, since its queries are not the baseline's\n", "NaN"},
		"several tests": {func(r *result.Result) {
			r.Comparisons[0].Method, r.Comparisons[0].CI.Method = "fisher", "newcombe"
		}, "with Newcombe's or Tango's interval (not adjusted); p is Fisher's or McNemar's mid-p\n", "NaN"},
		"pairs of two runs": {func(r *result.Result) {
			r.Baseline, r.Ablation = "", ""
			r.Configurations, r.Comparisons = r.Configurations[:4], []result.Comparison{r.Comparisons[0], r.Comparisons[2]}
			r.Comparisons[1].Baseline = "no planner"
		}, "no web search: held against no planner\n", "share their traces"},
		"configurations of two runs": {func(r *result.Result) {
			r.Configurations, r.Comparisons = r.Configurations[:4], []result.Comparison{r.Comparisons[0], r.Comparisons[2]}
			r.Comparisons[1].Baseline, r.Baseline, r.Ablation = "no planner", "", ""
			r.Runs = []result.RunRef{{Label: "A", Run: "run-1", Seed: 1, Dataset: r.Dataset}, {Label: "B", Run: "run-2", Seed: 2, Dataset: r.Dataset}}
		}, "\nA: gold29, 29 queries, seed 1, run run-1\nB: gold29, 29 queries, seed 2, run run-2\n", "held against no planner"},
		"a drop that nobody could find": {func(r *result.Result) { r.Comparisons[0].MDE = nil },
			"\nk=1: with 29 queries, not even a drop to 0 % would be found in four of five runs; not finding one is no proof of absence\nno planner, no web search, no calculator and text: with 29 queries, a drop below 34 points", "NaN"},
		"nothing to lose": {func(r *result.Result) {
			r.Configurations, r.Comparisons = r.Configurations[:2], r.Comparisons[:1]
			r.Configurations[0].Counts.Correct, r.Comparisons[0].MDE = 0, nil
		}, "k=1            1", "no proof"},
		"a power that is not known": {func(r *result.Result) {
			r.Configurations, r.Comparisons = r.Configurations[:2], r.Comparisons[:1]
			r.Comparisons[0].Pairing, r.Comparisons[0].MDE = result.Unpaired, nil
		}, "unpaired", "no proof"},
		"a judge decides": {func(r *result.Result) {
			for i := range r.Configurations {
				r.Configurations[i].Pass = "quality"
			}
		}, "\ncorrect means passed by the quality judge, not by the gold; judge not calibrated\n", "full: correct means"},
		"the gold decides": {func(r *result.Result) {
			for i := range r.Configurations {
				r.Configurations[i].Pass = "gold"
			}
		}, "share their traces", "calibrated"},
		"times of their own": {func(r *result.Result) { r.Configurations[1].Timing.WallS = pointer(3.0) }, "   time  note\n", "took"},
		"another model":      {func(r *result.Result) { r.Configurations[1].Model = "openai:x" }, "\n model ", "Correctness: model"},
		"equal K": {func(r *result.Result) { r.Configurations[1].K = 3 }, "Correctness: model offline:reader*, K=3, baseline full\n",
			"different K"},
	} {
		r := offlineAblation()
		c.change(r)
		got := written(t, func(b *bytes.Buffer) error {
			return reports.Write(b, reports.FormatTable, r, reports.Options{Notes: notes()})
		})
		if !strings.Contains(got, c.want) || strings.Contains(got, c.never) {
			t.Errorf("%s: want %q and never %q in\n%s", name, c.want, c.never, got)
		}
	}
}
