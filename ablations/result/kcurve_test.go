package result_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// The counts [6, 3, 1] and [4, 4, 2], the first class right, by docs/method.md §4.
func TestKCurveOfOneQuery(t *testing.T) {
	for _, c := range []struct {
		traces string
		want   map[int]float64
	}{
		{"+a +a +a +a +a +a -b -b -b -c", map[int]float64{1: .6, 2: .6, 3: .716667, 4: .773810, 5: .827381, 7: .916667, 9: 1, 10: 1}},
		{"-b +a -c +a -b -c +a -b +a -b", map[int]float64{1: .4, 3: .422222, 5: .452381, 10: .5}},
	} {
		got := votedAll(t, 10, c.traces)
		if got.KCurve == nil || got.NoKCurve != "" || len(got.KCurve.Points) != 10 {
			t.Fatalf("%s: curve %+v, %q", c.traces, got.KCurve, got.NoKCurve)
		}
		for _, p := range got.KCurve.Points {
			if want, known := c.want[p.K]; known {
				is(t, fmt.Sprintf("%s, k=%d", c.traces, p.K), p.Accuracy.Value, want)
			}
		}
	}
	points := votedAll(t, 10, "+a +a +a +a +a +a -b -b -b -c").KCurve.Points
	undefined(t, "k=1", points[0].Unanimous, points[0].AccuracyIfUnanimous)
	is(t, "pass@1", points[0].PassAtK, .6)
	is(t, "unanimous at k=3", points[2].Unanimous, 21./120)
	is(t, "right if unanimous at k=3", points[2].AccuracyIfUnanimous, 20./21)
	is(t, "pass@3", points[2].PassAtK, 1-4./120)
	is(t, "pass^3", points[2].PassHatK, 20./120)
	undefined(t, "nothing unanimous at k=10", points[9].AccuracyIfUnanimous)
	if points[2].ModelCalls != 6 || points[2].Tokens != 330 || *points[2].USD != 1.5 {
		t.Errorf("three traces take %v calls, %v tokens, %v USD, want 6, 330, 1.5", points[2].ModelCalls, points[2].Tokens, *points[2].USD)
	}
	// Of one query the spread is not known, but right is right.
	if points[2].Accuracy.CI != nil {
		t.Errorf("interval %+v of a fraction of one query", points[2].Accuracy.CI)
	}
	between(t, "k=9", points[8].Accuracy.CI, "wilson", .2065, 1)
}

// twelve are the queries of docs/statistics.md#agreement-as-confidence: seven unanimous, one of them wrong; four of two
// against one, half of them wrong; one without agreement, wrong.
var twelve = []string{
	"+a +a +a", "+b +b +b", "+c +c +c", "+d +d +d", "+e +e +e", "+f +f +f", "-g -g -g",
	"+a +a -b", "-b +a +a", "-b -b +a", "-b -c -b",
	"-a -b -c",
}

func TestKCurveOfTwelveQueries(t *testing.T) {
	c := votedAll(t, 3, twelve...)
	points := c.KCurve.Points
	is(t, "k=1", points[0].Accuracy.Value, 23./36)
	is(t, "k=2", points[1].Accuracy.Value, 23./36) // a tie of two is half right
	is(t, "k=3", points[2].Accuracy.Value, 8./12)
	is(t, "unanimous at k=2", points[1].Unanimous, (7+4./3)/12)
	is(t, "right if unanimous at k=2", points[1].AccuracyIfUnanimous, (6+2./3)/(7+4./3))
	is(t, "unanimous at k=3", points[2].Unanimous, 7./12)
	is(t, "right if unanimous at k=3", points[2].AccuracyIfUnanimous, 6./7)
	is(t, "pass@2", points[1].PassAtK, (6+2+2./3)/12)
	is(t, "pass^2", points[1].PassHatK, (6+2./3)/12)

	// At k=K it is the interval of the pass rate; below, that of the effective number:
	// m = 23/36 and SE² = 2.101852/(12·11) give n_eff = 14.4890.
	between(t, "k=3", points[2].Accuracy.CI, "wilson", c.CI.Low, c.CI.High)
	between(t, "k=1", points[0].Accuracy.CI, "wilson-effective", .38798, .83158)

	// +1/3 twice and -1/3 once: the sum is as far from 0 under any signs.
	g := c.KCurve.Gain
	if g == nil || g.Queries != 12 || g.P == nil || *g.P != 1 {
		t.Fatalf("gain %+v, want p = 1 over 12 queries", g)
	}
	is(t, "gain", &g.Difference, 1./36)
	// SE² = (3/9 - 12/36²)/(12·11), t of 11 degrees of freedom 2.200985.
	between(t, "gain", g.CI, "t", -.0813, .1368)
}

