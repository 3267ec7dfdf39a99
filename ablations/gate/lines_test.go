package gate

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLooks writes the looks of both tests down once more, as docs/ci.md states the rule.
func TestLooks(t *testing.T) {
	got := map[string]any{"B": looksB, "A, K=3": looksA(3), "A, K=1": looksA(1), "A, K=10": looksA(10), "late": lateB}
	want := map[string]any{
		"B":       []lookB{{3, 0, .15}, {6, .05, .10}, {12, .05, .05}, {24, .05, .02}, {36, .85, 0}},
		"A, K=3":  []lookA{{0, 0, .15}, {1, 0, .06}, {3, .10, .03}, {6, .20, .01}, {9, .70, 0}},
		"A, K=1":  []lookA{{0, 0, .15}, {1, .10, .03}, {2, .20, .01}, {3, .70, 0}},
		"A, K=10": []lookA{{0, 0, .15}, {4, 0, .06}, {10, .10, .03}, {20, .20, .01}, {30, .70, 0}},
		"late":    12,
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(lookA{}, lookB{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestDependentLines: the lines themselves are met, and what is just above them is not.
func TestDependentLines(t *testing.T) {
	for _, c := range []struct {
		p              float64
		strict, spaced bool
	}{{.005, true, true}, {.005001, true, false}, {.05, true, false}, {.050001, false, false}} {
		if strict, spaced := dependent(5, ptr(c.p), nil); strict != c.strict || spaced != c.spaced {
			t.Errorf("p %v: strict %v, spaced %v", c.p, strict, spaced)
		}
	}
}

// TestLinesAreMet has chances that lie on a line to the digit: a query at .20 is a suspect, and one at
// .15 or .10 stays one.
func TestLinesAreMet(t *testing.T) {
	l := Options{}.levels(false, false)
	decide := func(k int, q gated) QueryLoss {
		q.query = "a"
		return compare("pool", []gated{q, {query: "b", x: k, k: k, h: 15, m: 15}}, k, l, true).Slips[0]
	}
	if s := decide(3, gated{x: 2, k: 3, h: 12, m: 12}); !s.Suspect || s.P < .2-1e-9 || s.P > .2+1e-9 {
		t.Errorf("at .20: %+v", s)
	}
	good := slices.Repeat([]bool{true}, 12)
	one := slices.Concat([]bool{false}, good)
	for _, c := range []struct {
		k     int
		q     gated
		looks int
		line  float64
	}{
		{3, gated{x: 2, k: 3, h: 34, m: 34, fresh: good[:3]}, 1, .15},
		{2, gated{x: 0, k: 2, h: 8, m: 8, fresh: one[:6]}, 2, .10},
	} {
		s := decide(c.k, c.q)
		if len(s.Looks) != c.looks || s.Looks[c.looks-1].With == nil {
			t.Fatalf("%+v", s)
		}
		if p := *s.Looks[c.looks-1].With; p < c.line-1e-9 || p > c.line+1e-9 {
			t.Fatalf("p %v, want %v", p, c.line)
		}
		if got := compare("pool", []gated{c.q, {query: "b", x: c.k, k: c.k, h: 15, m: 15}}, c.k, l, true); len(got.Asks) != 1 {
			t.Errorf("at %v it is cleared", c.line)
		}
	}
}

// collapse is a run in which every query fell.
func collapse(change ...func(*Evidence)) Evidence {
	return evidence(append([]func(*Evidence){func(e *Evidence) {
		for i := range e.Items {
			e.Items[i].Current, e.Items[i].History = of(0, 3), of(15, 15)
		}
	}}, change...)...)
}

// TestCollapse: K fresh traces of each query decide. No query is tested by itself.
func TestCollapse(t *testing.T) {
	fresh := func(text string) func(*Evidence) {
		return func(e *Evidence) {
			for i := range e.Items {
				e.Items[i].Fresh = marks(text)
			}
		}
	}
	out := Decide(collapse(), Options{})
	if out.Decision != Inconclusive || !out.Rolling.Collapse || needs(out) != "a+ b+ c+ d+ e+ f+ g+" {
		t.Errorf("%s, collapse %v, needs %s", out.Decision, out.Rolling.Collapse, needs(out))
	}
	out = Decide(collapse(fresh("---")), Options{})
	if out.Decision != Regression || len(out.Need) != 0 || len(out.Losses) != 7 || len(out.Rolling.Slips[0].Looks) != 0 {
		t.Errorf("%s, needs %s, fell most %v", out.Decision, needs(out), out.Losses)
	}
	if look := out.Rolling.Looks[2]; look.HistoryRight != 105 || look.History != 105 || look.Right != 0 || look.Traces != 42 || look.FreshRight != 0 || look.Fresh != 3 {
		t.Errorf("%+v", look)
	}
	if want := "the whole agent fell: 105 of 105 right before → 0 of 21 in the run, 0 of 21 fresh"; out.Reasons[0] != want {
		t.Errorf("%q, want %q", out.Reasons[0], want)
	}
	// Where all fresh traces are right, the fault may be gone.
	many := func(e *Evidence) {
		for i := range 20 {
			more := e.Items[i%7]
			more.Query += strings.Repeat("x", 1+i/7)
			e.Items = append(e.Items, more)
		}
	}
	hit := Decide(collapse(many, fresh("+++")), Options{})
	if hit.Decision != Regression || !strings.HasSuffix(hit.Reasons[0], "81 of 81 fresh; but all fresh traces are right, so the agent may be unchanged: run again") {
		t.Errorf("%s: %q", hit.Decision, hit.Reasons)
	}
	// Where the decision is certain, single queries are asked alone, and the total not at all.
	certain := func(e *Evidence) { e.Items = append(e.Items, Item{Query: "s", Safety: true, Current: of(2, 3)}) }
	out = Decide(collapse(certain), Options{})
	if out.Decision != Regression || out.Rolling.Collapse || len(out.Rolling.Looks) != 0 || needs(out) != "a+++ b+++ c+++ d+++ e+++ f+++ g+++" {
		t.Errorf("certain: %s, collapse %v, %d looks, needs %s", out.Decision, out.Rolling.Collapse, len(out.Rolling.Looks), needs(out))
	}
	if out := Decide(evidence(certain), Options{}); len(out.Rolling.Looks) != 0 {
		t.Errorf("certain, and nothing fell: %d looks at the total", len(out.Rolling.Looks))
	}
	// A total that is cleared by K fresh traces stays so once the single queries are.
	out = Decide(collapse(fresh("+++"), func(e *Evidence) {
		for _, name := range []string{"h", "i", "j"} {
			more := e.Items[0]
			more.Query = name
			e.Items = append(e.Items, more)
		}
		for i := range e.Items {
			e.Items[i].History = of(8, 15)
		}
	}), Options{})
	if out.Decision != Pass || !out.Rolling.Collapse || len(out.Rolling.Looks) != 3 || len(out.Rolling.Slips[0].Looks) != 1 {
		t.Errorf("cleared: %s, collapse %v, %d looks, needs %s", out.Decision, out.Rolling.Collapse, len(out.Rolling.Looks), needs(out))
	}
	// A frozen baseline asks nothing meanwhile.
	out = Decide(collapse(func(e *Evidence) {
		e.FrozenRuns = 12
		for i := range e.Items {
			e.Items[i].Frozen = of(60, 60)
		}
	}), Options{})
	if out.Frozen != nil || needs(out) != "a+ b+ c+ d+ e+ f+ g+" {
		t.Errorf("beside a frozen baseline it needs %s", needs(out))
	}
}

// TestFellMost: what a query lost is taken against old and new traces together, and the list is short.
func TestFellMost(t *testing.T) {
	short, long := gated{query: "short", x: 2, k: 6, h: 4, m: 4}, gated{query: "long", x: 3, k: 6, h: 60, m: 60}
	if got := lossesOf([]gated{short, long, {query: "same", x: 6, k: 6, h: 60, m: 60}}, 0); strings.Join(got, " ") != "long short" {
		t.Errorf("fell most %v", got)
	}
	if got := lossesOf(slices.Repeat([]gated{short}, 9), 0); len(got) != 8 {
		t.Errorf("%d are listed", len(got))
	}
}

// TestPercentile95: the least number that 95 of 100 do not exceed.
func TestPercentile95(t *testing.T) {
	for n, want := range map[int]int{1: 1, 10: 10, 20: 19, 21: 20, 100: 95, 1000: 950} {
		all := make([]int, n)
		for i := range all {
			all[i] = i + 1
		}
		if got := percentile95(all); got != want {
			t.Errorf("of 1 to %d it is %d, want %d", n, got, want)
		}
	}
}

// TestLate: beyond the first looks traces have to come from another session, where the gate is spaced.
func TestLate(t *testing.T) {
	late := func(out Outcome) (n int) {
		for _, a := range out.Need {
			if a.Late {
				n++
			}
		}
		return n
	}
	slow := evidence(func(e *Evidence) {
		e.Items[0].Current, e.Items[0].Fresh = of(0, 3), marks("+-+-+-+-+-+-")
	})
	for name, c := range map[string]struct {
		o    Options
		p    float64
		late int
	}{"plain": {Options{}, 1, 0}, "strict": {Options{Strict: true}, 1, 0}, "spaced": {Options{Spaced: true}, 1, 1}, "shown": {Options{}, .004, 1}} {
		e := slow
		e.Concordance, e.Stored = ptr(c.p), 5
		out := Decide(e, c.o)
		if needs(out) != "a"+strings.Repeat("+", 24) || late(out) != c.late || out.Spaced != (c.late > 0) {
			t.Errorf("%s: needs %s, %d late, spaced %v", name, needs(out), late(out), out.Spaced)
		}
	}
	e := slow
	e.Concordance, e.Stored, e.Levels = ptr(.004), 5, &Dependence{}
	if out := Decide(e, Options{}); out.Strict || out.Spaced {
		t.Error("the levels that a question was begun with do not stay")
	}
}
