package result_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

func TestReliability(t *testing.T) {
	r := votedAll(t, 3, twelve...).Reliability
	is(t, "pass@3", r.PassAtK.Value, 9./12)
	between(t, "pass@3", r.PassAtK.CI, "wilson", .4677, .9111)
	is(t, "pass^3", r.PassHatK.Value, 6./12)
	between(t, "pass^3", r.PassHatK.CI, "wilson", .2538, .7462)
	if r.PassAtK.Queries != 12 || r.PassAtK.Dropped != 0 || *r.Unanimous != 7 || *r.UnanimousCorrect != 6 {
		t.Errorf("%+v, unanimous %d, correct %d, want 12 queries, 7 and 6", r.PassAtK, *r.Unanimous, *r.UnanimousCorrect)
	}
	is(t, "accuracy if unanimous", &r.AccuracyIfUnanimous.Value, 6./7)
	between(t, "accuracy if unanimous", r.AccuracyIfUnanimous.CI, "wilson", .4869, .9743)
	// MSB = 3·2.101852/11, MSW = 2/(12·2).
	msb, msw := 3*(7-529./108)/11, 2./24
	is(t, "ICC", r.ICC, (msb-msw)/(msb+2*msw))
}

// The 50 tasks of τ-bench airline: pass^4 .20, pass@4 .72, ICC .405.
func TestReliabilityOfPublishedTraces(t *testing.T) {
	var queries []string
	for right, n := range []int{14, 12, 10, 4, 10} {
		for range n {
			queries = append(queries, strings.Repeat("+a ", right)+strings.Repeat("-b ", 4-right))
		}
	}
	c := votedAll(t, 4, queries...)
	is(t, "pass@4", c.Reliability.PassAtK.Value, .72)
	is(t, "pass^4", c.Reliability.PassHatK.Value, .20)
	if icc := c.Reliability.ICC; icc == nil || math.Abs(*icc-.4046) > 5e-5 {
		t.Errorf("ICC %s, want .4046", figure(icc))
	}
	for i, want := range []float64{.42, .2733, .22, .20} {
		if got := *c.KCurve.Points[i].PassHatK; math.Abs(got-want) > 5e-5 {
			t.Errorf("pass^%d is %v, want %v", i+1, got, want)
		}
	}
}

func TestReliabilityAtTheEdges(t *testing.T) {
	for _, c := range []struct {
		name      string
		k         int
		queries   []string
		at, hat   string
		counted   int
		unanimous int // -1 is undefined
		share     string
		icc       string
	}{
		{"all wrong", 3, []string{"-a -a -a", "-a -a -b"}, "0", "0", 2, 1, "0", "undefined"},
		{"one query", 3, []string{"+a +a -b"}, "1", "0", 1, 0, "undefined", "undefined"},
		{"traces alike", 2, []string{"+a +a", "-b -b"}, "0.5", "0.5", 2, 2, "0.5", "1"},
		{"queries alike", 2, []string{"+a -b", "-b +a", "+a -b"}, "1", "0", 3, 0, "undefined", "-1"},
		{"no answers agree on nothing", 2, []string{"0 0", "+a +a"}, "0.5", "0.5", 2, 1, "1", "1"},
		{"lost traces", 2, []string{"+a !", "+a +a"}, "1", "1", 1, 1, "1", "undefined"},
		{"all lost", 3, []string{"! ! !", "! ! !"}, "undefined", "undefined", 0, 0, "undefined", "undefined"},
		{"one trace", 1, []string{"+a", "-a", "!"}, "0.5", "0.5", 2, -1, "undefined", "undefined"},
	} {
		r := votedAll(t, c.k, c.queries...).Reliability
		unanimous := -1
		if r.Unanimous != nil {
			unanimous = *r.Unanimous
		}
		var share *float64
		if r.AccuracyIfUnanimous != nil {
			share = &r.AccuracyIfUnanimous.Value
		}
		if figure(r.PassAtK.Value) != c.at || figure(r.PassHatK.Value) != c.hat || unanimous != c.unanimous || figure(share) != c.share || figure(r.ICC) != c.icc {
			t.Errorf("%s: pass@K %s, pass^K %s, unanimous %d, right then %s, ICC %s, want %+v",
				c.name, figure(r.PassAtK.Value), figure(r.PassHatK.Value), unanimous, figure(share), figure(r.ICC), c)
		}
		for _, e := range []result.Estimate{r.PassAtK, r.PassHatK} {
			if e.Queries != c.counted || e.Dropped != len(c.queries)-c.counted || (e.CI == nil) != (e.Value == nil) {
				t.Errorf("%s: %+v, want %d queries counted", c.name, e, c.counted)
			}
		}
	}
}

// Refusing alike is agreeing, and being right about an agreement is the verdict's word,
// whoever gave it; single traces are the gold's.
func TestWhoseWordReliabilityIs(t *testing.T) {
	r := voted("default", "q", "lookup", "-refused -refused")
	r.Verdict = judge.Verdict{Verdict: judge.Correct, By: judge.ByQuality}
	m := manifest(1, 2, "default")
	m.Configurations[0].Pass = "quality"
	got := summarize(t, m, r).Configurations[0].Reliability
	if *got.Unanimous != 1 || *got.UnanimousCorrect != 1 || *got.PassAtK.Value != 0 {
		t.Errorf("%d unanimous, %d correct, pass@2 %v, want 1, 1, 0", *got.Unanimous, *got.UnanimousCorrect, *got.PassAtK.Value)
	}
}

// An incomplete run has no rate that the missing part would change.
func TestReliabilityOfAPartOfARun(t *testing.T) {
	m := manifest(3, 3, "default")
	m.State = store.Interrupted
	c := summarize(t, m, voted("default", "q-1", "lookup", "+a +a +a"), voted("default", "q-2", "lookup", "-a -a -b")).Configurations[0]
	if (c.Reliability != result.Reliability{}) || c.KCurve != nil || c.Confidence != nil {
		t.Errorf("reliability %+v, curve %v, confidence %v, want undefined", c.Reliability, c.KCurve, c.Confidence)
	}
	if c.Efficiency.SolvedQueries != 1 || c.Efficiency.CorrectTraces != 3 {
		t.Errorf("efficiency %+v, want that of what is there", c.Efficiency)
	}
}
