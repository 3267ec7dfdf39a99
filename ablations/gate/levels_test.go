package gate_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// What has no verdict is taken for wrong and for right in every pass, and of both sides the
// needs are asked.
func TestUnscoredIsBoundedEverywhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                string
		evidence            gate.Evidence
		options             gate.Options
		want, atWorst, best gate.Decision
		need                string
	}{
		{"in fresh traces", evidence(noisy, item(0, with(history(15, 15), current(1, 3), func(it *gate.Item) { it.Fresh = &gate.Traces{Right: 2, Unscored: 4} }))),
			gate.Options{}, gate.Inconclusive, gate.Regression, gate.Pass, ""},
		{"in the second pass", evidence(every(with(history(14, 15), func(it *gate.Item) { it.Replica = &gate.Traces{Right: 2, Unscored: 1} })), worse),
			gate.Options{}, gate.Inconclusive, gate.Regression, gate.Pass, ""},
		{"in the consensus", evidence(func(e *gate.Evidence) { e.Consensus = gate.Consensus{Queries: 5, Correct: 4, Unscored: 1} }),
			gate.Options{MinPassRate: ptr(1.0)}, gate.Inconclusive, gate.Regression, gate.Pass, ""},
		{"what either side needs", evidence(worse, item(0, func(it *gate.Item) { it.Current = gate.Traces{Right: 1, Wrong: 1, Unscored: 1} })),
			gate.Options{}, gate.Inconclusive, gate.Inconclusive, gate.Inconclusive, "confirm a 6 replicate"},
	} {
		out := gate.Decide(c.evidence, c.options)
		if out.Decision != c.want || out.AtWorst != c.atWorst || out.AtBest != c.best || inShort(out.Need) != c.need {
			t.Errorf("%s: %s, at worst %s, at best %s, needs %q: %q", c.name, out.Decision, out.AtWorst, out.AtBest, inShort(out.Need), out.Reasons)
		}
	}
}

// A run that has failed for another reason is not replicated, since that could not save it.
func TestARegressionIsNotReplicated(t *testing.T) {
	t.Parallel()
	slow := evidence(worse, func(e *gate.Evidence) { e.P95S = ptr(31.0) })
	if out := gate.Decide(slow, gate.Options{MaxP95S: ptr(30.0)}); out.Decision != gate.Regression || !out.Need.Empty() {
		t.Errorf("%s, needs %q", out.Decision, inShort(out.Need))
	}
}

func TestStrictWantsBothPasses(t *testing.T) {
	t.Parallel()
	strict := gate.Options{Strict: true}
	poor := every(with(history(20, 30), replica(3, 3)))

	// Test B alarmed in the run, and Test A in the second pass: neither did twice.
	other := evidence(every(with(history(20, 30), replica(0, 3))), item(0, with(history(30, 30), current(1, 3), fresh(0, 6), replica(3, 3))))
	if out := gate.Decide(other, strict); out.Decision != gate.Pass || !out.Rolling.Unconfirmed || !out.Rolling.Second.Rejects {
		t.Errorf("another alarm in each pass: %s: %q", out.Decision, out.Reasons)
	}
	// Each of two has p = 1/165 in the second pass, which is enough of one and not of two.
	broken := with(history(8, 8), current(1, 3), fresh(0, 12), replica(0, 3))
	two := evidence(poor, item(0, broken), item(1, broken))
	if out := gate.Decide(two, strict); out.Decision != gate.Inconclusive || !strings.Contains(out.Reasons[0], "larger K") {
		t.Errorf("two that three traces cannot tell: %s: %q, %q", out.Decision, out.Reasons, out.Warnings)
	}
	one := evidence(poor, item(0, broken))
	if out := gate.Decide(one, strict); out.Decision != gate.Regression {
		t.Errorf("one that three traces tell: %s: %q", out.Decision, out.Reasons)
	}
}

