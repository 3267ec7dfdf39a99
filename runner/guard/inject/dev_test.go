package inject_test

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed-5817661a/concur/runner/guard/inject"
)

type example struct {
	Label int    `json:"label"` // 1 attack, 0 benign
	Kind  string `json:"kind"`
	Text  string `json:"text"`
}

// developmentSet reads the texts of the recorded data, or skips the test.
func developmentSet(tb testing.TB) []example {
	tb.Helper()
	folder := os.Getenv("CONCUR_DATA")
	if folder == "" {
		tb.Skip("CONCUR_DATA names no folder with the recorded data")
	}
	file, err := os.Open(filepath.Join(folder, "injection", "dev.jsonl.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatal(err)
	}
	var examples []example
	for decoder := json.NewDecoder(unpacked); ; {
		var e example
		if err := decoder.Decode(&e); errors.Is(err, io.EOF) {
			return examples
		} else if err != nil {
			tb.Fatal(err)
		}
		examples = append(examples, e)
	}
}

// TestDevelopmentSet measures recall on attacks by kind and holds the rate of
// false positives on benign texts, many of them full of trigger words, to 1 %.
func TestDevelopmentSet(t *testing.T) {
	type count struct{ flagged, total int }
	attacks, benign := map[string]count{}, map[string]count{}
	var falsePositives, honest int
	for _, e := range developmentSet(t) {
		finding := inject.Scan(e.Text)
		table := attacks
		if e.Label == 0 {
			table = benign
			honest++
		}
		c := table[e.Kind]
		c.total++
		if finding.Flagged {
			c.flagged++
			if e.Label == 0 {
				falsePositives++
				t.Logf("false positive: %v in %.100q", finding.Hits, e.Text)
			}
		}
		table[e.Kind] = c
	}
	report := func(what string, table map[string]count) {
		for _, kind := range slices.Sorted(maps.Keys(table)) {
			c := table[kind]
			t.Logf("%-8s %-22s %4d of %4d flagged = %5.1f %%", what, kind, c.flagged, c.total, 100*float64(c.flagged)/float64(c.total))
		}
	}
	report("attack", attacks)
	report("benign", benign)
	if honest == 0 || falsePositives*100 > honest {
		t.Errorf("%d of %d benign texts flagged, want at most 1 %%", falsePositives, honest)
	}
}
