package gate_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/gate"
)

func TestOptionsValidate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		options gate.Options
		queries int
		want    string // part of the error; "" for none
	}{
		{"zero value", gate.Options{}, 0, ""},
		{"alpha 1", gate.Options{Alpha: 1}, 29, "alpha is 1"},
		{"alpha negative", gate.Options{Alpha: -.1}, 29, "alpha is -0.1"},
		{"alpha NaN", gate.Options{Alpha: math.NaN()}, 29, "alpha is NaN"},
		{"replicate", gate.Options{Replicate: 3}, 29, "unknown way 3"},
		{"strict alone", gate.Options{Strict: true}, 29, ""},
		{"strict, off", gate.Options{Strict: true, Replicate: gate.ReplicateOff}, 29, "needs a second pass"},
		{"floor in percent", gate.Options{Floor: ptr(90.0)}, 29, "floor is 90; it is a fraction"},
		{"rate NaN", gate.Options{MinPassRate: ptr(math.NaN())}, 29, "min pass rate is NaN"},
		{"margin negative", gate.Options{NonInferiority: ptr(-.1)}, 300, "non-inferiority margin is -0.1"},
		{"margin for few", gate.Options{NonInferiority: ptr(.05)}, 299, "needs 300 queries and the run has 299"},
		{"margin for enough", gate.Options{NonInferiority: ptr(.05)}, 300, ""},
		{"losses", gate.Options{MaxLosses: ptr(-1)}, 29, "max losses is -1"},
		{"dollars", gate.Options{MaxUSD: ptr(-1.0)}, 29, "max usd is -1"},
		{"seconds", gate.Options{MaxP95S: ptr(math.Inf(1))}, 29, "max p95 seconds is +Inf"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			err := c.options.Validate(c.queries)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("said %v, want %q", err, c.want)
			}
		})
	}
}

// Thousands of queries with many suspects are decided at once, and what is asked for stays
// what is needed.
func TestManyQueries(t *testing.T) {
	t.Parallel()
	e := gate.Evidence{PoolRuns: 5}
	for i := range 3000 {
		it := gate.Item{Query: string(rune('一' + i)), Current: of(2+i%2, 3), History: of(13+i%3, 15)}
		if i%30 == 0 {
			it.Current = of(1, 3)
		}
		e.Items = append(e.Items, it)
	}
	out := gate.Decide(e, gate.Options{})
	if out.Decision != gate.Inconclusive || len(out.Need.Confirm) != 100 || out.Need.Traces() != 600 || !out.Rolling.Screen.Powerless {
		t.Errorf("%s, needs %d confirmations, powerless %v", out.Decision, len(out.Need.Confirm), out.Rolling.Screen.Powerless)
	}
}
