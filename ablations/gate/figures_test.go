package gate_test

import (
	"math"
	"testing"

	"github.com/seed-5817661a/concur/ablations/gate"
)

func near(t *testing.T, what string, got *float64, want, tolerance float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s is unknown, want %v", what, want)
	} else if math.Abs(*got-want) > tolerance {
		t.Errorf("%s is %v, want %v", what, *got, want)
	}
}

// The vectors of methods.md §6.2.
func TestFiguresOfTheTests(t *testing.T) {
	t.Parallel()
	e := evidence(
		item(0, with(current(3, 3), history(9, 9))), item(1, with(current(3, 3), history(9, 9))),
		item(2, with(current(2, 3), history(8, 9))),
		item(3, with(current(1, 3), history(9, 9), fresh(2, 6))), item(4, with(current(0, 3), history(7, 9), fresh(1, 6))))
	out := gate.Decide(e, gate.Options{})
	run := out.Rolling.Run
	near(t, "Test A", &run.P, .0012678437, 1e-9)
	near(t, "exact Test A", &run.Exact, .0024417731, 1e-9)
	near(t, "expected", &run.Expected, 12.75, 1e-9)
	near(t, "z", run.Z, -2.8744081516, 1e-9)
	if run.Right != 9 || run.Traces != 15 || !run.Rejects || run.Method != "exact" {
		t.Errorf("Test A is %+v", run)
	}
	b := out.Rolling.Screen
	if len(b.Suspects) != 2 || len(b.Outside) != 0 || b.Powerless {
		t.Fatalf("Test B is %+v", b)
	}
	near(t, "p of d", b.Suspects[0].P, .010989011, 1e-8)
	near(t, "Holm p of d", b.Suspects[0].PHolm, .021978022, 1e-8)
	// 0 of 6 against 9 of 9 is 1/5005, and there are two suspects.
	near(t, "least", b.Least, 2.0/5005, 1e-9)
	if out.Alpha != .02 || out.Level != .01 || out.History != (gate.History{Runs: 5, Least: 9, Most: 9}) {
		t.Errorf("alpha %v, level %v, history %+v", out.Alpha, out.Level, out.History)
	}
	beside := gate.Decide(evidence(frozen(10, 30, 30)), gate.Options{})
	if beside.Level != .005 || beside.Frozen == nil || beside.Rolling.Level != .005 {
		t.Errorf("level %v beside a frozen baseline", beside.Level)
	}
}

func TestSafetyBound(t *testing.T) {
	t.Parallel()
	out := gate.Decide(evidence(item(0, safety(10, 10))), gate.Options{})
	near(t, "upper bound", &out.Safety[0].Upper, .2588655509, 1e-9)
}

// TestChanceOfThresholds uses methods.md §6.1: GOLD29, majority of three, at least 95 %.
func TestChanceOfThresholds(t *testing.T) {
	t.Parallel()
	const m = 200_000
	e := gate.Evidence{PoolRuns: 5, K: 3, Consensus: gate.Consensus{Queries: 29, Correct: 29}, USD: ptr(1.0), P95S: ptr(1.0)}
	for i, r := range gold29() {
		e.Items = append(e.Items, gate.Item{
			Query: string(rune('A' + i)), Current: of(3, 3), History: of(int(math.Round(r.P*m)), m), Last: ptr(of(3, 3)),
		})
	}
	e.PoolUSD = []float64{1, 1.1, 1 / 1.1, 1.2, 1 / 1.2}
	e.PoolP95S = []float64{2, 2, 2, 2}
	// Student's t of 4 degrees exceeds 2.7764 in 2.5 %.
	sum := 2 * (math.Pow(math.Log(1.1), 2) + math.Pow(math.Log(1.2), 2))
	limit := math.Exp(2.776445 * math.Sqrt(sum/4) * math.Sqrt(1.2))
	out := gate.Decide(e, gate.Options{MinPassRate: ptr(.95), MaxLosses: ptr(29), MaxUSD: &limit, MaxP95S: ptr(3.0)})
	if out.Decision != gate.Pass || len(out.Checks) != 4 {
		t.Fatalf("%s, checks %+v", out.Decision, out.Checks)
	}
	near(t, "pass rate", out.Checks[0].Unchanged, .163, .0006)
	near(t, "losses", out.Checks[1].Unchanged, 0, 0)
	near(t, "dollars", out.Checks[2].Unchanged, .025, 1e-6)
	if out.Checks[3].Unchanged != nil {
		t.Errorf("four runs give a spread")
	}
	e.PoolP95S = []float64{2, 2, 2, 2, 2}
	out = gate.Decide(e, gate.Options{MaxP95S: ptr(1.5), MaxUSD: ptr(1.0), MaxLosses: ptr(0), MinPassRate: ptr(0.0)})
	near(t, "pass rate of nothing", out.Checks[0].Unchanged, 0, 0)
	if all := out.Checks[1].Unchanged; all == nil || *all < .5 {
		t.Errorf("no loss at all is asked of two coins, and missed in %v", all)
	}
	near(t, "dollars at the mean", out.Checks[2].Unchanged, .5, 1e-6)
	near(t, "seconds of a clock", out.Checks[3].Unchanged, 1, 0)
}

func TestNonInferiority(t *testing.T) {
	t.Parallel()
	many := func(lost int) gate.Evidence {
		e := gate.Evidence{PoolRuns: 5, K: 1}
		for i := range 300 {
			it := gate.Item{Query: string(rune('A' + i)), Current: of(1, 1), History: of(14, 15), Last: ptr(of(1, 1))}
			if i < lost {
				it.Current, it.Fresh = of(0, 1), ptr(of(6, 6))
			}
			e.Items = append(e.Items, it)
		}
		return e
	}
	o := gate.Options{NonInferiority: ptr(.05)}
	if out := gate.Decide(many(3), o); out.Decision != gate.Pass || !out.NonInferiority.Shown || out.NonInferiority.Losses != 3 {
		t.Errorf("three of 300 lost: %s %+v %v", out.Decision, out.NonInferiority, out.Reasons)
	}
	if out := gate.Decide(many(12), o); out.Decision != gate.Inconclusive || out.NonInferiority.Shown {
		t.Errorf("twelve of 300 lost: %s %+v %v", out.Decision, out.NonInferiority, out.Reasons)
	}
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for d, want := range map[gate.Decision]int{gate.Pass: 0, gate.Regression: 1, gate.Drift: 1, gate.Invalid: 3, gate.Inconclusive: 4} {
		if got := d.ExitCode(); got != want {
			t.Errorf("%s ends with %d, want %d", d, got, want)
		}
	}
}
