package ablations_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// judgedSide is a side that a judge decides, which has these errors.
func judgedSide(name, verdicts string, errors *stats.JudgeErrors) ablations.Side {
	s := side(name, verdicts)
	s.Decides, s.Errors = len(s.Queries), errors
	return s
}

// labelled gives the first queries a person's labels: r is right, w is wrong.
func labelled(s ablations.Side, words string) ablations.Side {
	for i, w := range words {
		s.Queries[i].Label = labelIs(w == 'r')
	}
	s.Labels = len(words)
	return s
}

func labelIs(right bool) ablations.Label {
	if right {
		return ablations.LabelledRight
	}
	return ablations.LabelledWrong
}

func of(c string, n int) string { return strings.Repeat(c, n) }

// A judged drop of 15 points, by a judge of sensitivity .875 and specificity .575, is a real one of 33.
func TestCorrectedDifferenceByCalibration(t *testing.T) {
	j := &stats.JudgeErrors{Sensitivity: .875, Right: 104, Specificity: .575, Wrong: 56}
	base, other := judgedSide("base", of("c", 140)+of("i", 60), j), judgedSide("other", of("c", 110)+of("i", 90), j)
	got := one(t, base, other, ablations.Options{})
	k := got.Corrected
	if k == nil || k.Method != result.ByCalibration || got.Call != result.Worse || got.Unsized {
		t.Fatalf("%+v, call %s", k, got.Call)
	}
	near(t, "judged", *got.Difference, -.15, 1e-12)
	near(t, "corrected", k.Difference, -.15/.45, 1e-12)
	if !(k.CI.Low < got.CI.Low/.45 && k.CI.High < 0 && k.CI.High > got.CI.High/.45) {
		t.Errorf("the judge's error is not in [%v, %v], the judged one is [%v, %v]", k.CI.Low, k.CI.High, got.CI.Low, got.CI.High)
	}
	if got.MDE == nil || k.MDE == nil {
		t.Fatalf("MDE %v, corrected %v", got.MDE, k.MDE)
	}
	near(t, "MDE", *k.MDE, *got.MDE/.45, 1e-12)
	if f := ablations.FamilyOf([]result.Comparison{got}); f.MDE == nil || *f.MDE != *k.MDEHolm {
		t.Errorf("the family's MDE is %v, want that of right answers, %v", f.MDE, *k.MDEHolm)
	}
}

// What the judge is too poorly known for has no size. Neither has a difference where the two calibrations differ, or
// only one of the rows has any. The call is that of the judge.
func TestUnsizedDifferences(t *testing.T) {
	good, poor := &stats.JudgeErrors{Sensitivity: .9, Right: 100, Specificity: .9, Wrong: 100}, &stats.JudgeErrors{Sensitivity: .6, Right: 30, Specificity: .5, Wrong: 30}
	chance := &stats.JudgeErrors{Sensitivity: .5, Right: 300, Specificity: .5, Wrong: 300}
	for _, c := range []struct {
		what string
		a, b *stats.JudgeErrors
	}{{"a poor judge", poor, poor}, {"two calibrations", good, poor}, {"one calibration", good, nil}, {"a judge at chance", chance, chance}} {
		got := one(t, judgedSide("base", of("c", 40)+of("i", 10), c.a), judgedSide("other", of("c", 20)+of("i", 30), c.b), ablations.Options{})
		if got.Corrected != nil || !got.Unsized || got.Call != result.Worse || *got.PEqual != 1 {
			t.Errorf("%s: %+v, unsized %t, call %s, p equal %v", c.what, got.Corrected, got.Unsized, got.Call, *got.PEqual)
		}
	}
	got := one(t, judgedSide("base", of("c", 40)+of("i", 10), nil), judgedSide("other", of("c", 20)+of("i", 30), nil), ablations.Options{})
	if got.Corrected != nil || got.Unsized {
		t.Errorf("without a calibration: %+v, %t", got.Corrected, got.Unsized)
	}
	got = one(t, judgedSide("base", of("c", 40)+of("u", 10), good), judgedSide("other", of("c", 20)+of("i", 30), good), ablations.Options{})
	if got.Corrected != nil || got.Unsized {
		t.Errorf("with unscored queries rows have no corrected rates: %+v, %t", got.Corrected, got.Unsized)
	}
}

// Five points of right answers are fewer points of what a poor judge passes.
func TestEqualIsOfRightAnswers(t *testing.T) {
	verdicts := of("c", 150) + of("i", 50)
	plain := one(t, judgedSide("base", verdicts, nil), judgedSide("other", verdicts, nil), ablations.Options{})
	j := &stats.JudgeErrors{Sensitivity: .8, Right: 60, Specificity: .6, Wrong: 60}
	corrected := one(t, judgedSide("base", verdicts, j), judgedSide("other", verdicts, j), ablations.Options{})
	if plain.Call != result.Equivalent || corrected.Call != result.Undetermined {
		t.Errorf("judged %s, corrected %s", plain.Call, corrected.Call)
	}
}