// Eight traces a query, of which many end without an answer: what published figures count
// and what a majority of K counts differ by the queries in which fewer than five voted.
func TestKCurveFollowsTheQuorum(t *testing.T) {
	queries := slices.Concat(
		slices.Repeat([]string{"+a +a +a +a +a +a +a +a"}, 60),
		slices.Repeat([]string{"+a +a +a +a +a 0 0 0"}, 8),
		slices.Repeat([]string{"+a +a +a -b -b 0 0 0"}, 2), // a lead among five votes is enough for both
		slices.Repeat([]string{"0 +a 0 +a 0 +a 0 +a"}, 4),  // four votes of eight
		slices.Repeat([]string{"0 0 0 0 0 0 +a 0"}, 1),
		slices.Repeat([]string{"+a -b +a 0 0 0 0 0"}, 1),
		slices.Repeat([]string{"-b -b 0 0 0 0 0 0"}, 3),
		slices.Repeat([]string{"-b -b -b -b -b -b -b -b"}, 20),
		slices.Repeat([]string{"0 0 0 0 0 0 0 0"}, 1),
	)
	for _, c := range []struct {
		quorum consensus.Quorum
		right  float64
		nobody int // decisions none
		k1     float64
	}{
		{consensus.QuorumMajority, 70, 10, (60 + 5 + .75 + 2 + .125 + .25) / 100},
		{consensus.QuorumNone, 76, 1, (60 + 5 + .75 + 2 + .125 + .25) / 100},
	} {
		r := votedRun(t, c.quorum, 8, queries...)
		got, warnings := r.Configurations[0], r.Warnings
		points := got.KCurve.Points
		is(t, string(c.quorum)+", run", got.PassRate, c.right/100)
		is(t, string(c.quorum)+", k=8", points[7].Accuracy.Value, c.right/100)
		is(t, string(c.quorum)+", k=1", points[0].Accuracy.Value, c.k1)
		told := slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, "quorum none") })
		if none := c.quorum == consensus.QuorumNone; got.Consensus.Quorum != c.quorum || told != none {
			t.Errorf("%s: the row has quorum %s and the warnings %q", c.quorum, got.Consensus.Quorum, warnings)
		}
		if n := got.Consensus.Methods[consensus.None]; n != c.nobody {
			t.Errorf("%s: %d decisions are none, want %d", c.quorum, n, c.nobody)
		}
		if g := got.KCurve.Gain; g == nil || math.Abs(g.Difference-(c.right/100-c.k1)) > 1e-9 {
			t.Errorf("%s: gain %+v, want %v", c.quorum, g, c.right/100-c.k1)
		}
	}
	// One query by hand, k=2 of three votes in four: a draw of ++, +-, +0, -0 …
	one := votedRun(t, consensus.QuorumNone, 4, "+a +a -b 0").Configurations[0]
	is(t, "none, k=2", one.KCurve.Points[1].Accuracy.Value, (1+2*.5+2*1+0)/6.)
	one = votedAll(t, 4, "+a +a -b 0")
	is(t, "majority, k=2", one.KCurve.Points[1].Accuracy.Value, (1+2*.5)/6.)
}

