package gate_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// drawTraces gives up to most traces; some without a verdict or lost if rough.
func drawTraces(t *rapid.T, least, most int, rough bool) gate.Traces {
	all := rapid.IntRange(least, most).Draw(t, "traces")
	right := rapid.IntRange(0, all).Draw(t, "right")
	out := gate.Traces{Right: right, Wrong: all - right}
	if rough {
		out.Unscored = rapid.IntRange(0, 2).Draw(t, "unscored")
		out.Lost = rapid.SampledFrom([]int{0, 0, 0, 0, 0, 1}).Draw(t, "lost")
	}
	return out
}

func drawEvidence(t *rapid.T, rough bool) gate.Evidence {
	e := gate.Evidence{PoolRuns: rapid.IntRange(1, 5).Draw(t, "runs"), K: 3}
	n := rapid.IntRange(1, 12).Draw(t, "queries")
	for i := range n {
		it := gate.Item{Query: string(rune('a' + i)), Safety: rapid.IntRange(0, 9).Draw(t, "safety") == 0}
		it.Current = drawTraces(t, 1, 3, rough)
		it.History = drawTraces(t, 5, 20, rough)
		if rapid.Bool().Draw(t, "good") {
			it.History.Right, it.History.Wrong = it.History.Valid(), 0
		}
		if rapid.IntRange(0, 9).Draw(t, "fresh") > 0 {
			it.Fresh = ptr(drawTraces(t, 6, 12, rough))
		}
		if rapid.IntRange(0, 9).Draw(t, "replica") > 0 {
			it.Replica = ptr(drawTraces(t, 1, 3, rough))
		}
		if rapid.Bool().Draw(t, "last") {
			it.Last = ptr(drawTraces(t, 1, 3, rough))
		}
		e.Items = append(e.Items, it)
	}
	e.Consensus = gate.Consensus{Queries: n, Correct: rapid.IntRange(0, n).Draw(t, "correct")}
	if rapid.Bool().Draw(t, "frozen") {
		frozen(rapid.IntRange(9, 11).Draw(t, "frozen runs"), 28, rapid.IntRange(28, 33).Draw(t, "m"))(&e)
	}
	return e
}

func drawOptions(t *rapid.T) gate.Options {
	o := gate.Options{
		Alpha:     rapid.SampledFrom([]float64{0, .05, .3}).Draw(t, "alpha"),
		NoConfirm: rapid.IntRange(0, 4).Draw(t, "no confirm") == 0,
		Replicate: gate.Replicate(rapid.IntRange(0, 2).Draw(t, "replicate")),
	}
	if rapid.Bool().Draw(t, "losses") {
		o.MaxLosses = ptr(rapid.IntRange(0, 4).Draw(t, "max losses"))
	}
	if rapid.Bool().Draw(t, "rate") {
		o.MinPassRate = ptr(rapid.Float64Range(0, 1).Draw(t, "min rate"))
	}
	return o
}

func suspect(it gate.Item) bool { return 2*it.Current.Right <= it.Current.Valid() }

// One more right trace never turns PASS into an alarm, so long as the number of suspects
// stays.
func TestRightTracesDoNotAlarm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e, o := drawEvidence(t, false), drawOptions(t)
		before := gate.Decide(e, o)
		i := rapid.IntRange(0, len(e.Items)-1).Draw(t, "item")
		was := e.Items[i]
		it := was
		pick := []*gate.Traces{&it.Current}
		for _, p := range []**gate.Traces{&it.Fresh, &it.Replica} {
			if *p != nil {
				*p = ptr(**p)
				pick = append(pick, *p)
			}
		}
		at := pick[rapid.IntRange(0, len(pick)-1).Draw(t, "pass")]
		if at.Wrong == 0 {
			return
		}
		at.Wrong, at.Right = at.Wrong-1, at.Right+1
		if suspect(was) != suspect(it) {
			return
		}
		e.Items = slices.Clone(e.Items)
		e.Items[i] = it
		after := gate.Decide(e, o)
		if before.Decision == gate.Pass && (after.Decision == gate.Regression || after.Decision == gate.Drift) {
			t.Fatalf("%+v became %+v by one more right trace", before, after)
		}
	})
}

// A suspect that turns out not to be one makes Holm's family smaller: the one way in which a
// right trace can bring an alarm, about another query.
func TestFewerSuspectsMayAlarm(t *testing.T) {
	t.Parallel()
	four := evidence(every(with(history(20, 30), current(1, 3), fresh(6, 6))),
		item(0, with(history(30, 30), fresh(3, 6))), item(4, current(3, 3)))
	if out := gate.Decide(four, gate.Options{}); out.Decision != gate.Pass {
		t.Errorf("with four suspects %s: %v", out.Decision, out.Reasons)
	}
	item(3, current(2, 3))(&four)
	if out := gate.Decide(four, gate.Options{}); out.Decision != gate.Regression {
		t.Errorf("with three suspects %s: %v", out.Decision, out.Reasons)
	}
}

// Whatever the evidence: a decision with a reason, the same in any order of the queries,
// PASS only if so at worst, REGRESSION only if so at best.
func TestDecideIsSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e, o := drawEvidence(t, true), drawOptions(t)
		o.Strict = o.Replicate != gate.ReplicateOff && rapid.Bool().Draw(t, "strict")
		out := gate.Decide(e, o)
		if len(out.Reasons) == 0 {
			t.Fatalf("%s without a reason", out.Decision)
		}
		if out.Decision == gate.Pass && out.AtWorst != gate.Pass || out.Decision == gate.Regression && out.AtBest != gate.Regression {
			t.Fatalf("%s, at worst %s, at best %s", out.Decision, out.AtWorst, out.AtBest)
		}
		if out.Decision == gate.Pass && !out.Need.Empty() {
			t.Fatalf("PASS, and needs %+v", out.Need)
		}
		slices.Reverse(e.Items)
		if again := gate.Decide(e, o); again.Decision != out.Decision {
			t.Fatalf("%s, and in another order %s", out.Decision, again.Decision)
		}
	})
}

// A caller that runs what is needed is through after three turns.
func TestNeedsEnd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e, o := drawEvidence(t, false), drawOptions(t)
		o.NoConfirm = false
		o.Strict = o.Replicate != gate.ReplicateOff && rapid.Bool().Draw(t, "strict")
		for i := range e.Items {
			e.Items[i].Fresh, e.Items[i].Replica = nil, nil
		}
		for range 3 {
			need := gate.Needs(e, o)
			if need.Empty() {
				return
			}
			for i := range e.Items {
				it := &e.Items[i]
				for _, ask := range append(need.Confirm, need.Safety...) {
					if ask.Query == it.Query {
						it.Fresh = ptr(drawTraces(t, ask.Traces, ask.Traces, false))
					}
				}
				if need.Replicate {
					it.Replica = ptr(drawTraces(t, 3, 3, false))
				}
			}
		}
		t.Fatalf("still needs %+v", gate.Needs(e, o))
	})
}