func TestLevels(t *testing.T) {
	t.Parallel()
	// Of 1 of 5 the 95 % upper bound is .657, and the 90 % one .584.
	few := evidence(func(e *gate.Evidence) { e.Consensus.Correct = 1 })
	if out := gate.Decide(few, gate.Options{Floor: ptr(.62)}); out.Decision != gate.Pass {
		t.Errorf("a floor within the bound: %s %+v", out.Decision, out.Checks)
	}
	if out := gate.Decide(few, gate.Options{Floor: ptr(.66)}); out.Decision != gate.Regression {
		t.Errorf("a floor above the bound: %s %+v", out.Decision, out.Checks)
	}
	for p, strict := range map[float64]bool{.03: true, .05: true, .051: false} {
		out := gate.Decide(evidence(func(e *gate.Evidence) { e.Concordance = &p }), gate.Options{})
		if out.Strict != strict {
			t.Errorf("concordance at %v: strict %v", p, out.Strict)
		}
	}
	// Twelve fresh traces can give less than six can.
	out := gate.Decide(evidence(noisy, item(0, with(history(9, 9), current(1, 3), fresh(12, 12)))), gate.Options{})
	near(t, "least", out.Rolling.Screen.Least, 1.0/293930, 1e-12)
	many := gate.Evidence{PoolRuns: 5, K: 1}
	for i := range 300 {
		many.Items = append(many.Items, gate.Item{Query: string(rune('A' + i)), Current: of(1, 1), History: of(14, 15), Last: ptr(of(1, 1))})
	}
	ni := gate.Decide(many, gate.Options{NonInferiority: ptr(.05)}).NonInferiority
	lower, _, _ := stats.NonInferior(300, 0, 0, .05, .95)
	near(t, "lower bound", &ni.Lower, lower, 1e-12)
}

func TestObserveTestsLostTraces(t *testing.T) {
	t.Parallel()
	near(t, "p of one lost of 9, and none of 18", observed(t, nil).LostP, 1.0/3, 1e-9)
	whole := observed(t, func(p *gate.RunPass) { *p = fullPass(3, smallSet(), "+++ --- +++") })
	if whole.LostP != nil {
		t.Errorf("none is lost, and p is %v", *whole.LostP)
	}
}

func TestJudgedWantsVerdictsOnTraces(t *testing.T) {
	t.Parallel()
	p := fullPass(1, smallSet(), "+++ +++ ++!")
	p.Records[2].Verdict.By = judge.ByInfra
	if err := gate.Judged(p, "default"); err != nil {
		t.Error(err)
	}
	p.Records[1].Verdict.By = judge.ByCorrectness
	if err := gate.Judged(p, "default"); err == nil || !strings.Contains(err.Error(), "the verdict on query hop-01 is by correctness") {
		t.Errorf("a verdict by a judge: %v", err)
	}
	p = fullPass(1, smallSet(), "+++ +++ +++")
	p.Manifest.Configurations[0].Pass = "judge"
	if err := gate.Judged(p, "default"); err == nil || !strings.Contains(err.Error(), "passes by judge") {
		t.Errorf("a configuration that passes by a judge: %v", err)
	}
	if err := gate.Judged(p, "other"); err == nil {
		t.Error("there is no such configuration")
	}
}

func TestCached(t *testing.T) {
	t.Parallel()
	d := smallSet()
	long := strings.Repeat("x", 300)
	// A word per query, a letter per trace: equal letters stand for equal replies, a small
	// one for a short reply, and - for none.
	for marks, cached := range map[string]bool{
		"AAA AAA AAA": true,
		"AAA AAA ABC": true,
		"AAA AAB AAB": false,
		"AAA AAB aaa": false, // half of those that are long enough
		"AAA AAA aaa": true,
		"aaa aaa aaa": false,
		"AA- AA- AA-": false, // fewer than K reached the model
		"A-- A-- A--": false,
		"--- --- ---": false,
		"AAA --- ---": false, // one query alone, which a sure model may well answer alike
	} {
		p := fullPass(1, d, "+++ +++ +++")
		clear(p.Messages)
		for i, word := range strings.Fields(marks) {
			for n, letter := range word {
				id := trace.ID{Agent: "3f2a", Query: d.Queries[i].ID, Trace: n}
				switch {
				case letter >= 'a':
					p.Messages[id] = string(letter)
				case letter >= 'A':
					p.Messages[id] = string(letter) + long
				}
			}
		}
		p.Manifest.Configurations = append(p.Manifest.Configurations, store.Configuration{Name: "other", Agent: "4e4e"})
		why, err := gate.Cached(written(t, p), "default")
		if err != nil || (why != "") != cached {
			t.Errorf("%s: %q, %v", marks, why, err)
		}
	}
}