// Ten queries gain 1/3 each: 2 of 1,024 patterns of signs are as far from 0.
func TestGain(t *testing.T) {
	c := votedAll(t, 3, slices.Repeat([]string{"+a +a -b"}, 10)...)
	g := c.KCurve.Gain
	is(t, "gain", &g.Difference, 1./3)
	is(t, "p", g.P, 2./1024)
	if g.CI != nil {
		t.Errorf("interval %+v of differences that are all the same", g.CI)
	}
	if again := votedAll(t, 3, slices.Repeat([]string{"+a -b +a"}, 10)...); cmp.Diff(again.KCurve, c.KCurve) != "" {
		t.Error("another order of traces gives another curve")
	}
}

// 6,000 queries gain 1/3 each and 5,900 lose it, more than can be counted: signs are drawn,
// from the run's seed. z = 100/√11900 = 0.917.
func TestGainOfManyQueries(t *testing.T) {
	queries := slices.Concat(slices.Repeat([]string{"+a -b +a"}, 6000), slices.Repeat([]string{"-b +a -b"}, 5900))
	c := votedAll(t, 3, queries...)
	if p := *c.KCurve.Gain.P; p < .31 || p > .41 {
		t.Errorf("p = %v, want about .359", p)
	}
	slices.Reverse(queries)
	if diff := cmp.Diff(c.KCurve, votedAll(t, 3, queries...).KCurve); diff != "" {
		t.Errorf("another order of queries (-want +got):\n%s", diff)
	}
}

func TestKCurveOfOneTrace(t *testing.T) {
	c := votedAll(t, 1, "+a", "-a", "0", "+b")
	if c.KCurve == nil || len(c.KCurve.Points) != 1 || c.KCurve.Gain != nil {
		t.Fatalf("curve %+v, want one point and no gain", c.KCurve)
	}
	p := c.KCurve.Points[0]
	is(t, "k=1", p.Accuracy.Value, *c.PassRate)
	between(t, "k=1", p.Accuracy.CI, "wilson", c.CI.Low, c.CI.High)
}

// Traces that were lost are neither right nor wrong: their query has fewer.
func TestKCurveWithoutLostTraces(t *testing.T) {
	points := votedAll(t, 3, "+a +a !", "-a -a -b", "+a 0 0", "! ! !").KCurve.Points
	for i, want := range []struct {
		queries, dropped int
		accuracy         float64
	}{{3, 1, (1 + 0 + 1./3) / 3}, {3, 1, 1. / 3}, {2, 2, 0}} {
		a := points[i].Accuracy
		if a.Queries != want.queries || a.Dropped != want.dropped {
			t.Errorf("k=%d rests on %d queries, %d dropped, want %d, %d", i+1, a.Queries, a.Dropped, want.queries, want.dropped)
		}
		is(t, fmt.Sprintf("k=%d", i+1), a.Value, want.accuracy)
	}
	// Where no query has K traces, only the last point has nothing to say.
	curve := votedAll(t, 3, "+a +a !").KCurve
	undefined(t, "k=3", curve.Points[2].Accuracy.Value, curve.Points[2].PassAtK, curve.Points[2].PassHatK, curve.Points[2].Unanimous)
	is(t, "k=2", curve.Points[1].Accuracy.Value, 1)
	if curve.Gain != nil {
		t.Errorf("gain %+v of no query", curve.Gain)
	}
}

