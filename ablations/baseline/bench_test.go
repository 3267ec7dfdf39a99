package baseline_test

import (
	"fmt"
	"testing"

	"github.com/seed-5817661a/concur/ablations/baseline"
)

// A hundred runs of twenty queries: about two years of weekly ones.
func BenchmarkBaseline(b *testing.B) {
	d := twenty()
	base := &baseline.Baseline{}
	for i := range 100 {
		p := fullPass(1+i%28, d, "++- ++- ++- ++- ++- ++- ++- ++- ++- ++- +++ +++ +++ +++ +++ +++ +++ +++ +++ +++")
		p.Manifest.Run += fmt.Sprint(i)
		if err := base.Add(baseline.Candidate{Pass: p}, d); err != nil {
			b.Fatal(err)
		}
	}
	text := []byte(encoded(b, base))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		base, err := baseline.Parse("baseline.jsonl", text)
		if err != nil {
			b.Fatal(err)
		}
		if p, _, err := base.Pool("default", 0, 3).Regrade(d); err != nil || len(p.Runs) != 5 {
			b.Fatal(err)
		}
	}
}
