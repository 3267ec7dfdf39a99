package gate

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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
	U, FH, FM        int // unscored traces of the run, and the frozen history
}

type vectorGate struct {
	Name           string
	K              int
	Alpha          float64
	Strict, Spaced bool
	FrozenRuns     int `json:"frozen_runs"`
	Queries        []vectorQuery
	Tape           map[string]string
	Wait           *bool
	Want           vectorWant
	FreshTotal     int `json:"fresh_total"`
}

// vectorWant is what the references write of a gate. The first edition leaves out what came later.
type vectorWant struct {
	NotGated []string `json:"not_gated"`
	Log      [][]any
	vectorFindings
	Decision  Decision
	Alarm     string
	Unscored  []Decision
	Requests  []map[string]int `json:"asked"`
	Sessions  []int
	FreshUsed map[string]int `json:"fresh_used"`
	Need      map[string]int
	Later     []string
	Frozen    *vectorFindings
	FrozenLog [][]any `json:"frozen_log"`
}

// vectorFindings are those of a comparison with one history.
type vectorFindings struct {
	S, Suspects []string
	Order       string
	Decision    Decision // of the frozen baseline
	By          string
	Named       []string
	FellMost    []string `json:"fell_most"`
	Before, Now []int
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
		near(t, fmt.Sprintf("tail %+v", c), lowerTail(c.X, c.K, c.H, c.M), c.P)
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

// TestVectorsThree compares the rule with testdata/gate-vectors-v3.json: what gate/v3 asks for, in which order and session.
func TestVectorsThree(t *testing.T) {
	raw, err := os.ReadFile("testdata/gate-vectors-v3.json")
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Dependent []struct {
			Runs           int
			Phi            *float64 `json:"p_phi"`
			Concordance    *float64 `json:"p_concordance"`
			Strict, Spaced bool
		}
		Levels []struct {
			Alpha        float64
			Strict, Half bool
			A            float64 `json:"alpha_A"`
			B            float64 `json:"alpha_B"`
		}
		Collapsed []struct {
			P0             float64
			N, Suspects, K int
			Want           bool
		}
		Decide []vectorGate
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Dependent) != 12 || len(v.Levels) != 16 || len(v.Collapsed) != 17 || len(v.Decide) != 66 {
		t.Fatalf("%d, %d, %d, %d gates", len(v.Dependent), len(v.Levels), len(v.Collapsed), len(v.Decide))
	}
	for _, c := range v.Dependent {
		if strict, spaced := dependent(c.Runs, c.Phi, c.Concordance); strict != c.Strict || spaced != c.Spaced {
			t.Errorf("dependent %+v: strict %v, spaced %v", c, strict, spaced)
		}
	}
	for _, c := range v.Levels {
		l := Options{Alpha: c.Alpha}.levels(c.Strict, c.Half)
		near(t, fmt.Sprintf("alpha_A of %+v", c), l.a, c.A)
		near(t, fmt.Sprintf("alpha_B of %+v", c), l.b, c.B)
	}
	for _, c := range v.Collapsed {
		if got := collapsed(c.P0, c.N, c.Suspects, c.K); got != c.Want {
			t.Errorf("collapsed %+v: %v", c, got)
		}
	}
	for _, c := range v.Decide {
		t.Run(c.Name, func(t *testing.T) { c.play(t) })
	}
}

func (c vectorGate) evidence() (e Evidence, at map[string]int) {
	e, at = Evidence{K: c.K, PoolRuns: 15, FrozenRuns: c.FrozenRuns}, map[string]int{}
	for i, q := range c.Queries {
		at[q.ID] = i
		e.Items = append(e.Items, Item{
			Query: q.ID, Current: Traces{Right: q.X, Wrong: q.K - q.X, Unscored: q.U}, History: Traces{Right: q.H, Wrong: q.M - q.H},
			Frozen: Traces{Right: q.FH, Wrong: q.FM - q.FH}, Runs: q.Runs,
		})
	}
	return e, at
}

