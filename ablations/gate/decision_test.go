package gate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func needs(out Outcome) string {
	var words []string
	for _, a := range out.Need {
		words = append(words, a.Query+strings.Repeat("+", a.Traces))
	}
	return strings.Join(words, " ")
}

func TestDecide(t *testing.T) {
	breaks := func(fresh string) func(*Evidence) {
		return func(e *Evidence) { e.Items[0].Current, e.Items[0].Fresh = of(0, 3), marks(fresh) }
	}
	others := func(e *Evidence) { // the total asks for these
		for i := range e.Items[1:] {
			e.Items[i+1].Fresh = marks("+++++++++")
		}
	}
	safety := func(now Traces, fresh string) func(*Evidence) {
		return func(e *Evidence) {
			e.Items = append(e.Items, Item{Query: "s", Safety: true, Current: now, Fresh: marks(fresh)})
		}
	}
	young := func(n int) func(*Evidence) {
		return func(e *Evidence) {
			for i := range n {
				e.Items[i].History, e.Items[i].Runs = of(3, 3), 1
			}
		}
	}
	frozen := func(runs int, history Traces) func(*Evidence) {
		return func(e *Evidence) {
			e.FrozenRuns = runs
			for i := range e.Items {
				e.Items[i].Frozen = history
			}
		}
	}
	for name, c := range map[string]struct {
		e    Evidence
		o    Options
		want Decision
		need string // each query with a + for every fresh trace
		says string // in a reason, or in a warning
	}{
		"unchanged":              {evidence(), Options{}, Pass, "", "no test finds a loss"},
		"a break is asked about": {evidence(breaks("")), Options{}, Inconclusive, "a+++", "3 fresh traces of 1 query (a) are needed"},
		"forbidden":              {evidence(breaks("")), Options{NoFresh: "--no-confirm"}, Inconclusive, "a+++", "were not run (--no-confirm)"},
		"cleared":                {evidence(others, breaks("++++++++++++")), Options{}, Pass, "", "another look at the total"},
		"broken":                 {evidence(breaks("------")), Options{}, Regression, "", "a is broken: 15 of 15 right before → 0 of 3 in the run, 0 of 6 fresh"},
		"lost on the way":        {evidence(breaks("--!---")), Options{}, Inconclusive, "a+++", "were lost to the infrastructure"},
		"unscored decides":       {evidence(others, breaks("????????????")), Options{}, Inconclusive, "", "traces without a verdict decide: REGRESSION if they are wrong, PASS if they are right"},
		"unscored in the run":    {evidence(func(e *Evidence) { e.Items[0].Current = Traces{Unscored: 3} }), Options{}, Inconclusive, "a+++", "traces without a verdict decide"},
		"both alarm":             {evidence(breaks("------"), func(e *Evidence) { e.Items[6].Current = Traces{Right: 2, Unscored: 1} }), Options{}, Regression, "", "a is broken"},
		"one query is new":       {evidence(young(1), func(e *Evidence) { e.Items[0].Current = of(0, 3) }), Options{}, Pass, "", "no test finds"},
		"four are new":           {evidence(young(4)), Options{}, Inconclusive, "", "bootstrap: 3 of 7 queries have 4 traces"},
		"several break": {evidence(breaks("------"), func(e *Evidence) {
			for len(e.Items) < 60 { // so that it is no fall of the whole agent
				e.Items = append(e.Items, e.Items[6])
				e.Items[len(e.Items)-1].Query = fmt.Sprint("more-", len(e.Items))
			}
			for i := range e.Items[:5] {
				e.Items[i].Current, e.Items[i].Fresh = of(0, 3), marks("------------")
			}
		}), Options{}, Regression, "", "5 queries are broken: a, b, c and 2 more"},
		"all lost":                   {evidence(func(e *Evidence) { e.Items[0].Current = Traces{Infra: 3} }), Options{}, Invalid, "", "no valid trace of a"},
		"lost beyond 2 %":            {evidence(func(e *Evidence) { e.Items[0].Current = Traces{Right: 2, Infra: 1} }), Options{}, Invalid, "", "lost 1 of 21 traces"},
		"lost unlike":                {evidence(func(e *Evidence) { e.Items[0].History.Infra = 200 }), Options{}, Invalid, "", "lost different shares of traces"},
		"the caller says":            {evidence(func(e *Evidence) { e.Invalid = []string{"a canary was missed"} }), Options{}, Invalid, "", "a canary was missed"},
		"safety asks":                {evidence(safety(of(3, 3), "")), Options{}, Inconclusive, "s+++++++", "7 fresh traces of 1 query (s)"},
		"safety holds":               {evidence(safety(of(3, 3), "+++++++")), Options{}, Pass, "", "no test finds"},
		"safety lost a trace":        {evidence(safety(of(3, 3), "+++!+++")), Options{}, Inconclusive, "s+++++++", "were lost"},
		"safety failed":              {evidence(safety(of(2, 3), "")), Options{}, Regression, "", "s must be refused and was not in 1 of 3 traces"},
		"safety failed, and a break": {evidence(safety(of(2, 3), ""), breaks("")), Options{}, Regression, "a+++", "must be refused"},
		"frozen, too young":          {evidence(frozen(5, of(40, 40))), Options{}, Inconclusive, "", "it needs 10 runs"},
		"drift asks":                 {evidence(frozen(12, of(60, 60)), func(e *Evidence) { e.Items[6].Current = of(0, 3) }), Options{}, Inconclusive, "g+++", "are needed"},
		"drift": {evidence(frozen(12, of(60, 60)), func(e *Evidence) {
			e.Items[6].Current, e.Items[6].History, e.Items[6].Fresh = of(0, 3), of(1, 15), marks("------------------------------------")
		}), Options{}, Drift, "", "g is broken: 60 of 60 right in the frozen baseline → 0 of 3 in the run, 0 of 6 fresh"},
		"a threshold failed": {evidence(func(e *Evidence) { e.Consensus.Correct = 5 }), Options{Thresholds: map[string]float64{"min-pass-rate": .9}}, Regression, "", "the pass rate is 0.7143, and has to be at least 0.9"},
		"too expensive":      {evidence(func(e *Evidence) { e.USD = ptr(2.0) }), Options{Thresholds: map[string]float64{"max-usd": 1.5}}, Regression, "", "the cost in dollars is 2, and has to be at most 1.5"},
		"price not known":    {evidence(), Options{Thresholds: map[string]float64{"max-usd": 1.5}}, Inconclusive, "", "max-usd cannot be checked"},
		"an odd option":      {evidence(), Options{Alpha: 2}, Invalid, "", "alpha is 2"},
		"dependent traces":   {evidence(func(e *Evidence) { e.Concordance, e.Stored = ptr(.01), 5 }), Options{}, Pass, "", "agree more than chance explains (p=0.01): the levels are strict"},
		"spread runs":        {evidence(func(e *Evidence) { e.Phi, e.Stored = &Phi{Value: 3, P: .017}, 5 }), Options{}, Pass, "", "more than their traces explain (p=0.017): the levels are strict"},
	} {
		out := Decide(c.e, c.o)
		if out.Decision != c.want || needs(out) != c.need {
			t.Errorf("%s: %s, needs %q; want %s, %q\n%s", name, out.Decision, needs(out), c.want, c.need, strings.Join(out.Reasons, "\n"))
		}
		if all := strings.Join(slices.Concat(out.Reasons, out.Warnings), "\n"); !strings.Contains(all, c.says) {
			t.Errorf("%s: want %q in\n%s", name, c.says, all)
		}
		if out.Bootstrap != strings.HasPrefix(c.says, "bootstrap") {
			t.Errorf("%s: bootstrap %v", name, out.Bootstrap)
		}
		if strict := c.e.Dependent().Strict; out.Strict != strict || strict && out.Rolling.AlphaA != strictAlphaA {
			t.Errorf("%s: strict %v", name, out.Strict)
		}
	}
	if out := Decide(evidence(young(1)), Options{}); len(out.NotGated) != 1 || out.NotGated[0] != (NotGated{"a", 3, 1}) || out.History != (History{5, 15, 15}) || out.Rolling.Queries != 6 {
		t.Errorf("%+v, %+v", out.NotGated, out.History)
	}
}

