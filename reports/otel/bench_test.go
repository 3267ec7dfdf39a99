package otel_test

import (
	"testing"

	"github.com/seed-5817661a/concur/reports/otel"
)

// BenchmarkDescribe measures the description of a query, and its message: 17 spans and 7 verdicts with 6 exchanges.
func BenchmarkDescribe(b *testing.B) {
	for name, o := range map[string]otel.Options{"names": {}, "content": {Content: true}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				all := described(o)
				if len(otel.Source{}.Traces(all.Spans).Body)+len(otel.Source{}.Logs(all.Logs).Body) == 0 {
					b.Fatal("no spans")
				}
			}
		})
	}
}
