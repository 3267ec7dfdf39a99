package gate_test

import (
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// What the gate said once is not undone by asking for less.
func TestAddHearsAllDecisions(t *testing.T) {
	t.Parallel()
	d := smallSet()
	said := func(d gate.Decision, change ...func(*gate.Asked)) gate.Asked {
		a := gate.Asked{Decision: d, Alpha: gate.DefaultAlpha, At: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)}
		for _, f := range change {
			f(&a)
		}
		return a
	}
	alpha := func(v float64) func(*gate.Asked) { return func(a *gate.Asked) { a.Alpha = v } }
	noConfirm := func(a *gate.Asked) { a.NoConfirm = true }
	off := func(a *gate.Asked) { a.Replicate = gate.ReplicatedOff }
	bootstrap := func(a *gate.Asked) { a.Bootstrap = true }
	fewer := func(a *gate.Asked) { a.PoolRuns = 1 }
	firm := func(a *gate.Asked) { a.Firm = true }
	for name, c := range map[string]struct {
		said []gate.Asked
		want string // part of the error; "" where the run is accepted
	}{
		"pass":                               {[]gate.Asked{said(gate.Pass)}, ""},
		"bootstrap":                          {[]gate.Asked{said(gate.Inconclusive, bootstrap)}, ""},
		"open":                               {[]gate.Asked{said(gate.Inconclusive)}, "said INCONCLUSIVE on 2026-03-02 10:00, and not for lack of history alone"},
		"open, then pass":                    {[]gate.Asked{said(gate.Inconclusive), said(gate.Pass)}, ""},
		"open without fresh traces":          {[]gate.Asked{said(gate.Inconclusive, noConfirm), said(gate.Pass)}, ""},
		"open, then without fresh traces":    {[]gate.Asked{said(gate.Inconclusive), said(gate.Pass, noConfirm)}, "said INCONCLUSIVE"},
		"open, then a smaller alpha":         {[]gate.Asked{said(gate.Inconclusive), said(gate.Pass, alpha(.01))}, "said INCONCLUSIVE"},
		"always a smaller alpha":             {[]gate.Asked{said(gate.Inconclusive, alpha(.01)), said(gate.Pass, alpha(.01))}, ""},
		"invalid, then pass":                 {[]gate.Asked{said(gate.Invalid), said(gate.Pass)}, ""},
		"invalid, then open":                 {[]gate.Asked{said(gate.Invalid), said(gate.Inconclusive)}, "said INVALID"},
		"against fewer runs":                 {[]gate.Asked{said(gate.Inconclusive, bootstrap, fewer)}, "said INCONCLUSIVE"},
		"open, then against fewer runs":      {[]gate.Asked{said(gate.Inconclusive), said(gate.Pass, fewer)}, "said INCONCLUSIVE"},
		"provisional, then bootstrap":        {[]gate.Asked{said(gate.Regression, off), said(gate.Inconclusive, bootstrap)}, "said REGRESSION"},
		"firm though not replicated":         {[]gate.Asked{said(gate.Regression, off, firm), said(gate.Pass)}, "said REGRESSION"},
		"invalid, then without fresh traces": {[]gate.Asked{said(gate.Invalid), said(gate.Pass, noConfirm)}, "said INVALID"},
		"regression, then pass":              {[]gate.Asked{said(gate.Regression), said(gate.Pass)}, "said REGRESSION"},
		"regression, then a smaller alpha":   {[]gate.Asked{said(gate.Regression), said(gate.Pass, alpha(.001))}, "said on 2026-03-02 10:00 at alpha 0.02; that it said PASS"},
		"regression, then no confirm":        {[]gate.Asked{said(gate.Regression), said(gate.Pass, noConfirm)}, "said REGRESSION"},
		"not replicated, then pass":          {[]gate.Asked{said(gate.Regression, noConfirm), said(gate.Pass)}, ""},
		"replication off, then pass":         {[]gate.Asked{said(gate.Regression, off), said(gate.Pass)}, ""},
		"not replicated, a smaller alpha":    {[]gate.Asked{said(gate.Regression, noConfirm, alpha(.05)), said(gate.Pass)}, "said REGRESSION"},
		"drift, then open":                   {[]gate.Asked{said(gate.Drift), said(gate.Inconclusive)}, "said DRIFT"},
		"the most severe":                    {[]gate.Asked{said(gate.Drift), said(gate.Regression), said(gate.Invalid), said(gate.Pass)}, "said REGRESSION"},
		"no such word":                       {[]gate.Asked{said("PASSED")}, "not known"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := &gate.Baseline{}
			candidate := gate.Candidate{Passes: []gate.RunPass{fullPass(2, d, "+++ +++ +++")}, Decision: c.said[len(c.said)-1].Decision, Decisions: c.said}
			err := b.Add(candidate, d)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Fatalf("got %v, want %q in it", err, c.want)
			}
			if c.want == "" {
				if got := parsed(t, encoded(t, b)).Runs[0].Decision; got == nil || *got != candidate.Decision {
					t.Errorf("recorded %v", got)
				}
				return
			}
			candidate.Override = &gate.Override{Reason: "a false alarm", Author: "ann"}
			if err := b.Add(candidate, d); err != nil && name != "no such word" {
				t.Errorf("with an override: %v", err)
			}
		})
	}
}