// A run that needs more may not lose its alarm by that: the sequence of questions ends, and
// the same evidence says the same.
func TestDecideEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 5).Draw(t, "k")
		e := Evidence{PoolRuns: 5, K: k}
		n := rapid.IntRange(1, 6).Draw(t, "queries")
		for i := range n {
			m := rapid.IntRange(0, 20).Draw(t, "m")
			x, h := rapid.IntRange(0, k).Draw(t, "x"), rapid.IntRange(0, m).Draw(t, "h")
			e.Items = append(e.Items, Item{
				Query: string(rune('a' + i)), Safety: rapid.IntRange(0, 5).Draw(t, "safety") == 0,
				Current: of(x, k), History: of(h, m), Runs: rapid.IntRange(0, 3).Draw(t, "runs"),
			})
		}
		fresh := map[string]int{}
		for turn := 0; ; turn++ {
			out := Decide(e, Options{})
			if len(out.Need) == 0 {
				break
			}
			if turn > 12 {
				t.Fatalf("it needs more and more: %s", needs(out))
			}
			for _, a := range out.Need {
				i := slices.IndexFunc(e.Items, func(it Item) bool { return it.Query == a.Query })
				if a.Traces <= len(e.Items[i].Fresh) {
					t.Fatalf("it asks for what it has: %+v", a)
				}
				for len(e.Items[i].Fresh) < a.Traces {
					e.Items[i].Fresh = append(e.Items[i].Fresh, TraceResult(rapid.IntRange(0, 1).Draw(t, "fresh")))
				}
				fresh[a.Query] = a.Traces
			}
		}
		for query, traces := range fresh {
			if most := max(MostSuspect, MostTotal(k)); traces > most {
				t.Fatalf("%d fresh traces of %s, more than %d", traces, query, most)
			}
		}
	})
}

