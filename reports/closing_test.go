package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/trace"
)

// The last line says in words what was shown, what was not, and what could have been seen.
func TestClosing(t *testing.T) {
	for name, c := range map[string]struct {
		result *result.Result
		change func(*result.Result)
		want   string
	}{
		"all kinds": {offlineAblation(), func(r *result.Result) { r.Comparisons[0].Call = result.Better },
			"Shown: no web search (−48 points) and no calculator (−31) are worse than full: their changes matter. " +
				"k=1 (0 points) is better than full: its change matters. " +
				"no planner (0 points) is as good as full within 10 points: its change matters little. " +
				"Not shown either way: text (−3 points); that is no proof that they make no difference. " +
				"With 29 queries, a drop of 45 points would be shown in four of five such tables, a smaller one less often."},
		"one comparison": {offlineAblation(), func(r *result.Result) {
			r.Configurations, r.Comparisons, r.Family = r.Configurations[:2], r.Comparisons[:1], nil
		}, "k=1 against full: 0 points [−15, 15]. That shows no difference, and does not prove that they are equal. " +
			"With 29 queries, a drop of 34 points would be shown in four of five such tables, a smaller one less often."},
		"too few queries": {offlineAblation(), func(r *result.Result) {
			r.Configurations, r.Comparisons, r.Family = r.Configurations[:2], r.Comparisons[:1], nil
			r.Comparisons[0].MDE = nil
		}, "k=1 against full: 0 points [−15, 15]. That shows no difference, and does not prove that they are equal. " +
			"29 queries are too few to show reliably even a drop to nothing."},
		"no verdict": {offlineAblation(), func(r *result.Result) {
			r.Configurations, r.Comparisons, r.Family = r.Configurations[:2], r.Comparisons[:1], nil
			c := &r.Comparisons[0]
			c.Difference, c.CI = pointer(-1.0), &result.Interval{Low: -1, High: -.22}
			c.Call, c.CallAsCounted, c.CallIfScored = result.Undetermined, pointer(result.Worse), pointer(result.Undetermined)
		}, "k=1 against full: −100 points [−100, −22] if queries without a verdict count as wrong. " +
			"They could be right, so there is no call."},
		"only shown": {offlineAblation(), func(r *result.Result) {
			r.Configurations, r.Comparisons = []result.Configuration{r.Configurations[0], r.Configurations[3]}, r.Comparisons[2:3]
		}, "no web search is worse than full by 48 points [31, 66]."},
		"better": {offlineAblation(), func(r *result.Result) {
			r.Configurations, r.Comparisons = []result.Configuration{r.Configurations[3], r.Configurations[0]}, r.Comparisons[2:3]
			c := &r.Comparisons[0]
			c.Baseline, c.Configuration, c.Call = c.Configuration, c.Baseline, result.Better
			c.Difference, c.CI = pointer(0.48), &result.Interval{Low: 0.31, High: 0.66}
			r.Configurations[0].Title, r.Configurations[1].Title = "weak-1", "good-1"
		}, "good-1 is better than weak-1 by 48 points [31, 66]."},
		"equivalent": {offlineAblation(), func(r *result.Result) {
			r.Configurations, r.Comparisons = r.Configurations[:2], r.Comparisons[:1]
			r.Comparisons[0].Call = result.Equivalent
		}, "k=1 is as good as full within 10 points."},
		"not worse": {offlineAblation(), func(r *result.Result) {
			r.Configurations, r.Comparisons = r.Configurations[:2], r.Comparisons[:1]
			r.Comparisons[0].Call = result.NotWorse
		}, "k=1 is not worse than full by 10 points or more; whether it is as good or better is not shown."},
		"one configuration": {variantAlone(), func(*result.Result) {},
			"default is right on 24 of 29 queries. Of many queries like these it would have 65 to 92 % right; 29 queries show no narrower range (95 %)."},
		"all of very many": {variantAlone(), func(r *result.Result) {
			c := &r.Configurations[0]
			c.Counts, c.CI = result.Counts{Queries: 1_000_000, Correct: 1_000_000}, &result.Interval{Low: 0.99999616, High: 1}
		}, "default is right on 1000000 of 1000000 queries. Of many queries like these it would have 99.9996 to 100.0000 % right; 1000000 queries show no narrower range (95 %)."},
		"unscored": {variantAlone(), func(r *result.Result) {
			r.Configurations[0].Counts = result.Counts{Queries: 29, Correct: 20, Incorrect: 5, Unscored: 4}
		}, "default is right on 20 to 24 of 29 queries: 4 queries have no verdict."},
		"some failed": {variantAlone(), func(r *result.Result) {
			c := &r.Configurations[0]
			c.Counts = result.Counts{Queries: 29, Correct: 20, Incorrect: 4, Unscored: 5}
			c.Traces = result.Traces{
				Total: 87, Outcomes: map[trace.Outcome]int{trace.Answered: 78, trace.Infra: 9}, QueriesWithoutValid: 3,
				StopReasons: map[trace.StopReason]int{trace.Final: 78, trace.ModelError: 9},
				Causes:      []result.Cause{{StopReason: trace.ModelError, Text: "status 404", Traces: 9, Query: "hop-01"}},
			}
		}, "default is right on 20 to 25 of 29 queries: 3 queries got no answer because every model call failed, and 2 more have no verdict."},
		"never read": {variantAlone(), func(r *result.Result) {
			r.Configurations[0].Traces = result.Traces{
				Total: 87, Outcomes: map[trace.Outcome]int{trace.NoAnswer: 87},
				StopReasons: map[trace.StopReason]int{trace.FormatError: 87},
			}
		}, "default never gave a readable reply, so this run shows nothing about its answers."},
	} {
		c.change(c.result)
		got := written(t, func(b *bytes.Buffer) error {
			return reports.Write(b, document.FormatTable, c.result, reports.Options{})
		})
		if last := got[strings.LastIndex(strings.TrimSuffix(got, "\n"), "\n")+1:]; last != c.want+"\n" {
			t.Errorf("%s:\n%swant\n%s", name, last, c.want)
		}
	}
}

// A row of which everything was lost says so in each of its cells, and has no figure that
// looks measured.
func TestRowsThatAreNoEvidence(t *testing.T) {
	r := offlineAblation()
	dead := &r.Configurations[3]
	dead.Counts = result.Counts{Queries: 29, Unscored: 29}
	dead.Bounds, dead.PassRate, dead.BoundsCI = &[2]float64{0, 1}, pointer(0.0), pointer(wilson(0, 1))
	dead.Traces = result.Traces{Total: 87, Outcomes: map[trace.Outcome]int{trace.Infra: 87}, QueriesWithoutValid: 29}
	r.Comparisons[2] = result.Comparison{Baseline: "full", Configuration: dead.Name, Refused: pointer("29 of 29 queries have no valid trace"), Margin: 0.05}
	r.Warnings = []string{"no web search: 29 of 29 queries have no valid trace"} // which the reason says already
	got := written(t, func(b *bytes.Buffer) error {
		return reports.Write(b, document.FormatTable, r, reports.Options{Screen: document.Screen{Width: 100}})
	})
	for _, want := range []string{
		"\nno web search¹  3  0–29 of 29, 29 unscored  0–100 % [0, 100]     –    –  no evidence\n",
		"\n¹ no evidence: 29 of 29 queries have no valid trace\n\nShown: no calculator (−31 points) is worse",
		" No evidence: no web search.\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
