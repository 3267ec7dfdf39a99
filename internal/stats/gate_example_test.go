package stats_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/stats"
)

// Three traces per query now, nine in the history: was something lost?
func ExampleStratified() {
	tails, _ := stats.Stratified([]stats.Stratum{
		{X: 3, K: 3, H: 9, M: 9},
		{X: 3, K: 3, H: 9, M: 9},
		{X: 2, K: 3, H: 8, M: 9},
		{X: 1, K: 3, H: 9, M: 9},
		{X: 0, K: 3, H: 7, M: 9},
	}, func(stats.Stratum) int { return 1 })
	fmt.Printf("mid-p = %.4f\n", tails.Below+tails.At/2)
	// Output: mid-p = 0.0013
}

// A query that always succeeded fails four of six fresh traces.
func ExampleFreshItem() {
	p, _ := stats.FreshItem(2, 6, 15, 15)
	least, _ := stats.FreshItem(0, 6, 15, 15)
	fmt.Printf("p = %.4f, at best %.5f\n", p, least)
	// Output: p = 0.0025, at best 0.00002
}

// Do the means of four runs differ by more than chance?
func ExampleDispersion() {
	right := [][]int{{3, 2, 1}, {3, 3, 2}, {3, 1, 2}, {2, 2, 1}}
	of := [][]int{{3, 3, 3}, {3, 3, 3}, {3, 3, 3}, {3, 3, 3}}
	phi, _ := stats.Dispersion(right, of)
	fmt.Printf("phi = %.2f [%.2f, %.2f]\n", phi.Value, phi.Low, phi.High)
	// Output: phi = 0.88 [0.28, 12.26]
}

// Traces of a run that always agree look like copies.
func ExampleConcordance() {
	yes, no := []bool{true, true, true}, []bool{false, false, false}
	p, _ := stats.Concordance([][][]bool{{yes, no}, {no, yes}, {yes, yes}, {no, yes}}, 1, 9999)
	fmt.Println("copies:", p < 0.01)
	// Output: copies: true
}