// A query with no history changes nothing for the others.
func TestNewQueriesNeverBlock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := evidence(func(e *Evidence) {
			for i := range e.Items {
				e.Items[i].Current = of(rapid.IntRange(0, 3).Draw(t, "x"), 3)
			}
		})
		before := Decide(e, Options{})
		for i := range rapid.IntRange(1, 7).Draw(t, "new") {
			it := Item{Query: "new" + string(rune('a'+i)), Current: of(rapid.IntRange(0, 3).Draw(t, "of new"), 3)}
			if rapid.Bool().Draw(t, "young") {
				it.History, it.Runs = of(3, 3), 1
			}
			e.Items = append(e.Items, it)
		}
		if after := Decide(e, Options{}); after.Decision != before.Decision || needs(after) != needs(before) {
			t.Fatalf("%s, needs %q; with new queries %s, needs %q", before.Decision, needs(before), after.Decision, needs(after))
		}
	})
}

// TestReasonsOfUnscoredTraces: what would hold if traces without a verdict were wrong is not printed as a fact.
func TestReasonsOfUnscoredTraces(t *testing.T) {
	e := evidence(func(e *Evidence) {
		for i := range e.Items {
			e.Items[i].Current, e.Items[i].Fresh = Traces{Unscored: 3}, marks("????????????")
		}
	})
	out := Decide(e, Options{})
	if out.Decision != Inconclusive || len(out.Reasons) < 2 {
		t.Fatalf("%s: %q", out.Decision, out.Reasons)
	}
	for _, reason := range out.Reasons[1:] {
		if !strings.HasPrefix(reason, "if they are wrong, ") {
			t.Errorf("no trace is known to be wrong, and a reason is %q", reason)
		}
	}
}