func TestBootstrap(t *testing.T) {
	t.Parallel()
	short := item(2, history(5, 5))
	unscored := item(0, func(it *gate.Item) { it.Current = gate.Traces{Right: 2, Unscored: 1} })
	for _, c := range []struct {
		name     string
		evidence gate.Evidence
		options  gate.Options
		want     bool
		first    string // reason
	}{
		{"pass", evidence(), gate.Options{}, false, "no test"},
		{"short history", evidence(short), gate.Options{}, true, "bootstrap"},
		{"no history, and safety wants traces", evidence(every(history(5, 5)), item(0, safety(3, 3))), gate.Options{}, true, "bootstrap"},
		{"short history, and safety wants traces", evidence(short, item(0, safety(3, 3))), gate.Options{}, false, "bootstrap"},
		{"short history, and a suspect among the others", evidence(short, item(0, current(1, 3))), gate.Options{}, false, "bootstrap"},
		{"short history, and the others are broken", evidence(short, item(0, with(current(1, 3), fresh(0, 6)))), gate.Options{}, false, "a is broken"},
		{"short history, and the others worse", evidence(short, worse), gate.Options{}, false, "bootstrap"},
		{"short history, and fresh traces were lost", evidence(short, item(0, with(safety(3, 3), lossy(6, 1), replica(3, 3)))), gate.Options{}, false, "bootstrap"},
		{"safety wants traces", evidence(item(0, safety(3, 3))), gate.Options{}, false, "a must be refused"},
		{"short history, and safety lost traces", evidence(short, item(0, with(safety(3, 3), lossy(5, 2)))), gate.Options{}, false, "bootstrap"},
		{"short history, and unscored", evidence(short, unscored), gate.Options{}, true, "bootstrap"},
		{"short history, and a price unknown", evidence(short), gate.Options{MaxUSD: ptr(1.0)}, false, "bootstrap"},
		{"no accepted run to lose against", evidence(every(with(history(0, 0), func(it *gate.Item) { it.Last = nil }))), gate.Options{MaxLosses: ptr(1)}, true, "bootstrap"},
		{"short history, and a short frozen one", evidence(short, frozen(3, 9, 9)), gate.Options{}, false, "bootstrap"},
		{"short history, and a threshold", evidence(short), gate.Options{MaxP95S: ptr(1.0)}, false, "bootstrap"},
		{"short history, and below the floor", evidence(short, func(e *gate.Evidence) { e.Consensus.Correct = 0 }), gate.Options{Floor: ptr(.9)}, false, "the pass rate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out := gate.Decide(c.evidence, c.options)
			if c.want && (out.Rolling == nil || out.Rolling.Against != "pool" || out.Rolling.Run.Traces == 0) {
				t.Errorf("what little history there is says %+v", out.Rolling)
			}
			if out.Bootstrap != c.want || !strings.HasPrefix(out.Reasons[0], c.first) {
				t.Errorf("%s, bootstrap %v: %q", out.Decision, out.Bootstrap, out.Reasons)
			}
		})
	}
}