// Labels on both rows give the difference themselves, and take back a call that they do not confirm.
func TestCorrectedDifferenceByLabels(t *testing.T) {
	// The judge passes 60 of the baseline and 40 of the other; of 80 labelled pairs it is right in every one.
	a, b := of("c", 60)+of("i", 40), of("i", 20)+of("c", 40)+of("i", 40)
	right := func(verdicts string) string { return strings.NewReplacer("c", "r", "i", "w").Replace(verdicts) }
	got := one(t, labelled(judgedSide("base", a, nil), right(a)[:80]), labelled(judgedSide("other", b, nil), right(b)[:80]), ablations.Options{})
	if k := got.Corrected; k == nil || k.Method != result.ByLabels || k.Labels != 80 || k.CI.High >= 0 || got.Call != result.Worse || k.MDE == nil || got.JudgeErrors != nil {
		t.Fatalf("%+v, call %s, errors %+v", got.Corrected, got.Call, got.JudgeErrors)
	}
	// People find as many right in both: the judge is stricter with the other row.
	got = one(t, labelled(judgedSide("base", a, nil), right(a)[:80]), labelled(judgedSide("other", b, nil), right(a)[:80]), ablations.Options{})
	if k := got.Corrected; k == nil || got.Call != result.Undetermined || got.JudgeErrors == nil || got.JudgeErrors.RightPassed[0] != 1 || got.JudgeErrors.RightPassed[1] > .7 {
		t.Errorf("%+v, call %s, errors %+v", got.Corrected, got.Call, got.JudgeErrors)
	}
	// Labels on half of the answers, of other queries in the two rows, give no difference.
	b2 := judgedSide("other", b, nil)
	for i := 50; i < 100; i++ {
		b2.Queries[i].Label = labelIs(i < 60)
	}
	b2.Labels = 50
	got = one(t, labelled(judgedSide("base", a, nil), right(a)[:50]), b2, ablations.Options{})
	if got.Corrected != nil || !got.Unsized {
		t.Errorf("labels on other queries: %+v, %t", got.Corrected, got.Unsized)
	}
	// So do labels on the same queries of arms that share half of them.
	far := labelled(judgedSide("other", b, nil), right(b)[:80])
	for i := 20; i < 100; i++ {
		far.Queries[i].ID = "other-" + far.Queries[i].ID
	}
	got = one(t, labelled(judgedSide("base", a, nil), right(a)[:80]), far, ablations.Options{})
	if got.Corrected != nil || !got.Unsized || got.Queries != 20 {
		t.Errorf("arms with other queries: %+v, %t, %d", got.Corrected, got.Unsized, got.Queries)
	}
}

// Single traces of two rows with different K are corrected by the calibration too; the difference by labels alone
// leaves them as the judge has them.
func TestCorrectedSingleTraces(t *testing.T) {
	j := &stats.JudgeErrors{Sensitivity: .95, Right: 100, Specificity: .8, Wrong: 60}
	base, other := traced("base", of("3", 40)+of("0", 20)), traced("other", of("3", 25)+of("1", 15)+of("0", 20))
	for i := range other.Queries { // K=6
		n := &other.Queries[i].Rights
		n.Valid, n.Ruled, n.Right = 6, 6, 2*n.Right
	}
	base.Decides, base.Errors, other.Decides, other.Errors = 60, j, 60, j
	got := one(t, base, other, ablations.Options{})
	s := got.Singles
	if s == nil || s.Corrected == nil || s.Call != result.Worse || s.Corrected.MDE == nil {
		t.Fatalf("%+v", s)
	}
	near(t, "corrected", s.Corrected.Difference, *s.Difference/.75, 1e-12)
	near(t, "MDE", *s.Corrected.MDE, *s.MDE/.75, 1e-12)
	words := of("r", 40) + of("w", 20)
	base.Errors, other.Errors = nil, nil
	got = one(t, labelled(base, words), labelled(other, words), ablations.Options{})
	if got.Corrected == nil || got.Singles.Corrected != nil {
		t.Errorf("%+v, single traces %+v", got.Corrected, got.Singles.Corrected)
	}
}

// Labels do not mix with verdicts of the judge in a comparison either, and come to it with the queries.
func TestSidesOfLabelledRuns(t *testing.T) {
	m := manifest(2, named("a"))
	m.Configurations[0].Pass = judge.PassCorrectness
	m.Configurations[0].Calibration = &judge.Calibration{Whole: judge.Agreed{
		RightPassed: 9, RightFailed: 1, WrongFailed: 8, WrongPassed: 2, Sensitivity: &judge.Share{Value: .9}, Specificity: &judge.Share{Value: .8},
	}}
	draw := &store.Draw{Weight: 1, Uniform: true, At: .5}
	one, two := record("a", "q-1", judge.Correct, judge.ByPerson), record("a", "q-2", judge.Correct, judge.ByCorrectness)
	one.Label = &store.Labelled{Label: store.Label{Query: "q-1", Verdict: judge.Correct, Draw: draw}, Before: judge.Verdict{Verdict: judge.Incorrect, By: judge.ByCorrectness}}
	one.Answers, one.AnswersBefore = []store.Answer{{Verdict: judge.Correct}}, []judge.Ruling{judge.Incorrect}
	s := sides(t, m, one, two)[0]
	q := s.Queries[0]
	if q.Verdict != judge.Incorrect || q.Label != ablations.LabelledRight || q.Rights.Right != 0 || s.Labels != 1 || s.Decides != 2 {
		t.Errorf("%+v, %d labels, %d by the judge", q, s.Labels, s.Decides)
	}
	if s.Errors == nil || *s.Errors != (stats.JudgeErrors{Sensitivity: .9, Right: 10, Specificity: .8, Wrong: 10}) || s.Judges[0] != judge.ByCorrectness {
		t.Errorf("%+v, %v", s.Errors, s.Judges)
	}
	m.Configurations[0].Pass = judge.PassGold
	one.Label.Before.By, two.Verdict.By = judge.ByGold, judge.ByGold
	if s := sides(t, m, one, two)[0]; s.Queries[0].Verdict != judge.Correct || s.Decides != 0 || s.Errors != nil {
		t.Errorf("where the gold decides: %+v", s)
	}
}
