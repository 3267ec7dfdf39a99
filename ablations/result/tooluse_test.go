package result

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/tooluse"
	"github.com/seed-5817661a/concur/trace"
)

// traceOf returns a trace with a verdict that made these calls of the tool t.
func traceOf(verdict judge.Ruling, calls int) store.Answer {
	a := store.Answer{Outcome: trace.Answered, Verdict: verdict}
	if calls > 0 {
		a.Extras.Set(tooluse.Name, tooluse.Record{"t": {Calls: calls, Bytes: 10 * calls}})
	}
	return a
}

// usesOf sums records of one query each; units are their clusters.
func usesOf(t *testing.T, units []string, queries ...[]store.Answer) ToolUse {
	t.Helper()
	sums := toolUses{}
	for i, answers := range queries {
		if err := sums.add(store.Record{Answers: answers}, units[i]); err != nil {
			t.Fatal(err)
		}
	}
	return sums.figures()["t"]
}

const right, wrong, none = judge.Correct, judge.Incorrect, judge.Unscored

// The shares are means over the queries that have traces of both kinds. By hand:
//
//	query   with    without   d
//	1       2/2     0/1       1
//	2       1/2     1/1       −1/2
//	3       1/1     1/2       1/2
//	mean    5/6     1/2       1/3
//
// Query 4 has only traces with a call, query 5 only traces without one; neither counts.
func TestUseByHand(t *testing.T) {
	got := usesOf(t, []string{"", "", "", "", ""},
		[]store.Answer{traceOf(right, 1), traceOf(right, 3), traceOf(wrong, 0)},
		[]store.Answer{traceOf(right, 1), traceOf(wrong, 1), traceOf(right, 0)},
		[]store.Answer{traceOf(right, 2), traceOf(right, 0), traceOf(wrong, 0)},
		[]store.Answer{traceOf(wrong, 1), traceOf(wrong, 1)},
		[]store.Answer{traceOf(right, 0), traceOf(right, 0)})
	if got.Calls != 10 || got.Traces != 7 || got.Tokens != 25 || got.Failed != 0 {
		t.Errorf("%d calls in %d traces, %d tokens, %d failed; want 10, 7, 25, 0", got.Calls, got.Traces, got.Tokens, got.Failed)
	}
	p := got.Paired
	for name, c := range map[string]struct {
		got  *float64
		want float64
	}{"with": {p.With, 5. / 6}, "without": {p.Without, .5}, "difference": {p.Difference, 1. / 3}} {
		if c.got == nil || math.Abs(*c.got-c.want) > 1e-12 {
			t.Errorf("%s is %v, want %v", name, c.got, c.want)
		}
	}
	// Three units are enough. b = 1/6, c = 1/2, D = 1/3, SE² = 7/36, G* = 3:
	// n_e = (2/3 − 1/9)/(7/36) = 20/7, t(2) = 4.3027. Tango's score of both ends is then 4.3027.
	if p.Queries != 3 || p.CI == nil {
		t.Fatalf("%d queries, interval %v", p.Queries, p.CI)
	}
	for _, end := range []float64{p.CI.Low, p.CI.High} {
		n, b, c, d := 20./7, 1./6, .5, end
		big, small := -c-b+(2-c+b)*d, -b*d*(1-d)
		q := (math.Sqrt(big*big-8*small) - big) / 4
		if score := math.Abs(1./3-d) / math.Sqrt((2*q+d*(1-d))/n); math.Abs(end) < 1-1e-9 && math.Abs(score-4.302653) > 1e-3 {
			t.Errorf("the score at the end %v is %v, want 4.3027", end, score)
		}
	}
}

// Traces that were lost or have no verdict are no pairs.
func TestUseOfTracesWithoutVerdict(t *testing.T) {
	lost := traceOf(right, 0)
	lost.Outcome = trace.Infra
	got := usesOf(t, []string{"", ""},
		[]store.Answer{traceOf(right, 1), traceOf(none, 0)}, []store.Answer{traceOf(right, 1), lost})
	if diff := cmp.Diff(PairedUse{}, got.Paired); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// With two queries, or few clusters, there is a difference and no interval.
func TestTooFewUses(t *testing.T) {
	pair := []store.Answer{traceOf(right, 1), traceOf(wrong, 0)}
	var clustered [][]store.Answer
	var units []string
	for i := range 18 {
		clustered, units = append(clustered, pair), append(units, string(rune('a'+i/2)))
	}
	for name, got := range map[string]ToolUse{
		"two queries": usesOf(t, []string{"", ""}, pair, pair), "nine clusters": usesOf(t, units, clustered...),
	} {
		if p := got.Paired; p.Difference == nil || *p.Difference != 1 || p.CI != nil {
			t.Errorf("%s: difference %v, interval %v", name, p.Difference, p.CI)
		}
	}
}

// Sums of parts are those of the whole, and failures are counted by kind.
func TestUseIsMerged(t *testing.T) {
	record := func(kind string, calls int) store.Record {
		a := store.Answer{Outcome: trace.Answered, Verdict: right}
		a.Extras.Set(tooluse.Name, tooluse.Record{"t": {Calls: calls, Failures: map[string]int{kind: 1}, Bytes: 3}})
		return store.Record{Answers: []store.Answer{a, traceOf(wrong, 0)}, Timing: store.Timing{ToolsS: map[string]float64{"t": .25}}}
	}
	parts := []toolUses{{}, {}}
	for i, sums := range parts {
		for _, r := range []store.Record{record("timeout", 2), record([]string{"empty", "timeout"}[i], 1)} {
			if err := sums.add(r, ""); err != nil {
				t.Fatal(err)
			}
			sums.addTime(r.Timing.ToolsS)
		}
	}
	parts[0].merge(parts[1])
	got := parts[0].figures()["t"]
	got.Paired = PairedUse{Queries: got.Paired.Queries}
	want := ToolUse{Calls: 6, Failed: 4, Failures: map[string]int{"timeout": 3, "empty": 1}, Traces: 4, Seconds: 1, Tokens: 3,
		Paired: PairedUse{Queries: 4}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
