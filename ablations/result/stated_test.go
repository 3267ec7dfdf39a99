package result

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

func TestStated(t *testing.T) {
	say := func(percent float64, v judge.Ruling) store.Answer {
		return store.Answer{Outcome: trace.Answered, Verdict: v, Sureness: &trace.Sureness{Percent: &percent}}
	}
	s := newStated()
	s.add(store.Record{Answers: []store.Answer{
		say(100, judge.Correct), say(90, judge.Correct), say(95, judge.Incorrect), say(5, judge.Incorrect),
		say(140, judge.Correct), say(50, judge.Unscored),
		{Verdict: judge.Correct, Sureness: &trace.Sureness{}}, {Verdict: judge.Correct},
	}})
	f := s.figures()
	if f == nil || f.Checks != 7 || f.Unread != 2 || f.Graded != 4 || len(f.Bins) != 2 || f.Bins[0].Traces != 3 || f.Bins[0].Right != 2 ||
		f.Bins[0].From != 90 || f.Bins[1].From != 0 || f.AUROC == nil || *f.AUROC != 0.75 {
		t.Fatalf("%+v", f)
	}
	// Brier: (0 + .01 + .9025 + .0025)/4; ECE: 3/4·|2/3 - .95| + 1/4·.05
	if math.Abs(f.Brier-0.22875) > 1e-12 || math.Abs(f.ECE-0.225) > 1e-12 {
		t.Errorf("Brier %v, ECE %v", f.Brier, f.ECE)
	}
	if (new(newStated())).figures() != nil {
		t.Error("figures without a percentage")
	}
}

// Traces of one query are right or wrong together, so ten queries with two traces each know as much as ten traces: a
// bin's interval has queries as units, and clusters where there are any (docs/method.md §5.3).
func TestStatedIntervalsHaveQueriesAsUnits(t *testing.T) {
	bin := func(queries int, cluster string) StatedBin {
		s := newStated()
		for i := range queries {
			v := judge.RulingOf(i < queries*6/10)
			answers := []store.Answer{}
			for range 2 {
				percent := 95.0
				answers = append(answers, store.Answer{Outcome: trace.Answered, Verdict: v,
					Sureness: &trace.Sureness{Percent: &percent}})
			}
			s.add(store.Record{Query: string(rune('a' + i)), Cluster: cluster, Answers: answers})
		}
		return s.figures().Bins[0]
	}
	b := bin(10, "")
	if ci := b.Mean.CI; b.Traces != 20 || b.Right != 12 || ci == nil || math.Abs(ci.Low-.26658) > 5e-5 ||
		math.Abs(ci.High-.86092) > 5e-5 {
		t.Errorf("%+v, %+v", b, b.Mean.CI)
	}
	if b := bin(10, "one document"); b.Mean.CI != nil {
		t.Errorf("%+v from one cluster", b.Mean.CI)
	}
}

// The worked example of docs/statistics.md#confidence-that-the-model-states: twenty queries with two traces each.
func TestDocumentedStatedConfidence(t *testing.T) {
	s := newStated()
	for i := range 20 {
		percent, right := 96.0, i < 10
		if i >= 15 {
			percent, right = 65, i < 18
		}
		a := store.Answer{Outcome: trace.Answered, Verdict: judge.RulingOf(right), Sureness: &trace.Sureness{Percent: &percent}}
		s.add(store.Record{Query: string(rune('a' + i)), Answers: []store.Answer{a, a}})
	}
	f := s.figures()
	high, low := f.Bins[0], f.Bins[1]
	if high.Mean.CI == nil || low.Mean.CI != nil {
		t.Fatalf("%+v, %+v: want an interval from fifteen queries and none from five", high.Mean, low.Mean)
	}
	page, err := os.ReadFile("../../docs/statistics.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		fmt.Sprintf("90–100 %%  %2.0f %%    %d/%d    %.0f %% [%.0f, %.0f]", 100*high.Claim, high.Right, high.Traces,
			100*high.Mean.Value, 100*high.Mean.CI.Low, 100*high.Mean.CI.High),
		fmt.Sprintf(" 60–70 %%  %2.0f %%     %d/%d             %.0f %%\n", 100*low.Claim, low.Right, low.Traces, 100*low.Mean.Value),
		fmt.Sprintf("Brier %.3f, ECE %.3f, AUROC %.3f over %d single traces; asked in %d", f.Brier, f.ECE, *f.AUROC, f.Graded, f.Checks),
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("docs/statistics.md does not say %q", want)
		}
	}
}
