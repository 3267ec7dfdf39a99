package rank_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/rank"
)

// lengths is an embedder that counts what it is asked for.
type lengths struct {
	questions []string
	short     bool // gives a vector too few
}

func (l *lengths) Embed(_ context.Context, texts []string) ([][]float32, error) {
	l.questions = append(l.questions, texts...)
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = []float32{float32(len(t)), -0.5}
	}
	if l.short {
		out = out[1:]
	}
	return out, nil
}

func TestATextIsEmbeddedOnce(t *testing.T) {
	inner := &lengths{}
	dir := filepath.Join(t.TempDir(), "vectors")
	c := rank.Cached{Inner: inner, Name: "m", Dir: dir}
	embed := func(c rank.Cached, texts ...string) [][]float32 {
		t.Helper()
		v, err := c.Embed(t.Context(), texts)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	embed(c, "tea", "river")
	got := embed(c, "river", "nile!", "tea")
	if fmt.Sprint(got) != "[[5 -0.5] [5 -0.5] [3 -0.5]]" {
		t.Errorf("vectors %v", got)
	}
	embed(rank.Cached{Inner: inner, Name: "other model", Dir: dir}, "tea")
	if want := []string{"tea", "river", "nile!", "tea"}; !slices.Equal(inner.questions, want) {
		t.Errorf("asked for %q, want %q", inner.questions, want)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 4 {
		t.Fatalf("files %v, %v", files, err)
	}
	for _, f := range files { // torn
		if err := os.WriteFile(f, []byte("abc"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := embed(c, "tea"); fmt.Sprint(got) != "[[3 -0.5]]" || len(inner.questions) != 5 {
		t.Errorf("after damage: %v, %d texts asked", got, len(inner.questions))
	}
	inner.short = true
	if _, err := c.Embed(t.Context(), []string{"x", "y"}); err == nil || !strings.Contains(err.Error(), "gave 1 vectors") {
		t.Errorf("error %v", err)
	}
}

// BenchmarkNearest reports the median of a search among vectors of 384 dimensions.
func BenchmarkNearest(b *testing.B) {
	for _, n := range []int{2_000, 10_000} {
		vectors := make([][]float32, n)
		for i := range vectors {
			vectors[i] = make([]float32, 384)
			for j := range vectors[i] {
				vectors[i][j] = float32((i*31+j*17)%101) - 50
			}
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var took []time.Duration
			for i := range b.N {
				start := time.Now()
				rank.Nearest(vectors[i%n], vectors, 3, nil)
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
		})
	}
}
