package runner_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner"
)

// A sample has the queries with the lowest hashes of seed and id, in the order of the dataset. So it is the same on
// every machine, and a larger sample contains every smaller one.
func TestSampleIsByHash(t *testing.T) {
	var text strings.Builder
	var ids []string
	for i := range 2000 {
		ids = append(ids, fmt.Sprintf("q%d", i))
		fmt.Fprintf(&text, `{"id":"%s","query":"What is 1 + 2?","gold":{"type":"integer","answer":3}}`+"\n", ids[i])
	}
	file := filepath.Join(t.TempDir(), "many.jsonl")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, seed := range []int64{1, -4711} {
		byHash := slices.SortedFunc(slices.Values(ids), func(a, b string) int {
			return strings.Compare(fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%d\n%s", seed, a))),
				fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%d\n%s", seed, b))))
		})
		for _, n := range []int{1, 300, 2000} {
			set, of, err := runner.Selection{Sample: n, Seed: seed}.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			want := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !slices.Contains(byHash[:n], id) })
			if got := slices.Collect(set.IDs()); !slices.Equal(got, want) || of.Queries != n {
				t.Errorf("seed %d, %d of 2000: %v", seed, n, got)
			}
			set.Close()
		}
	}
}
