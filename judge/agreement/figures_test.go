package agreement_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/asking/askingtest"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/agreement"
	"github.com/seed-5817661a/concur/runner/model"
)

func pass(b bool) []*bool { return []*bool{&b} }

// Five copies of one judge are worth one vote; five that err independently nearly five.
func TestVotesOfCopies(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	var copies, independent []agreement.Rated
	for i := range 400 {
		right := i%2 == 0
		one := right != (draw.Float64() < .2)
		a := agreement.Rated{Right: right, Verdicts: map[string][]*bool{}}
		b := agreement.Rated{Right: right, Verdicts: map[string][]*bool{}}
		for _, name := range strings.Fields("a b c d e") {
			a.Verdicts[name] = pass(one)
			b.Verdicts[name] = pass(right != (draw.Float64() < .2))
		}
		copies, independent = append(copies, a), append(independent, b)
	}
	if f := agreement.Of(copies); f.Votes == nil || *f.Votes < .999 || *f.Votes > 1.001 || f.Alpha == nil || *f.Alpha != 1 {
		t.Errorf("five copies: %+v", f)
	}
	if f := agreement.Of(independent); f.Votes == nil || *f.Votes < 4 || f.Best == "" {
		t.Errorf("five independent judges: votes %v", *f.Votes)
	}
}

func TestRecordingFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                "it has no lines",
		"{}":              `v:1: it needs "label" and "verdicts"`,
		`{"label": true}`: "it needs",
		`{"label": true, "verdicts": {"a": "yes"}}`:                                                                          `the verdict of "a" is "yes"`,
		`{"label": true, "verdicts": {"a": true}, "scores": {"a": 9}}`:                                                       "a score is 9",
		`{"id": "1", "label": true, "verdicts": {"a": true}}` + "\n" + `{"id": "1", "label": true, "verdicts": {"a": true}}`: `v:2: the id "1" is on line 1 too`,
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

// A threshold is recommended only where it is better than the one that is set.
func TestRecommendedThreshold(t *testing.T) {
	for name, c := range map[string]struct {
		right, wrong []int // scores
		threshold    int
		best, better int
	}{
		"as good":               {[]int{5, 5, 4}, []int{1, 2}, 4, 4, 0},
		"as good, set lower":    {[]int{5, 5, 4}, []int{1, 2}, 3, 4, 0},
		"too strict":            {[]int{5, 4, 4}, []int{1, 2}, 5, 4, 4},
		"too lenient":           {[]int{5, 5, 5}, []int{4, 2}, 4, 5, 5},
		"specific enough never": {[]int{5, 5, 5}, []int{5, 2}, 4, 0, 0},
		"no better than chance": {[]int{1}, []int{1}, 4, 0, 0},
	} {
		var items []agreement.Rated
		for label, scores := range map[bool][]int{true: c.right, false: c.wrong} {
			for _, s := range scores {
				passes := s >= c.threshold
				items = append(items, agreement.Rated{Right: label, Verdicts: map[string][]*bool{"a": {&passes}}, Scores: map[string]*int{"a": &s}})
			}
		}
		if a := agreement.Of(items).Judges[0]; a.Best != c.best || a.Better(c.threshold) != c.better {
			t.Errorf("%s: best %d, better than %d: %d; want %d and %d", name, a.Best, c.threshold, a.Better(c.threshold), c.best, c.better)
		}
	}
}

// A judge whose own word is "not correct" passes an answer at no threshold.
func TestCutsKeepTheJudgesWord(t *testing.T) {
	three, five := 3, 5
	items := []agreement.Rated{
		{Right: true, Verdicts: map[string][]*bool{"a": pass(true)}, Scores: map[string]*int{"a": &five}},
		{Verdicts: map[string][]*bool{"a": pass(false)}, Scores: map[string]*int{"a": &three}, Refused: map[string]bool{"a": true}},
	}
	if a := agreement.Of(items).Judges[0]; len(a.Cuts) != 4 || a.Cuts[0].Specificity != 1 || a.Cuts[3].Sensitivity != 1 {
		t.Errorf("%+v", a.Cuts)
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
	c, err := agreement.Calibrate(t.Context(), panel, list, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Whole.WrongPassed != 1 || c.Whole.RightFailed != 1 || c.Members[0].RightPassed != 1 {
		t.Errorf("%+v", c.Whole)
	}
}
