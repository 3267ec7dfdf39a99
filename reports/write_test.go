package reports_test

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/store"
)

var everything = reports.Sections{Flips: true, ByCategory: true, KCurve: true, Steps: true, Confidence: true}

// One input goes through every format for people. The longest document is held whole in one
// format alone; TestTableIsInert and TestJSONIsTheResult test the others.
func TestWrite(t *testing.T) {
	text, markdown, csv := document.FormatTable, document.FormatMarkdown, document.FormatCSV
	extensions := map[document.Format]string{text: "txt", markdown: "md", csv: "csv"}
	for name, c := range map[string]struct {
		result  *result.Result
		options reports.Options
		formats []document.Format
	}{
		"one":      {variantAlone(), reports.Options{Notes: notes(), Records: store.RowsOf(queryRecords()[:4]...)}, []document.Format{text, markdown, csv}},
		"ablation": {offlineAblation(), reports.Options{Notes: notes()}, []document.Format{text, markdown, csv}},
		"narrow":   {offlineAblation(), reports.Options{Notes: notes(), Screen: document.Screen{Width: 80}}, []document.Format{text}},
		"wide":     {offlineAblation(), reports.Options{Notes: notes(), Wide: true, Explain: true}, []document.Format{text}},
		"sections": {offlineAblation(), reports.Options{Notes: notes(), Show: everything}, []document.Format{text}},
		"partial":  {partialRun(), reports.Options{Show: everything}, []document.Format{text, csv}},
		"hostile":  {hostileResult(), reports.Options{Notes: notes(), Records: store.RowsOf(queryRecords()...), Show: everything}, []document.Format{markdown, csv}},
		"refused":  {hostileResult(), reports.Options{Notes: notes()}, []document.Format{text}},
	} {
		for _, format := range c.formats {
			got := written(t, func(b *bytes.Buffer) error { return reports.Write(b, format, c.result, c.options) })
			golden.Check(t, "testdata/write_"+name+"."+extensions[format], got)
		}
	}
}

// The report is the same if the right records that it only counts are not in its list.
func TestRightRecordsAreCounted(t *testing.T) {
	all := queryRecords()[:4]
	wrong := slices.DeleteFunc(slices.Clone(all), func(r store.Record) bool { return r.Verdict.Verdict == judge.Correct })
	if len(wrong) == 0 || len(wrong) == len(all) {
		t.Fatalf("%d of %d records are wrong", len(wrong), len(all))
	}
	for name, listed := range map[string][2]reports.Options{
		"some":      {{Records: store.RowsOf(all...)}, {Records: store.RowsOf(wrong...), Right: len(all) - len(wrong)}},
		"all right": {{Records: store.RowsOf(all[0])}, {Records: store.RowsOf(), Right: 1}},
	} {
		var texts [2]string
		for i, o := range listed {
			texts[i] = written(t, func(b *bytes.Buffer) error { return reports.Write(b, document.FormatTable, variantAlone(), o) })
		}
		if texts[0] != texts[1] || !strings.Contains(texts[0], "--all shows") {
			t.Errorf("%s: %s", name, cmp.Diff(texts[0], texts[1]))
		}
	}
}

func TestJSONIsTheResult(t *testing.T) {
	r := offlineAblation()
	raw := written(t, func(b *bytes.Buffer) error { return reports.Write(b, document.FormatJSON, r, reports.Options{}) })
	var back result.Result
	if err := json.Unmarshal([]byte(raw), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, &back, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
}

func variantAlone() *result.Result {
	return run(29, categories(), variant("default", 24, 0.6545, 0.924, ""))
}

func partialRun() *result.Result {
	r := offlineAblation()
	interrupt(r, 10)
	r.Configurations, r.Ablation = r.Configurations[:1], "alone"
	return r
}

// On a terminal of 80 columns no line of an ablation is cut by its end, and all of it is seen
// at once; wider ones get more. Without a colour the text is the same.
func TestAblationFitsATerminal(t *testing.T) {
	at := func(s document.Screen) string {
		return written(t, func(b *bytes.Buffer) error {
			return reports.Write(b, document.FormatTable, offlineAblation(), reports.Options{Notes: notes(), Screen: s})
		})
	}
	for _, columns := range []int{60, 80, 120} {
		got := at(document.Screen{Width: columns})
		for l := range strings.Lines(got) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(l, "\n")); n > columns {
				t.Errorf("%d columns of %d: %s", n, columns, l)
			}
		}
		if n := strings.Count(got, "\n"); n > 45 {
			t.Errorf("%d lines at %d columns", n, columns)
		}
		coloured := at(document.Screen{Width: columns, Colour: true})
		if bare := regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(coloured, ""); bare != got || bare == coloured {
			t.Errorf("coloured at %d columns:\n%s", columns, coloured)
		}
	}
	if strings.Contains(at(document.Screen{Width: 80}), "p, all rows") || !strings.Contains(at(document.Screen{Width: 120}), "p, all rows") {
		t.Error("the columns of p are not those that a wider terminal gets")
	}
}

