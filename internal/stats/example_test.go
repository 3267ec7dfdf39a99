package stats_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/stats"
)

func ExampleWilson() {
	low, high := stats.Wilson(27, 29, 0.95)
	fmt.Printf("27/29: %.4f to %.4f\n", low, high)
	low, high = stats.Wilson(0, 0, 0.95)
	fmt.Printf("0/0: %.0f to %.0f\n", low, high)
	// Output:
	// 27/29: 0.7804 to 0.9809
	// 0/0: 0 to 1
}

func ExampleClopperPearsonLower() {
	low, _ := stats.ClopperPearsonLower(29, 29, 0.95)
	fmt.Printf("at least %.1f %%\n", 100*low)
	// Output: at least 90.2 %
}

// Queries about the same document succeed and fail together.
func ExampleClusteredError() {
	var scores stats.Values
	for i, document := range []string{"a", "a", "a", "b", "b", "b", "c", "c", "d", "e", "e", "e"} {
		scores.Add([]float64{1, 1, 1, 0, 0, 1, 1, 1, 0, 1, 0, 1}[i], document, 1)
	}
	c, _ := stats.ClusteredError(&scores)
	fmt.Printf("%.3f ± %.3f in %d clusters\n", c.Mean, c.SE, c.Clusters)

	fmt.Println("enough clusters for an interval:", c.Enough())
	// Output:
	// 0.667 ± 0.160 in 5 clusters
	// enough clusters for an interval: false
}

// A mean over K traces per query is no x of n, but has the interval of as many yes-or-no trials as would have its error.
func ExampleEffectiveInterval() {
	i, _ := stats.EffectiveInterval(0.42, 0.0522, 50, 0.95)
	fmt.Printf("%.4f to %.4f\n", i.Low, i.High)
	// Output: 0.3231 to 0.5235
}

// Four queries lost and one gained, of 29: is the new configuration worse?
func ExampleMcNemar() {
	p, _ := stats.McNemar(4, 1, stats.MidP)
	i, _ := stats.Tango(29, 4, 1, 0.95)
	mde, _ := stats.MDE(29, 27./29, .05)
	fmt.Printf("%+.3f [%+.3f, %+.3f], p = %.3f; a drop below %.2f would be missed\n", -3./29, i.Low, i.High, p, mde)
	// Output: -0.103 [-0.281, +0.062], p = 0.219; a drop below 0.30 would be missed
}

func ExampleSignFlipTest() {
	// Differences of item means over K = 3 traces.
	differences := []float64{-1, -2. / 3, -1. / 3, 0, 0, -1. / 3, 1. / 3, -2. / 3, 0, -1. / 3}
	p, _ := stats.SignFlipTest(differences, 1, stats.DefaultDraws)
	fmt.Printf("p = %.6f\n", p)
	// Output: p = 0.078125
}

func ExampleHolm() {
	adjusted, _ := stats.Holm([]float64{.01, .04, .03, .005})
	fmt.Printf("%.2f\n", adjusted)
	// Output: [0.03 0.06 0.06 0.02]
}

func ExampleCalibrate() {
	answers := []stats.Graded{{1, true}, {1, true}, {1, true}, {2. / 3, true}, {2. / 3, false}, {1. / 3, false}}
	c, _ := stats.Calibrate(answers)
	fmt.Printf("ECE %.3f, Brier %.3f, AURC %.3f\n", c.ECE, c.Brier, c.AURC)
	for _, p := range c.Levels {
		fmt.Printf("from %.2f: answers %.2f, wrong %.2f\n", p.Confidence, p.Coverage, p.Risk)
	}
	// Output:
	// ECE 0.111, Brier 0.111, AURC 0.110
	// from 1.00: answers 0.50, wrong 0.00
	// from 0.67: answers 0.83, wrong 0.20
	// from 0.33: answers 1.00, wrong 0.33
}