// One query without history leaves the others guarded, however often it is added.
func TestANewQueryLeavesTheOthersGuarded(t *testing.T) {
	t.Parallel()
	added := func(e *gate.Evidence) {
		e.Items = append(e.Items, gate.Item{Query: "new", Current: of(0, 3)})
		e.Consensus.Queries++
	}
	for _, c := range []struct {
		name     string
		evidence gate.Evidence
		want     gate.Decision
		reason   string // the first
		need     string
	}{
		{"nothing found", evidence(added), gate.Inconclusive, "bootstrap: fewer than 6 traces of history of 1 query (new)", ""},
		{"a suspect", evidence(added, item(0, current(0, 3))), gate.Inconclusive, "bootstrap", "confirm a 6"},
		{"broken", evidence(added, item(0, with(current(0, 3), fresh(0, 6)))), gate.Regression, "a is broken", ""},
		{"sound after all", evidence(noisy, added, item(0, with(current(1, 3), fresh(6, 6)))), gate.Inconclusive, "bootstrap", ""},
		{"worse over all", evidence(worse, added), gate.Inconclusive, "bootstrap", "replicate"},
		{"worse again", evidence(worse, every(replica(2, 3)), added), gate.Regression, "worse than the pool", ""},
		{"drift", evidence(every(with(current(4, 5), history(12, 15), replica(4, 5))), frozen(10, 150, 150), added), gate.Drift, "worse than the frozen", ""},
		{"a pool of one run, and drift", evidence(every(with(current(4, 5), history(12, 15), replica(4, 5))), frozen(10, 150, 150), func(e *gate.Evidence) { e.PoolRuns = 1 }), gate.Drift, "worse than the frozen", ""},
	} {
		out := gate.Decide(c.evidence, gate.Options{})
		if out.Decision != c.want || !strings.HasPrefix(out.Reasons[0], c.reason) || inShort(out.Need) != c.need {
			t.Errorf("%s: %s, needs %q: %q", c.name, out.Decision, inShort(out.Need), out.Reasons)
		}
		if out.Rolling == nil || out.History.Runs > 1 && out.Rolling.Run.Traces != 3*5 && c.name != "drift" {
			t.Errorf("%s: against the pool %+v", c.name, out.Rolling)
		}
	}
	cfg := gate.SimConfigOf(evidence(added), gate.Options{})
	if len(cfg.Histories) != 5 || len(gate.Rates(evidence(added))) != 5 {
		t.Errorf("simulated are %v", cfg.Histories)
	}
}

func TestLosses(t *testing.T) {
	t.Parallel()
	e := evidence(worse, item(0, with(current(3, 3))), item(3, history(9, 15)))
	out := gate.Decide(e, gate.Options{Replicate: gate.ReplicateOff, Alpha: .2})
	if out.Decision != gate.Regression || len(out.Losses) != 3 {
		t.Fatalf("%s, losses %+v", out.Decision, out.Losses)
	}
	first := out.Losses[0]
	// 17 of 18 are right in all, so that 3·17/18 are expected of the run.
	if first.Query != "b" || first.Right != 2 || first.Traces != 3 || first.HistoryRight != 15 || first.History != 15 {
		t.Errorf("the first loss is %+v", first)
	}
	near(t, "expected", &first.Expected, 3*17.0/18, 1e-12)
	if len(out.Reasons) != 2 || !strings.Contains(out.Reasons[1], "most was lost on b (2 of 3, before 15 of 15)") || !strings.Contains(out.Reasons[1], "concur trace") {
		t.Errorf("reasons %q", out.Reasons)
	}
	many := evidence(func(e *gate.Evidence) {
		for range 2 {
			e.Items = append(e.Items, e.Items...)
		}
	}, worse, every(replica(2, 3)))
	for i := range many.Items {
		many.Items[i].Query = string(rune('a' + i))
	}
	many.Consensus.Queries = len(many.Items)
	many.Items[17].Current = of(1, 3)
	many.Items[17].Fresh = ptr(of(6, 6))
	out = gate.Decide(many, gate.Options{})
	if len(out.Losses) != 8 || out.Losses[0].Query != "r" || out.Losses[0].Traces != 6 || out.Losses[1].Query != "a" {
		t.Errorf("losses of both passes %+v", out.Losses)
	}
	if b := gate.Decide(evidence(item(0, with(current(1, 3), fresh(0, 6)))), gate.Options{}); len(b.Losses) != 0 || b.Losses == nil {
		t.Errorf("Test B names what broke, and losses are %+v", b.Losses)
	}
}
