package sent_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/sent"
)

// BenchmarkRead reads a sample of a recording of 20,000 queries.
func BenchmarkRead(b *testing.B) {
	a := plainAgent()
	a.queries = 20_000
	a.system = constant(strings.Repeat("Answer in one word.\n", 100))
	r, conf := a.run(b, "large")
	info, err := os.Stat(filepath.Join(r.Dir, "chat.jsonl"))
	must(b, err)
	b.SetBytes(info.Size())
	for b.Loop() {
		if s := sent.Read(r, conf, sent.Spread(a.ids(), sent.MostQueries)); len(s.Queries) != 200 {
			b.Fatal(len(s.Queries))
		}
	}
}
