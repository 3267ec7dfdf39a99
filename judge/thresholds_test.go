package judge_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
)

// A judge is validated by the lower end of its specificity, by its sensitivity, and by the kappa of its scores, each at
// the stated figure and not below it.
func TestValidation(t *testing.T) {
	of := func(sens, specLow, kappa float64) judge.Agreed {
		return judge.Agreed{Sensitivity: &judge.Share{Value: sens, Low: sens - .2}, Specificity: &judge.Share{Value: specLow + .2, Low: specLow}, Quadratic: &kappa}
	}
	for _, c := range []struct {
		judge  judge.Agreed
		doubts string
	}{
		{of(.85, .70, .7), ""},
		{of(.86, .71, .71), ""},
		{of(.849, .70, .7), "sensitivity is 0.85, 0.85 needed"},
		{of(.85, .694, .7), "specificity's lower bound is 0.69, 0.70 needed"},
		{of(.85, .70, .694), "the scores' quadratic kappa is 0.69, 0.70 needed"},
		{of(.5, .3, .7), "it is no better than chance (sensitivity 0.50, specificity 0.50)"},
		{of(.4, .3, .7), "it is no better than chance"},
		{of(.51, .3, .7), "specificity's lower bound is 0.30, 0.70 needed; sensitivity is 0.51, 0.85 needed"},
		{judge.Agreed{Sensitivity: &judge.Share{Value: 1}}, "all labelled answers are right, or all are wrong"},
		{judge.Agreed{Specificity: &judge.Share{Value: 1}}, "all labelled answers are right, or all are wrong"},
	} {
		if got := strings.Join(c.judge.Doubts(), "; "); got != c.doubts && !(c.doubts != "" && strings.HasPrefix(got, c.doubts+" ")) {
			t.Errorf("%+v, %+v: %q, want %q", c.judge.Sensitivity, c.judge.Specificity, got, c.doubts)
		}
	}
}

// The weights of a calibrated member: one answer of each kind is added to its counts, so that none is infinite.
func TestWeightsOfAPanel(t *testing.T) {
	for _, c := range []struct{ rightPassed, rightFailed, wrongFailed, wrongPassed, sens, spec float64 }{
		{8, 1, 6, 2, 9. / 11, 7. / 10}, {10, 0, 10, 0, 11. / 12, 11. / 12}, {0, 0, 0, 0, .5, .5},
	} {
		w := judge.Agreed{RightPassed: c.rightPassed, RightFailed: c.rightFailed, WrongFailed: c.wrongFailed, WrongPassed: c.wrongPassed}.Weight()
		correct, incorrect := math.Log(c.sens/(1-c.spec)), math.Log((1-c.sens)/c.spec)
		if math.Abs(w[judge.Correct]-correct) > 1e-12 || math.Abs(w[judge.Incorrect]-incorrect) > 1e-12 {
			t.Errorf("%+v: %v, want %v and %v", c, w, correct, incorrect)
		}
	}
}

// Opinions that weigh each other up decide nothing for the answer, one incorrect opinion is a veto, and members that
// failed have no vote.
func TestDecisionsOfAPanel(t *testing.T) {
	weights := map[string]judge.Weight{"a": {judge.Correct: 1, judge.Incorrect: -1}, "b": {judge.Correct: 1, judge.Incorrect: -1}, "c": {judge.Correct: .5, judge.Incorrect: -.5}}
	for _, c := range []struct {
		rule, says string
		want       judge.Ruling
	}{
		{judge.RuleCalibrated, "+-", judge.Incorrect}, {judge.RuleCalibrated, "+-+", judge.Correct}, {judge.RuleCalibrated, "+--", judge.Incorrect},
		{judge.RuleVeto, "++-", judge.Incorrect}, {judge.RuleVeto, "+++", judge.Correct}, {judge.RuleVeto, "?++", judge.Correct},
		{judge.RuleMajority, "+-", judge.Unscored}, {judge.RuleMajority, "+-?", judge.Unscored}, {judge.RuleMajority, "-?", judge.Incorrect}, {judge.RuleMajority, "+?", judge.Correct},
	} {
		var opinions []judge.Opinion
		for i, r := range c.says {
			opinions = append(opinions, judge.Opinion{Judge: string(rune('a' + i)), Verdict: map[rune]judge.Ruling{'+': judge.Correct, '-': judge.Incorrect, '?': judge.Unscored}[r]})
		}
		if got := (judge.Panel{Rule: c.rule, Weights: weights}).Decide(opinions).Verdict; got != c.want {
			t.Errorf("%s of %s: %s, want %s", c.rule, c.says, got, c.want)
		}
	}
}

// A score at the threshold passes and one below does not; without a threshold it is 4. An answer that is not correct
// passes at no score.
func TestThresholdOfScores(t *testing.T) {
	for _, c := range []struct {
		threshold, score       int
		correct, contradiction bool
		want                   judge.Ruling
	}{
		{0, 4, true, false, judge.Correct}, {0, 3, true, false, judge.Incorrect},
		{3, 3, true, false, judge.Correct}, {5, 5, true, false, judge.Correct}, {5, 4, true, false, judge.Incorrect},
		{3, 3, false, false, judge.Incorrect}, {2, 2, false, true, judge.Incorrect},
	} {
		q := capital()
		q.Gold.Condition = "names the capital"
		settings := judge.Settings{Model: askingtest.Script(grade(c.correct, true, c.contradiction, c.score, 90)), Name: "test:fake", Threshold: c.threshold, Cache: &judge.Cache{}}
		if err := settings.Validate(); err != nil {
			t.Errorf("threshold %d: %v", c.threshold, err)
		}
		got := judged(t, &judge.Correctness{Settings: settings}, q, judge.Subject{Outcome: "answered", Answer: "Bergen"})
		if got.Verdict.Verdict != c.want {
			t.Errorf("threshold %d, score %d, correct %t, contradiction %t: %+v, want %s", c.threshold, c.score, c.correct, c.contradiction, got.Verdict, c.want)
		}
	}
	for _, c := range []struct {
		threshold, score int
		want             judge.Ruling
	}{{0, 4, judge.Correct}, {0, 3, judge.Incorrect}, {3, 3, judge.Correct}, {3, 2, judge.Incorrect}, {5, 5, judge.Correct}, {5, 4, judge.Incorrect}} {
		t.Run(fmt.Sprintf("quality %d from %d", c.score, c.threshold), func(t *testing.T) {
			j := &judge.Quality{Settings: judge.Settings{Model: askingtest.Script(rate(c.score, c.score, c.score, c.score, c.score)), Name: "test:fake", Threshold: c.threshold, Cache: &judge.Cache{}}}
			if got := rated(t, j, walk("Oslo")); got.Verdict.Verdict != c.want {
				t.Errorf("%+v, want %s", got.Verdict, c.want)
			}
		})
	}
}
