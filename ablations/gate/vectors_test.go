package gate

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/internal/stats"
)

const tenDigits = 1e-10

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > tenDigits*max(1e-300, math.Abs(want)) {
		t.Errorf("%s: %.17g, want %.17g", what, got, want)
	}
}

type vectorQuery struct {
	ID               string
	H, M, Runs, X, K int
}

type vectorGate struct {
	Name    string
	K       int
	Alpha   float64
	Queries []vectorQuery
	Tape    map[string]string
	Want    struct {
		NotGated  []string `json:"not_gated"`
		Log       [][]any
		S         []string
		Suspects  []string
		Decision  Decision
		By        string
		Named     []string
		Alarm     string
		Requests  []map[string]int `json:"asked"`
		FreshUsed map[string]int   `json:"fresh_used"`
	}
	FreshTotal int `json:"fresh_total"`
}

// TestVectors compares the rule with testdata/gate-vectors.json, which a plain reference in
// exact integers has written.
func TestVectors(t *testing.T) {
	raw, err := os.ReadFile("testdata/gate-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Tail []struct {
			X, K, H, M int
			P          float64
		}
		Total []struct {
			Name string
			Rows [][4]int
			W    []int
			P    float64
		}
		Decide []vectorGate
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Tail) != 19 || len(v.Total) != 9 || len(v.Decide) != 21 {
		t.Fatalf("%d tails, %d totals, %d gates", len(v.Tail), len(v.Total), len(v.Decide))
	}
	for _, c := range v.Tail {
		near(t, fmt.Sprintf("tail %+v", c), tail(c.X, c.K, c.H, c.M), c.P)
	}
	for _, c := range v.Total {
		var queries []gated
		for i, r := range c.Rows {
			queries = append(queries, gated{x: r[0], k: r[1], h: r[2], m: r[3]})
			if w := weight(stats.Stratum{X: r[0], K: r[1], H: r[2], M: r[3]}); w != c.W[i] {
				t.Errorf("%s: weight %d of %v, want %d", c.Name, w, r, c.W[i])
			}
		}
		near(t, c.Name, total(queries, 0).P, c.P)
	}
	for _, c := range v.Decide {
		t.Run(c.Name, func(t *testing.T) { c.play(t) })
	}
}

// play asks until the gate has decided.
func (c vectorGate) play(t *testing.T) {
	e := Evidence{K: c.K, PoolRuns: 15}
	at := map[string]int{}
	for i, q := range c.Queries {
		at[q.ID] = i
		e.Items = append(e.Items, Item{Query: q.ID, Current: Traces{Right: q.X, Wrong: q.K - q.X}, History: Traces{Right: q.H, Wrong: q.M - q.H}, Runs: q.Runs})
	}
	var asked []map[string]int
	out := Decide(e, Options{Alpha: c.Alpha})
	for len(out.Need) > 0 {
		if out.Decision != Inconclusive {
			t.Errorf("%s with needs", out.Decision)
		}
		want := map[string]int{}
		for _, a := range out.Need {
			want[a.Query] = a.Traces
			it := &e.Items[at[a.Query]]
			it.Fresh = nil
			for _, r := range c.Tape[a.Query][:a.Traces] {
				it.Fresh = append(it.Fresh, Mark(r-'0')) // Wrong is 0 and Right 1
			}
		}
		asked = append(asked, want)
		out = Decide(e, Options{Alpha: c.Alpha})
	}
	got := c.Want // what is not filled in below is compared by itself
	got.Decision, got.Requests, got.FreshUsed, got.Log = out.Decision, asked, map[string]int{}, nil
	got.NotGated, got.S, got.Suspects, got.Named, got.By, got.Alarm = nil, nil, nil, nil, "", ""
	fresh := 0
	for _, it := range e.Items {
		if n := len(it.Fresh); n > 0 {
			got.FreshUsed[it.Query], fresh = n, fresh+n
		}
	}
	for _, q := range out.NotGated {
		got.NotGated = append(got.NotGated, q.Query)
	}
	if r := out.Rolling; r != nil {
		for _, s := range r.Slips {
			got.S = append(got.S, s.Query)
			got.Log = append(got.Log, []any{"B", s.Query, 0., s.P})
			if s.Suspect {
				got.Suspects = append(got.Suspects, s.Query)
			}
			for _, l := range s.Looks {
				got.Log = append(got.Log, []any{"B", s.Query, float64(l.Fresh), l.P})
				if l.With != nil {
					got.Log = append(got.Log, []any{"B+", s.Query, float64(l.Fresh), *l.With})
				}
			}
			if s.Broken {
				got.Named, got.By = append(got.Named, s.Query), "B"
			}
		}
		for _, l := range r.Looks {
			got.Log = append(got.Log, []any{"A", float64(l.Fresh), l.P})
		}
		if out.Decision == Regression && got.By == "" {
			got.By = "A"
		}
		if out.Decision == Pass && len(r.Looks) > 1 {
			got.Alarm = "unconfirmed"
		}
	}
	if fresh != c.FreshTotal {
		t.Errorf("%d fresh traces, want %d", fresh, c.FreshTotal)
	}
	if len(got.Log) != len(c.Want.Log) {
		t.Fatalf("log %v, want %v", got.Log, c.Want.Log)
	}
	for i, want := range c.Want.Log {
		last := len(want) - 1
		near(t, fmt.Sprintf("%v", want), got.Log[i][last].(float64), want[last].(float64))
		if diff := cmp.Diff(want[:last], got.Log[i][:last]); diff != "" {
			t.Errorf("log, entry %d: %s", i, diff)
		}
	}
	got.Log = c.Want.Log
	empty := cmp.FilterValues(func(a, b []string) bool { return len(a)+len(b) == 0 }, cmp.Comparer(func(a, b []string) bool { return true }))
	if diff := cmp.Diff(c.Want, got, empty, cmp.FilterValues(func(a, b []map[string]int) bool { return len(a)+len(b) == 0 }, cmp.Comparer(func(a, b []map[string]int) bool { return true }))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
