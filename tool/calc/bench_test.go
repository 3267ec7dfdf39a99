package calc_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/tool/calc"
)

// BenchmarkRefusal shows that expressions beyond the limits are refused without work.
func BenchmarkRefusal(b *testing.B) {
	for name, expression := range map[string]string{
		"tower":    "9**9**9",
		"negative": "2**-99999999",
		"literal":  "1e999999999",
		"nesting":  strings.Repeat("(", 1000),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := calc.Eval(expression); err == nil {
					b.Fatal("evaluated")
				}
			}
		})
	}
}

// BenchmarkWorst measures the slowest known expressions within the limits.
func BenchmarkWorst(b *testing.B) {
	for name, expression := range map[string]string{
		"sums":   strings.Repeat("7/9**9999-", 90) + "1",
		"ratios": strings.Repeat("9**9999/7**9999-", 60) + "1",
		"roots":  strings.Repeat("(7**11000)**(1/11)+", 50) + "1",
		"powers": strings.Repeat("3**20000%", 100) + "7",
		"print":  "1/2**33219",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := calc.Eval(expression); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
