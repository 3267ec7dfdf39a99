package agreement_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/agreement"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
)

// says is an opinion, with a score if it is not 0.
func says(passes bool, score int) []judge.Opinion {
	o := judge.Opinion{Verdict: judge.RulingOf(passes)}
	if score > 0 {
		o.Score = &score
	}
	return []judge.Opinion{o}
}

// Five copies of one judge are worth one vote; five that err independently nearly five.
func TestVotesOfCopies(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	var copies, independent []agreement.Rated
	for i := range 400 {
		right := i%2 == 0
		one := right != (draw.Float64() < .2)
		a := agreement.Rated{Right: right, Opinions: map[string][]judge.Opinion{}}
		b := agreement.Rated{Right: right, Opinions: map[string][]judge.Opinion{}}
		for _, name := range strings.Fields("a b c d e") {
			a.Opinions[name] = says(one, 0)
			b.Opinions[name] = says(right != (draw.Float64() < .2), 0)
		}
		copies, independent = append(copies, a), append(independent, b)
	}
	if f := agreement.Measure(copies); f.Votes == nil || *f.Votes < .999 || *f.Votes > 1.001 || f.Alpha == nil || *f.Alpha != 1 {
		t.Errorf("five copies: %+v", f)
	}
	if f := agreement.Measure(independent); f.Votes == nil || *f.Votes < 4 || f.Best == "" {
		t.Errorf("five independent judges: votes %v", *f.Votes)
	}
}

func TestRecordingFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                "the file has no lines",
		"{}":              `v:1: it needs "label" and "verdicts"`,
		`{"label": true}`: "it needs",
		`{"label": true, "verdicts": {"a": "yes"}}`:                                                                          `the verdict of "a" is "yes"`,
		`{"label": true, "verdicts": {"a": true}, "scores": {"a": 9}}`:                                                       "a score is 9",
		`{"id": "1", "label": true, "verdicts": {"a": true}}` + "\n" + `{"id": "1", "label": true, "verdicts": {"a": true}}`: `v:2: the id "1" is also on line 1`,
	} {
		if _, err := agreement.ReadRecording("v", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
}

// The orders of a judge that prefers what it sees first.
func TestPositionBias(t *testing.T) {
	r, err := agreement.ReadRecording("v", strings.NewReader(strings.Repeat(`{"label": true, "orders": {"a": [true, true]}}`+"\n", 9)+
		strings.Repeat(`{"label": true, "orders": {"a": [true, false]}}`+"\n", 3)))
	if err != nil {
		t.Fatal(err)
	}
	if o := r.Orders; len(o) != 1 || o[0].Agree.Value != .25 || *o[0].First != 1 || *o[0].P > .004 {
		t.Errorf("%+v", o)
	}
}

// The best threshold has the greatest J at a specificity of .90 or more.
func TestBestThreshold(t *testing.T) {
	for name, c := range map[string]struct {
		right, wrong []int // scores
		best         int
	}{
		"of equal ones the strictest": {[]int{5, 5, 4}, []int{1, 2}, 4},
		"lenient":                     {[]int{5, 5, 5}, []int{4, 2}, 5},
		"specific enough never":       {[]int{5, 5, 5}, []int{5, 2}, 0},
		"no better than chance":       {[]int{1}, []int{1}, 0},
	} {
		var items []agreement.Rated
		for label, scores := range map[bool][]int{true: c.right, false: c.wrong} {
			for _, s := range scores {
				items = append(items, agreement.Rated{Right: label, Opinions: map[string][]judge.Opinion{"a": says(s >= 4, s)}})
			}
		}
		if a := agreement.Measure(items).Judges[0]; a.Best != c.best {
			t.Errorf("%s: best %d, want %d", name, a.Best, c.best)
		}
	}
}

// A judge whose own word is "not correct" passes an answer at no threshold.
func TestCutsKeepTheJudgesWord(t *testing.T) {
	items := []agreement.Rated{
		{Right: true, Opinions: map[string][]judge.Opinion{"a": says(true, 5)}},
		{Opinions: map[string][]judge.Opinion{"a": says(false, 3)}, Refused: true},
	}
	if a := agreement.Measure(items).Judges[0]; len(a.Cuts) != 4 || a.Cuts[0].Specificity != 1 || a.Cuts[3].Sensitivity != 1 {
		t.Errorf("%+v", a.Cuts)
	}
}

// An answer of weight 3 counts as three.
func TestWeights(t *testing.T) {
	items := []agreement.Rated{
		{Right: true, Weight: 3, Opinions: map[string][]judge.Opinion{"a": says(true, 5)}},
		{Right: true, Opinions: map[string][]judge.Opinion{"a": says(false, 1)}},
		{Weight: 0.5, Opinions: map[string][]judge.Opinion{"a": says(true, 5)}},
		{Weight: 1.5, Opinions: map[string][]judge.Opinion{"a": says(false, 1)}},
	}
	if a := agreement.Measure(items).Judges[0]; a.Sensitivity.Value != .75 || a.Specificity.Value != .75 || a.Accuracy.Value != .75 || a.Cuts[2].Sensitivity != .75 || a.Cuts[2].Specificity != .75 {
		t.Errorf("%+v", a)
	}
}

// The rule calibrated is measured on answers that do not weigh themselves: judges that pass
// everything pass the one wrong answer by what the one right answer says of them.
func TestAnAnswerDoesNotWeighItself(t *testing.T) {
	list, err := agreement.ReadLabelled("l", strings.NewReader(`
{"query": "Which?", "gold": "one", "condition": "it says one", "answer": "one", "label": true}
{"query": "Which?", "gold": "one", "condition": "it says one", "answer": "two", "label": false}`))
	if err != nil {
		t.Fatal(err)
	}
	lenient := func(name string) *judge.Correctness {
		return &judge.Correctness{Settings: judge.Settings{Name: name, Model: &askingtest.Fake{Answer: func(context.Context, model.Request) (string, error) {
			return `{"extracted_answer": "x", "criteria": {"correct": true, "complete": true, "contradicts_reference": false, "grounded": null}, "score": 5, "confidence": 99}`, nil
		}}}}
	}
	panel := &judge.Correctness{Settings: judge.Settings{Name: "panel"}, Panel: &judge.Panel{Rule: judge.RuleCalibrated, Members: []*judge.Correctness{lenient("a"), lenient("b")}}}
	c, err := agreement.Calibrate(t.Context(), panel, list, 1, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	if c.Whole.WrongPassed != 1 || c.Whole.RightFailed != 1 || c.Members[0].RightPassed != 1 {
		t.Errorf("%+v", c.Whole)
	}
}
