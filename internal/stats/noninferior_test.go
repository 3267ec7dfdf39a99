package stats_test

import (
	"math"
	"testing"

	"github.com/seed-5817661a/concur/internal/stats"
)

// The chance that an unchanged system with a rate of .96 shows non-inferiority with one
// trace per item, by enumeration; docs/method.md §6.2.
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
			i, ok := stats.Tango(n, loss, gain, .90)
			if !ok {
				t.Fatalf("Tango(%d, %d, %d) is undefined", n, loss, gain)
			}
			if i.Low > -margin {
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
