package result

import (
	"math"
	"testing"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

func TestStated(t *testing.T) {
	say := func(percent float64, v judge.Ruling) store.Answer {
		return store.Answer{Outcome: trace.Answered, Verdict: v, Sureness: &trace.Sureness{Percent: &percent}}
	}
	var s stated
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
	if (&stated{}).figures() != nil {
		t.Error("figures without a percentage")
	}
}
