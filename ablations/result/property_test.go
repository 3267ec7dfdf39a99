package result_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// With one trace a query all rates of being right are the same, whoever decides and whatever people labelled: the pass
// rate, pass@1, pass^1, the mean of single traces and the K curve, whose point is the rate too.
func TestOneTraceHasOneRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 40).Draw(t, "queries")
		pass := rapid.SampledFrom([]judge.Mode{judge.PassGold, judge.PassCorrectness, judge.PassQuality, judge.PassBoth}).Draw(t, "pass")
		var records []store.Record
		for i := range n {
			r := voted("a", fmt.Sprint("q-", i), "lookup", rapid.SampledFrom([]string{"+x", "-x", "0"}).Draw(t, "trace"))
			r.Verdict.By = rapid.SampledFrom([]string{judge.ByGold, judge.ByCorrectness}).Draw(t, "by")
			if r.Answers[0].Key != nil && rapid.IntRange(0, 3).Draw(t, "label") == 0 {
				says := rapid.SampledFrom([]judge.Ruling{judge.Correct, judge.Incorrect}).Draw(t, "person")
				r.Label = &store.Labelled{Label: store.Label{Query: r.Query, Verdict: says}, Before: r.Verdict}
				r.AnswersBefore = []judge.Ruling{r.Answers[0].Verdict}
				r.Verdict, r.Answers[0].Verdict = judge.Verdict{Verdict: says, By: judge.ByPerson}, says
			}
			records = append(records, r)
		}
		m := manifest(n, 1, "a")
		m.Configurations[0].Pass = pass
		r, err := result.Summarize(m, all(records, nil))
		if err != nil {
			t.Fatal(err)
		}
		c := r.Configurations[0]
		rates := map[string]*float64{"pass@1": c.Reliability.PassAtK.Value, "pass^1": c.Reliability.PassHatK.Value, "single traces": c.Singles.Value}
		if k := c.KCurve; k != nil {
			rates["K curve"], rates["its pass@1"] = k.Points[0].Accuracy.Value, k.Points[0].PassAtK
		}
		for name, rate := range rates {
			if rate == nil || *rate-*c.PassRate > 1e-12 || *c.PassRate-*rate > 1e-12 {
				t.Errorf("%s is %v, the pass rate %v (pass %s)", name, rate, *c.PassRate, pass)
			}
		}
		if c.Traces.Correct != c.Counts.Correct || c.Efficiency.SolvedQueries != c.Counts.Correct || strings.Contains(strings.Join(r.Warnings, ""), "%!") {
			t.Errorf("%d right traces, %d solved, %d right queries", c.Traces.Correct, c.Efficiency.SolvedQueries, c.Counts.Correct)
		}
	})
}
