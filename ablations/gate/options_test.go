package gate

import (
	"math"
	"strings"
	"testing"
)

func TestOptionsValidate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		options Options
		queries int
		want    string // part of the error; "" for none
	}{
		{"zero value", Options{}, 0, ""},
		{"alpha 1", Options{Alpha: 1}, 29, "alpha is 1"},
		{"alpha without meaning", Options{Alpha: 1e-10}, 29, "alpha is 1e-10; it must lie between 1e-09 and 1"},
		{"alpha negative", Options{Alpha: -.1}, 29, "alpha is -0.1"},
		{"alpha NaN", Options{Alpha: math.NaN()}, 29, "alpha is NaN"},
		{"strict alone", Options{Strict: true}, 29, ""},
		{"floor in percent", Options{Thresholds: map[string]float64{"floor": 90.0}}, 29, "floor is 90; it goes from 0 to 1"},
		{"rate NaN", Options{Thresholds: map[string]float64{"min-pass-rate": math.NaN()}}, 29, "min-pass-rate is NaN"},
		{"margin negative", Options{Thresholds: map[string]float64{"non-inferiority": -.1}}, 300, "non-inferiority is -0.1"},
		{"margin for few", Options{Thresholds: map[string]float64{"non-inferiority": .05}}, 299, "needs 300 queries and the run has 299"},
		{"margin for enough", Options{Thresholds: map[string]float64{"non-inferiority": .05}}, 300, ""},
		{"dollars", Options{Thresholds: map[string]float64{"max-usd": -1.0}}, 29, "max-usd is -1"},
		{"seconds", Options{Thresholds: map[string]float64{"max-p95": math.Inf(1)}}, 29, "max-p95 is +Inf"},
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

// Thousands of queries with many slips are decided at once.
func TestManyQueries(t *testing.T) {
	t.Parallel()
	e := Evidence{K: 3, PoolRuns: 5}
	for i := range 3000 {
		it := Item{Query: string(rune('一' + i)), Current: of(2+i%2, 3), History: of(13+i%3, 15), Runs: 5}
		if i%30 == 0 {
			it.Current = of(1, 3)
		}
		e.Items = append(e.Items, it)
	}
	out := Decide(e, Options{})
	if out.Decision != Inconclusive || len(out.Need) == 0 || len(out.Rolling.Slips) != 1500 || out.Rolling.Powerless() {
		t.Errorf("%s, needs %d, %d slips, powerless %v", out.Decision, len(out.Need), len(out.Rolling.Slips), out.Rolling.Powerless())
	}
	for _, slip := range out.Rolling.Slips {
		if slip.Suspect != (slip.P <= .20) {
			t.Fatalf("%+v", slip)
		}
	}
}
