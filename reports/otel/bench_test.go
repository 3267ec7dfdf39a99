package otel_test

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/seed-5817661a/concur/reports/otel"
)

// BenchmarkDescribe measures the description of a query, and its message: 17 spans and 7 verdicts with 6 exchanges.
func BenchmarkDescribe(b *testing.B) {
	for name, o := range map[string]otel.Options{"names": {}, "content": {Content: true}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				all := described(o)
				for _, m := range []proto.Message{otel.Source{}.Traces(all.Spans), otel.Source{}.Logs(all.Logs)} {
					if _, err := proto.Marshal(m); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