// A merged class is as right as its representative trace: the decided one by the trace
// that the decision rests on, others by the first that has the class's own key.
func TestMergedClasses(t *testing.T) {
	r := voted("default", "q", "lookup", "-one +1 -two +2 +2")
	stands := 3
	r.Consensus.Method, r.Consensus.Representative = consensus.Majority, &stands
	r.Consensus.Votes = []consensus.Class{
		{Key: "2", Keys: []string{"2", "two"}, Traces: []int{2, 3, 4}},
		{Key: "1", Keys: []string{"1", "one"}, Traces: []int{0, 1}},
	}
	c := summarize(t, manifest(1, 5, "default"), r).Configurations[0]
	is(t, "k=1", c.KCurve.Points[0].Accuracy.Value, 1)
	is(t, "pass@1, of single traces", c.KCurve.Points[0].PassAtK, 3./5)
	is(t, "unanimous at k=2", c.KCurve.Points[1].Unanimous, (3.+1)/10)

	// Fresh traces are numbered behind those of the run itself.
	behind := voted("default", "q", "lookup", "-one +1 -two +2 +2")
	number := stands + 5
	behind.Consensus.Method, behind.Consensus.Representative = consensus.Majority, &number
	behind.Consensus.Votes = []consensus.Class{
		{Key: "2", Keys: []string{"2", "two"}, Traces: []int{7, 8, 9}},
		{Key: "1", Keys: []string{"1", "one"}, Traces: []int{5, 6}},
	}
	for i := range behind.Answers {
		behind.Answers[i].Trace += 5
	}
	is(t, "fresh traces", summarize(t, manifest(1, 5, "default"), behind).Configurations[0].KCurve.Points[0].Accuracy.Value, 1)

	// Without a representative the class's key decides here too; a key that no trace has
	// is right for none, and a trace that is not there harms nothing.
	r.Consensus.Representative = nil
	is(t, "without a decision", summarize(t, manifest(1, 5, "default"), r).Configurations[0].KCurve.Points[0].Accuracy.Value, 1)
	r.Consensus.Votes[0].Key = "3"
	r.Consensus.Votes[1].Traces = []int{-1, 99}
	is(t, "strange votes", summarize(t, manifest(1, 5, "default"), r).Configurations[0].KCurve.Points[0].Accuracy.Value, 0)
}

func TestNoKCurve(t *testing.T) {
	good := func() store.Record { return voted("default", "q-000", "lookup", "+a +a -b") }
	for _, c := range []struct {
		name   string
		change func(*store.Manifest, *store.Record)
		want   string
	}{
		{"nothing wrong", func(*store.Manifest, *store.Record) {}, ""},
		{"K too large", func(m *store.Manifest, _ *store.Record) { m.Configurations[0].K = 257 }, "K is above 256"},
		{"a judge counts", func(m *store.Manifest, _ *store.Record) { m.Configurations[0].Pass = "quality" }, "pass is quality"},
		{"a condition was judged", func(_ *store.Manifest, r *store.Record) { r.Verdict.By = judge.ByCorrectness }, "a judge decided on 1 of 1 queries"},
		{"a judge was down", func(_ *store.Manifest, r *store.Record) {
			r.Verdict = judge.Verdict{Verdict: judge.Unscored, By: judge.ByInfra}
		}, "a judge decided on 1"},
		{"no gold", func(_ *store.Manifest, r *store.Record) {
			for i := range r.Answers {
				r.Answers[i].Verdict = judge.Unscored
			}
		}, "1 of 1 queries have no gold"},
		{"a model picked", func(_ *store.Manifest, r *store.Record) { r.Consensus.KCurve = false }, "the votes of 1 of 1 queries do not define"},
		{"the verifier was down", func(_ *store.Manifest, r *store.Record) {
			r.Consensus.Unscored, r.Verdict = true, judge.Verdict{Verdict: judge.Unscored, By: judge.ByInfra}
		}, "do not define the decision"},
		{"votes of other traces", func(_ *store.Manifest, r *store.Record) { r.Consensus.Votes = r.Consensus.Votes[:1] }, "do not define the decision"},
		{"all lost", func(_ *store.Manifest, r *store.Record) { *r = voted("default", "q-000", "lookup", "! ! !") }, "no query has a valid trace"},
		{"unfinished", func(m *store.Manifest, _ *store.Record) { m.State, m.Dataset.Queries = store.Interrupted, 2 }, "the run is not complete"},
	} {
		m, r := manifest(1, 3, "default"), good()
		c.change(&m, &r)
		got := summarize(t, m, r).Configurations[0]
		if (got.KCurve == nil) != (c.want != "") || !strings.Contains(got.NoKCurve, c.want) || c.want == "" && got.NoKCurve != "" {
			t.Errorf("%s: curve %v, %q, want %q", c.name, got.KCurve, got.NoKCurve, c.want)
		}
	}
	if c := summarize(t, manifest(0, 3, "default")).Configurations[0]; c.KCurve != nil || c.NoKCurve != "the run has no queries" {
		t.Errorf("no queries: %v, %q", c.KCurve, c.NoKCurve)
	}
}

