package result_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/runner/store"
)

// BenchmarkSummarize sums up 100,000 traces in two configurations.
func BenchmarkSummarize(b *testing.B) {
	for _, k := range []int{1, 3, 9, 64} {
		b.Run(fmt.Sprintf("K=%d", k), func(b *testing.B) {
			draw := rand.New(rand.NewPCG(1, 2))
			queries := 50_000 / k
			var records []store.Record
			for i := range 2 * queries {
				traces := make([]string, k)
				for j := range traces {
					traces[j] = []string{"+a", "+a", "+a", "-b", "-b", "-c", "-d", "0", "!"}[draw.IntN(min(9, 2+i%20))]
				}
				records = append(records, voted([]string{"a", "b"}[i%2], fmt.Sprint("q-", i/2), []string{"lookup", "safety"}[i/2%2], strings.Join(traces, " ")))
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := result.Summarize(manifest(queries, k, "a", "b"), all(records, nil)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