func TestFormats(t *testing.T) {
	for _, f := range document.Formats() {
		if got := written(t, func(b *bytes.Buffer) error {
			return reports.Write(b, document.Format(f), oneConfiguration(), reports.Options{})
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
		for _, f := range document.Formats() {
			got := written(t, func(b *bytes.Buffer) error {
				return reports.Write(b, document.Format(f), r, reports.Options{Show: everything})
			})
			if strings.Contains(got, "NaN") || strings.Contains(got, "%!") {
				t.Errorf("%s as %s: %s", name, f, got)
			}
		}
	}
}

// interrupt removes the records of the last n queries of every row, and the figures that an
// interrupted run does not have. 9 of the other queries are right.
func interrupt(r *result.Result, n int) {
	for i := range r.Configurations {
		c := &r.Configurations[i]
		c.Counts = result.Counts{Queries: 29, Correct: 9, Incorrect: 20 - n, Unscored: n, Missing: n}
		c.PassRate, c.CI, c.Clustered, c.Bounds = nil, nil, nil, &[2]float64{9. / 29, float64(9+n) / 29}
		c.ByCategory = map[string]result.Counts{
			"multi_hop": {Queries: 10, Correct: 9, Unscored: 1, Missing: 1}, "calculation": {Queries: 9, Unscored: 9, Missing: 9},
		}
		c.Reliability, c.Confidence, c.KCurve = result.Reliability{}, nil, nil
	}
	r.Comparisons, r.State = nil, store.Interrupted
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
		}, " compared unpaired, because the baseline has other queries\n", "against 29 of the baseline"},
		"a family of three": {func(r *result.Result) { r.Family = &result.Family{Comparisons: 3, FirstLevel: 0.05 / 3} },
			"over 3 comparisons, and better and worse use this p: the smallest must be at most 0.0167\n", "missed"},
		"a family that takes one": {func(r *result.Result) { r.Family.LeastLosses = pointer(1) }, "at most 0.010, which takes 1 loss without a gain; at that level", "NaN"},
		"several tests": {func(r *result.Result) {
			r.Comparisons[0].Method, r.Comparisons[0].CI.Method = "fisher", "newcombe"
		}, "with Newcombe's or Tango's interval (95 %, not adjusted); p is Fisher's or McNemar's mid-p\n", "NaN"},
		"pairs of two runs": {func(r *result.Result) {
			r.Baseline, r.Ablation = "", ""
			r.Configurations, r.Comparisons = r.Configurations[:4], []result.Comparison{r.Comparisons[0], r.Comparisons[2]}
			r.Comparisons[1].Baseline = "no planner"
		}, "against its baseline, points", "share their traces"},
		"configurations of two runs": {func(r *result.Result) {
			r.Configurations, r.Comparisons = r.Configurations[:4], []result.Comparison{r.Comparisons[0], r.Comparisons[2]}
			r.Comparisons[1].Baseline, r.Baseline, r.Ablation = "no planner", "", ""
			r.Runs = []result.RunRef{{Label: "A", Run: "run-1", Seed: 1, Dataset: r.Dataset}, {Label: "B", Run: "run-2", Seed: 2, Dataset: r.Dataset}}
		}, "A: gold29, 29 queries, seed 1, run run-1\nB: gold29, 29 queries, seed 2, run run-2\noffline:reader¹\n", "NaN"},
		"nothing to lose": {func(r *result.Result) {
			r.Configurations, r.Comparisons = r.Configurations[:2], r.Comparisons[:1]
			r.Configurations[0].Counts.Correct, r.Comparisons[0].MDE = 0, nil
		}, "The baseline has no right answers, so no drop is possible.\n", "points would be"},
		"nothing to lose among the pairs": {func(r *result.Result) {
			r.Configurations, r.Comparisons = r.Configurations[:2], r.Comparisons[:1]
			r.Comparisons[0].CorrectBefore, r.Comparisons[0].MDE = pointer(0), nil
		}, "The baseline has no right answers, so no drop is possible.\n", "points would be"},
		"nothing compared": {func(r *result.Result) { r.Comparisons[0].Difference = nil }, "  –  ", "NaN"},
		"a judge decides": {func(r *result.Result) {
			for i := range r.Configurations {
				r.Configurations[i].Pass = "quality"
			}
		}, "passing from a score of 4; correct means passed by the quality judge, not by the gold\n", "full: judged"},
		"the correctness judge decides": {func(r *result.Result) { r.Configurations[1].Pass = "correctness" },
			"k=1: judged, not validated, by offline:reader¹ for correctness and offline:reader¹ for quality (form only), passing from a score of 4; correct means passed by the correctness judge (which an answer equal to the gold passes without a call)\n", "not by the gold"},
		"a judge that is not named": {func(r *result.Result) {
			for i := range r.Configurations {
				r.Configurations[i].Judge = result.Judge{}
				r.Configurations[i].Pass = "both"
			}
		}, "\ncorrect means passed by the correctness judge (which an answer equal to the gold passes without a call) and the quality judge; judge not validated\n", "judged by"},
		"one row without a judge": {func(r *result.Result) { r.Configurations[0].Judge = result.Judge{} },
			"\nk=1, no planner, no web search, no calculator and text: judged, not validated, by", "full and k=1: judged"},
		"a judge with a note": {func(r *result.Result) { r.Configurations[0].Judge.QualityModel = "offline:load" },
			"\nfull: judged, not validated, by offline:reader¹ for correctness and offline:load² for quality, passing from a score of 4\n", "NaN"},
		"versions of two runs": {func(r *result.Result) { r.Runs = []result.RunRef{{Label: "A"}, {Label: "B"}} }, "\nversions of A: concur devel, ", "\nversions: "},
		"no versions":          {func(r *result.Result) { r.Versions = nil }, "ablation offline", "versions"},
		"traces lost": {func(r *result.Result) {
			r.Configurations[0].Reliability.PassAtK = result.Estimate{Value: pointer(1.0), Queries: 4, Dropped: 25}
		}, "  100 % of 4  ", "NaN"},
		"traces lost, and said so": {func(r *result.Result) {
			r.Configurations[0].Reliability.PassAtK = result.Estimate{Value: pointer(1.0), Queries: 4, Dropped: 25}
		}, "\npass@K and pass^K leave out queries with fewer than K traces that count; “of n” is the number that remains\n", "NaN"},
		"a call that hangs on the unscored": {func(r *result.Result) {
			r.Comparisons[0].CallAsCounted, r.Comparisons[0].CallIfScored = pointer(result.Worse), pointer(result.Undetermined)
		}, " worse as counted; undetermined if the unscored queries were right, so there is no call\n", "NaN"},
		"settings that differ": {func(r *result.Result) { r.Comparisons[0].Differs = []string{"k: 3, now 1", "seed: 1, now 2"} },
			"\nk=1 differs from full in k: 3, now 1; seed: 1, now 2\n", "and 2 more"},
		"settings that differ, many": {func(r *result.Result) { r.Comparisons[0].Differs = strings.Split("abcdefghijklmnopqr", "") },
			"\nk=1 differs from full in a; b; c; d; e; f; g; h; i; j; k; l; m; n; o; p; and 2 more\n", "NaN"},
		"some are paired": {func(r *result.Result) {
			c := &r.Comparisons[0]
			c.LeftOut, c.Queries, c.CorrectBefore, c.CorrectNow = pointer("paired over 9 queries that both have"), 9, pointer(8), pointer(5)
		}, " paired over 9 queries that both have; over these, 8/9 → 5/9\n", "NaN"},
		"a part of a run": {func(r *result.Result) { interrupt(r, 10) }, "  pass rate, bounds  ", "Wilson"},
		"parts of some rows": {func(r *result.Result) { interrupt(r, 10); r.Configurations[0] = offlineAblation().Configurations[0] },
			"  pass rate [95 %]  ", "Wilson"},
		"what is missing is not wrong": {func(r *result.Result) { interrupt(r, 10) }, "  9–19 of 29, 10 missing  ", " 9/29"},
		"the gold decides": {func(r *result.Result) {
			for i := range r.Configurations {
				r.Configurations[i].Pass = "gold"
			}
		}, "share their traces", "correct means"},
		"no judge": {func(r *result.Result) {
			for i := range r.Configurations {
				r.Configurations[i].Judge = result.Judge{}
			}
		}, "share their traces", "calibrated"},
		"times of their own": {func(r *result.Result) { r.Configurations[1].Timing.WallS = pointer(3.0) }, "time  ", "took"},
		"another model":      {func(r *result.Result) { r.Configurations[1].Model = "openai:x" }, "right answers  model ", "ablation offline: offline:reader"},
		"equal K": {func(r *result.Result) { r.Configurations[1].K = 3 }, "ablation offline: offline:reader¹, K=3, gold29, ",
			"different K"},
	} {
		r := offlineAblation()
		c.change(r)
		got := written(t, func(b *bytes.Buffer) error {
			return reports.Write(b, document.FormatTable, r, reports.Options{Notes: notes(), Wide: true, Explain: true})
		})
		if !strings.Contains(got, c.want) || strings.Contains(got, c.never) {
			t.Errorf("%s: want %q and never %q in\n%s", name, c.want, c.never, got)
		}
	}
}
