package stats_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

// The chance that an unchanged system with a rate of .96 shows non-inferiority with one
// trace per item, by enumeration; methods.md §6.2.
func TestNonInferiorOfAnUnchangedSystem(t *testing.T) {
	for _, c := range []struct {
		n            int
		margin, want float64
	}{
		{29, .05, .11}, {29, .10, .44}, {29, .15, .76}, {100, .05, .49}, {100, .10, .95}, {300, .03, .57}, {300, .05, .91},
	} {
		number(t, "chance", chanceOfNonInferior(t, c.n, c.margin), true, c.want, .00501)
	}
}

func chanceOfNonInferior(t *testing.T, n int, margin float64) float64 {
	const lost = .96 * .04
	sum := 0.0
	for loss := range n + 1 {
		for gain := range n - loss + 1 {
			p := math.Exp(logMultinomial(n, loss, gain) + float64(loss+gain)*math.Log(lost) +
				float64(n-loss-gain)*math.Log1p(-2*lost))
			if p < 1e-9 {
				continue
			}
			_, shown, ok := stats.NonInferior(n, loss, gain, margin, .95)
			if !ok {
				t.Fatalf("NonInferior(%d, %d, %d) is undefined", n, loss, gain)
			}
			if shown {
				sum += p
			}
		}
	}
	return sum
}

func logMultinomial(n, a, b int) float64 {
	log := func(n int) float64 { v, _ := math.Lgamma(float64(n + 1)); return v }
	return log(n) - log(a) - log(b) - log(n-a-b)
}

func TestNonInferiorProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 2000).Draw(t, "n")
		loss := rapid.IntRange(0, n).Draw(t, "loss")
		gain := rapid.IntRange(0, n-loss).Draw(t, "gain")
		margin := rapid.Float64Range(0, 1).Draw(t, "margin")
		lower, shown, ok := stats.NonInferior(n, loss, gain, margin, .95)
		tango, _ := stats.Tango(n, loss, gain, .9)
		if !ok || !near(lower, tango.Low, 1e-12) || shown != (lower > -margin) {
			t.Fatalf("%v, %v, %v; Tango %v", lower, shown, ok, tango)
		}
		if loss > 0 {
			better, _, _ := stats.NonInferior(n, loss-1, gain, margin, .95)
			if better < lower-1e-12 {
				t.Fatalf("one loss less moves the bound from %v to %v", lower, better)
			}
		}
	})
}

func TestNonInferiorEdges(t *testing.T) {
	if lower, shown, ok := stats.NonInferior(0, 0, 0, 1, .95); !ok || lower != -1 || shown {
		t.Errorf("without items: %v, %v, %v", lower, shown, ok)
	}
	for _, c := range []struct {
		n, loss, gain int
		margin, level float64
	}{
		{3, 2, 2, .1, .95}, {3, -1, 0, .1, .95}, {3, 0, 0, -.1, .95}, {3, 0, 0, 1.1, .95}, {3, 0, 0, math.NaN(), .95},
		{3, 0, 0, .1, .5}, {3, 0, 0, .1, 1}, {3, 0, 0, .1, math.NaN()},
	} {
		if lower, shown, ok := stats.NonInferior(c.n, c.loss, c.gain, c.margin, c.level); ok || shown {
			t.Errorf("NonInferior(%+v) = %v, %v, want undefined", c, lower, shown)
		}
	}
}
