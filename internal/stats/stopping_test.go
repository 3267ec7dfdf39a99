package stats

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// The values of docs/method.md §3.4.
func TestLead(t *testing.T) {
	for _, c := range []struct {
		top, second int
		want        float64
	}{
		{0, 0, .5}, {1, 0, .75}, {2, 0, .875}, {3, 0, .9375}, {4, 0, .96875}, {2, 1, .6875}, {3, 1, .8125},
		{5, 1, .9375}, {6, 1, .96484375}, {5, 2, .85546875}, {8, 2, .96728515625}, {7, 7, .5},
	} {
		if got, ok := Lead(c.top, c.second); !ok || got != c.want {
			t.Errorf("Lead(%d, %d) = %v, %t, want %v", c.top, c.second, got, ok, c.want)
		}
	}
	for _, c := range [][2]int{{1, 2}, {-1, -1}, {3, -1}, {maxCount, 0}} {
		if got, ok := Lead(c[0], c[1]); ok || got != 0 {
			t.Errorf("Lead(%d, %d) = %v, %t, want an error", c[0], c[1], got, ok)
		}
	}
}

// TestRecordedDataLead compares the formula with the recorded table of the published rule,
// and the smallest leads that stop.
func TestRecordedDataLead(t *testing.T) {
	folder := os.Getenv("CONCUR_DATA")
	if folder == "" {
		t.Skip("CONCUR_DATA is not set")
	}
	read := func(name string, into any) {
		raw, err := os.ReadFile(filepath.Join(folder, "adaptive_consistency_rule", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, into); err != nil {
			t.Fatal(err)
		}
	}
	var table []struct {
		Top, Second int
		Prob        float64
	}
	read("beta_stop_table.json", &table)
	if len(table) < 100 {
		t.Fatalf("the table has %d rows", len(table))
	}
	for _, row := range table {
		if got, ok := Lead(row.Top, row.Second); !ok || math.Abs(got-row.Prob) > 1e-12 {
			t.Errorf("Lead(%d, %d) = %v, %t, want %v", row.Top, row.Second, got, ok, row.Prob)
		}
	}
	fewest := map[string][]int{}
	read("min_top_count_to_stop.json", &fewest)
	if len(fewest) != 4 {
		t.Fatalf("there are %d thresholds", len(fewest))
	}
	for threshold, tops := range fewest {
		var tau float64
		if err := json.Unmarshal([]byte(threshold), &tau); err != nil {
			t.Fatal(err)
		}
		for second, want := range tops {
			top := second
			for p, _ := Lead(top, second); p < tau; p, _ = Lead(top, second) {
				top++
			}
			if top != want {
				t.Errorf("at %s with %d for the second, the rule stops at %d, want %d", threshold, second, top, want)
			}
		}
	}
}
