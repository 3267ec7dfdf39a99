package stats_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"
)

// gateVectors are those of the gate's statistics, in a file of their own.
func gateVectors[T any](t *testing.T, family string) T {
	t.Helper()
	data, err := os.ReadFile("testdata/gate.json")
	if err != nil {
		t.Fatal(err)
	}
	var families map[string]json.RawMessage
	if err := json.Unmarshal(data, &families); err != nil {
		t.Fatal(err)
	}
	var out T
	if err := json.Unmarshal(families[family], &out); err != nil {
		t.Fatalf("read family %s: %v", family, err)
	}
	return out
}

// gold29 are the rates that methods.md §6 calculates with.
func gold29() []float64 {
	rates := make([]float64, 29)
	for i := range rates {
		switch {
		case i < 24:
			rates[i] = .995
		case i < 27:
			rates[i] = .9
		default:
			rates[i] = .6
		}
	}
	return rates
}

// simulate draws runs of k traces of each item.
func simulate(random *rand.Rand, rates []float64, runs, k int) [][][]bool {
	out := make([][][]bool, runs)
	for r := range out {
		out[r] = make([][]bool, len(rates))
		for i, p := range rates {
			out[r][i] = make([]bool, k)
			for t := range out[r][i] {
				out[r][i][t] = random.Float64() < p
			}
		}
	}
	return out
}