// A large K has all points up to 16, then some, and K.
func TestPointsOfALargeK(t *testing.T) {
	for k, want := range map[int][]int{
		16: nil, 17: {17}, 40: {23, 33, 40}, 256: {23, 33, 47, 67, 95, 135, 191, 256},
	} {
		c := votedAll(t, k, strings.Repeat("+a -b ", k/2)+strings.Repeat("+a ", k%2))
		var ks []int
		for _, p := range c.KCurve.Points {
			ks = append(ks, p.K)
		}
		if !slices.Equal(ks[16:], want) && len(want)+len(ks[16:]) > 0 || ks[15] != 16 {
			t.Errorf("K=%d has the points %v, want 1 to 16 and %v", k, ks, want)
		}
	}
}

// Where nothing was lost and nothing tied, the last point is the pass rate and the first
// the share of single traces that are right.
func TestEndsOfTheKCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom([]int{1, 3, 5}).Draw(t, "k")
		records := drawn(t, "default", k, []string{"+a", "-b", "0"})
		r, err := result.Summarize(manifest(len(records), k, "default"), all(records, nil))
		if err != nil {
			t.Fatal(err)
		}
		c := r.Configurations[0]
		first, last := c.KCurve.Points[0], c.KCurve.Points[k-1]
		if v := *first.Accuracy.Value - float64(c.Traces.Correct)/float64(c.Traces.Total); v > 1e-9 || v < -1e-9 {
			t.Fatalf("a single trace is right in %v, %d of %d are", *first.Accuracy.Value, c.Traces.Correct, c.Traces.Total)
		}
		if c.Consensus.Methods[consensus.Tie] == 0 && (*last.Accuracy.Value != *c.PassRate || *last.Accuracy.CI != *c.CI) {
			t.Fatalf("the vote of all is right in %v %+v, the pass rate is %v %+v", *last.Accuracy.Value, *last.Accuracy.CI, *c.PassRate, *c.CI)
		}
		if *last.PassAtK != *c.Reliability.PassAtK.Value || *last.PassHatK != *c.Reliability.PassHatK.Value {
			t.Fatalf("%+v against %+v", last, c.Reliability)
		}
		if k > 1 && *last.Unanimous != float64(*c.Reliability.Unanimous)/float64(len(records)) {
			t.Fatalf("unanimous in %v, and in %d of %d", *last.Unanimous, *c.Reliability.Unanimous, len(records))
		}
	})
}

// drawn are records whose traces are any of the words.
func drawn(t *rapid.T, configuration string, k int, words []string) []store.Record {
	traces := rapid.SliceOfN(rapid.SampledFrom(words), k, k)
	queries := rapid.SliceOfN(traces, 1, 12).Draw(t, "queries of "+configuration)
	out := make([]store.Record, len(queries))
	for i, q := range queries {
		out[i] = voted(configuration, fmt.Sprintf("q-%03d", i), []string{"lookup", "safety"}[i%2], strings.Join(q, " "))
	}
	return out
}
