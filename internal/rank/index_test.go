package rank_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-5817661a/concur/internal/rank"
)

func TestSearch(t *testing.T) {
	x := rank.NewIndex([]string{"Cats and dogs", "A dog", "Birds sing", "a dog, a dog and a long list of other words", ""})
	documents := func(query string, limit int, keep func(int) bool) []int {
		out := []int{}
		for _, h := range x.Search(query, limit, keep) {
			out = append(out, h.Document)
		}
		return out
	}
	for _, c := range []struct {
		query string
		limit int
		keep  func(int) bool
		want  []int
	}{
		{"dogs", 9, nil, []int{1, 0, 3}},
		{"dogs dogs", 2, nil, []int{1, 0}},
		{"dog", 9, func(d int) bool { return d != 1 }, []int{0, 3}},
		{"singing birds", 9, nil, []int{2}},
		{"fish", 9, nil, []int{}}, {"", 9, nil, []int{}}, {"dog", 0, nil, []int{}}, {"dog", -1, nil, []int{}},
	} {
		if d := cmp.Diff(c.want, documents(c.query, c.limit, c.keep)); d != "" {
			t.Errorf("%q, %d: %s", c.query, c.limit, d)
		}
	}
	if hits := rank.NewIndex(nil).Search("dog", 3, nil); len(hits) != 0 {
		t.Errorf("an empty collection has %v", hits)
	}
}

// TestScore computes one score by hand: 2 documents of 1 and 3 terms, df 1, so
// idf = ln(1 + 1.5/1.5) = ln 2, and for tf 1 in 3 of 2 terms on average ln 2 · 2.2/(1 + 1.2·1.375) = 0.575443.
func TestScore(t *testing.T) {
	hit := rank.NewIndex([]string{"one", "two three four"}).Search("three", 1, nil)[0]
	if got, want := fmt.Sprintf("%.6f", hit.Score), "0.575443"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestFewOfMany: a short list is the beginning of a long one.
func TestFewOfMany(t *testing.T) {
	texts := sentences(300)
	x := rank.NewIndex(texts)
	for _, query := range texts[:50] {
		all := x.Search(query, len(texts), nil)
		for _, k := range []int{0, 1, 2, 7} {
			if d := cmp.Diff(all[:min(k, len(all))], x.Search(query, k, nil), cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("%d of %d: %s", k, len(all), d)
			}
		}
	}
}

func TestNearest(t *testing.T) {
	vectors := [][]float32{{1, 0}, {1, 1}, {0, 1}, {-1, 0}, nil, {1, 0, 0}, {0, 0}}
	var got []string
	for _, h := range rank.Nearest([]float32{2, 0}, vectors, 9, nil) {
		got = append(got, fmt.Sprintf("%d %.3f", h.Document, h.Score))
	}
	if d := cmp.Diff([]string{"0 1.000", "1 0.707"}, got); d != "" {
		t.Error(d)
	}
}

// sentences makes texts of 20 words with Zipf's frequencies.
func sentences(n int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	words := rand.NewZipf(r, 1.1, 4, 20_000)
	out := make([]string, n)
	for i := range out {
		var b strings.Builder
		for range 20 {
			fmt.Fprintf(&b, "word%d ", words.Uint64())
		}
		out[i] = b.String()
	}
	return out
}

// BenchmarkSearch reports the median of a search for 8 words.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{2_000, 2_500, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			texts := sentences(n)
			start := time.Now()
			x := rank.NewIndex(texts)
			opened := time.Since(start)
			var took []time.Duration
			for i := range b.N {
				query := strings.Join(strings.Fields(texts[i%n])[:8], " ")
				start := time.Now()
				x.Search(query, 8, nil)
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(opened.Milliseconds()), "open-ms")
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
		})
	}
}

func Example() {
	x := rank.NewIndex([]string{"Alice lives in Bergen.", "Bob lives in Oslo."})
	for _, hit := range x.Search("Where does Alice live?", 1, nil) {
		fmt.Println(hit.Document)
	}
	// Output:
	// 0
}