// play asks until the gate has decided, what may be had now first. Where all that is left needs another session, it goes on
// there, or stops where the vector does not wait.
func (c vectorGate) play(t *testing.T) {
	e, at := c.evidence()
	got := vectorWant{FreshUsed: map[string]int{}, Need: map[string]int{}}
	o := Options{Alpha: c.Alpha, Strict: c.Strict, Spaced: c.Spaced}
	session := 1
	out := Decide(e, o)
	for len(out.Need) > 0 {
		if out.Decision != Inconclusive {
			t.Errorf("%s with needs", out.Decision)
		}
		late := 0
		for _, a := range out.Need {
			if a.Late {
				late++
			}
		}
		if late == len(out.Need) {
			if c.Wait != nil && !*c.Wait {
				break
			}
			session, o.Spaced = 2, false
		}
		want := map[string]int{}
		for _, a := range out.Need {
			if a.Late && session == 1 {
				continue
			}
			want[a.Query] = a.Traces
			it := &e.Items[at[a.Query]]
			it.Fresh = nil
			for _, r := range c.Tape[a.Query][:a.Traces] {
				it.Fresh = append(it.Fresh, map[rune]TraceResult{'0': Wrong, '1': Right, '?': Unscored}[r])
			}
		}
		got.Requests, got.Sessions = append(got.Requests, want), append(got.Sessions, session)
		out = Decide(e, o)
	}
	fresh := 0
	for _, it := range e.Items {
		if n := len(it.Fresh); n > 0 {
			got.FreshUsed[it.Query], fresh = n, fresh+n
		}
	}
	for _, a := range out.Need {
		if got.Need[a.Query] = a.Traces; a.Late {
			got.Later = append(got.Later, a.Query)
		}
	}
	if fresh != c.FreshTotal {
		t.Errorf("%d fresh traces, want %d", fresh, c.FreshTotal)
	}
	got.outcome(e, o, out, c)
	same(t, c.Want, got)
}

// outcome fills in what the decision rests on.
func (got *vectorWant) outcome(e Evidence, o Options, out Outcome, c vectorGate) {
	got.Decision = out.Decision
	for _, q := range out.NotGated {
		got.NotGated = append(got.NotGated, q.Query)
	}
	if r := out.Rolling; r != nil {
		got.vectorFindings, got.Log = findingsOf(*r, out, c)
		if got.vectorFindings.Decision = ""; out.Decision == Pass && len(r.Looks) > 1 || out.Frozen != nil && len(r.Looks) > 1 && !r.Alarm && len(r.Asks) == 0 {
			got.Alarm = "unconfirmed"
		}
	}
	if f := out.Frozen; f != nil {
		of, log := findingsOf(*f, out, c)
		got.Frozen, got.FrozenLog = &of, log
	}
	if e.unscored() && len(out.Need) == 0 && out.Decision == Inconclusive {
		got.Unscored = []Decision{Decide(e.at(Wrong), o).Decision, Decide(e.at(Right), o).Decision}
		got.By, got.Named, got.FellMost, got.Before, got.Now, got.Alarm, got.Frozen, got.FrozenLog = "", nil, nil, nil, nil, "", nil, nil
	}
}

func findingsOf(r Comparison, out Outcome, c vectorGate) (f vectorFindings, log [][]any) {
	f.Order, f.Decision = "B then A", Pass
	if r.Collapse {
		f.Order = "collapse"
	}
	var a, b [][]any
	first := 0 // looks of the total that came before single queries
	for _, l := range r.Looks {
		a = append(a, []any{"A", float64(l.Fresh), l.P})
		if r.Collapse && l.Fresh <= c.K {
			first++
		}
	}
	for _, s := range r.Slips {
		f.S = append(f.S, s.Query)
		b = append(b, []any{"B", s.Query, 0., s.P})
		if s.Suspect {
			f.Suspects = append(f.Suspects, s.Query)
		}
		for _, l := range s.Looks {
			b = append(b, []any{"B", s.Query, float64(l.Fresh), l.P})
			if l.With != nil {
				b = append(b, []any{"B+", s.Query, float64(l.Fresh), *l.With})
			}
		}
		if s.Broken && r.Alarm {
			f.Named, f.By, f.Decision = append(f.Named, s.Query), "B", Regression
		}
	}
	if r.Alarm && f.By == "" {
		look := r.Looks[len(r.Looks)-1]
		f.By, f.FellMost, f.Decision = "A", out.Losses, Regression
		if r.Collapse && look.Fresh <= c.K {
			f.Before, f.Now = []int{look.HistoryRight, look.History}, []int{look.Right, look.Traces}
			return f, a
		}
	}
	if len(r.Asks) > 0 {
		f.Decision = ""
		if r.Collapse && r.Asks[0].Total && r.Asks[0].Traces <= c.K {
			return f, a
		}
	}
	return f, append(append(a[:first:first], b...), a[first:]...)
}

// same compares what was played with the reference, chances by ten digits.
func same(t *testing.T, want, got vectorWant) {
	t.Helper()
	sameLog(t, "log", want.Log, got.Log)
	sameLog(t, "log of the frozen baseline", want.FrozenLog, got.FrozenLog)
	got.Log, got.FrozenLog = want.Log, want.FrozenLog
	if want.Order == "" { // the first edition
		got.Order, got.FellMost, got.Sessions = "", nil, nil
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(vectorWant{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func sameLog(t *testing.T, what string, want, got [][]any) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s %v, want %v", what, got, want)
	}
	for i, want := range want {
		last := len(want) - 1
		near(t, fmt.Sprintf("%v", want), got[i][last].(float64), want[last].(float64))
		if diff := cmp.Diff(want[:last], got[i][:last]); diff != "" {
			t.Errorf("%s, entry %d: %s", what, i, diff)
		}
	}
}
