package judge_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/judge"
)

func TestPass(t *testing.T) {
	good, bad := judge.Verdict{Verdict: judge.Correct, By: "x", Reason: "fine"}, judge.Verdict{Verdict: judge.Incorrect, By: "x", Reason: "bad"}
	open := judge.Verdict{Verdict: judge.Unscored, By: judge.ByInfra, Reason: "down"}
	for _, c := range []struct {
		mode                 judge.Mode
		gold                 judge.Verdict
		correctness, quality *judge.Verdict
		want                 judge.Ruling
		reason               string
	}{
		{judge.PassGold, good, &bad, &bad, judge.Correct, "fine"},
		{judge.PassGold, bad, &good, &good, judge.Incorrect, "bad"},
		{judge.PassGold, open, &good, &good, judge.Unscored, "down"},
		{judge.PassCorrectness, bad, &good, &bad, judge.Correct, "fine"},
		{judge.PassCorrectness, good, &open, &good, judge.Unscored, "down"},
		{judge.PassCorrectness, good, nil, &good, judge.Unscored, "no correctness judge"},
		{judge.PassQuality, bad, &bad, &good, judge.Correct, "fine"},
		{judge.PassQuality, good, &good, nil, judge.Unscored, "no quality judge"},
		{judge.PassBoth, bad, &good, &good, judge.Correct, "fine; fine"},
		{judge.PassBoth, good, &good, &bad, judge.Incorrect, "bad"},
		{judge.PassBoth, good, &bad, &good, judge.Incorrect, "bad"},
		{judge.PassBoth, good, &good, &open, judge.Unscored, "down"},
		{judge.PassBoth, good, &open, &bad, judge.Incorrect, "bad"},
		{judge.PassBoth, good, &bad, nil, judge.Incorrect, "bad"},
		{judge.PassBoth, good, nil, &good, judge.Unscored, "no correctness judge"},
		{"vibes", good, &good, &good, judge.Unscored, `"vibes" is not known`},
	} {
		got := judge.Pass(c.mode, c.gold, c.correctness, c.quality)
		if got.Verdict != c.want || !strings.Contains(got.Reason, c.reason) {
			t.Errorf("%s of %s: %+v, want %s: %s", c.mode, c.gold.Verdict, got, c.want, c.reason)
		}
	}
}
