package queries_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
)

// BenchmarkSet measures opening a set, its hash and one reading of it, by query.
func BenchmarkSet(b *testing.B) {
	const n = 20_000
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `{"id":"q%07d","category":"sum%d","query":"What is %d + %d?","gold":{"type":"integer","answer":%d}}`+"\n",
			i, i%4, i, i, 2*i)
	}
	source := written(b, "many.jsonl", text.String())
	set := open(b, source, datasets.Part{})
	for name, do := range map[string]func() error{
		"open": func() error {
			s, err := queries.Open(source, datasets.Part{})
			if err == nil {
				err = s.Close()
			}
			return err
		},
		"hash": func() error { _, err := set.Hash(); return err },
		"read": func() (err error) {
			for _, err = range set.Queries() {
				if err != nil {
					break
				}
			}
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := do(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/query")
		})
	}
}
