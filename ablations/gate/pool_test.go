package gate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/stats"
)

func TestPoolSumsTheLastRuns(t *testing.T) {
	d := smallSet()
	b := accepted(t, d, fullPass(3, d, "+++ +++ ++-"), fullPass(1, d, "--- --- ---"), fullPass(2, d, "++0 +-! ++!"))
	p := b.Pool("default", 2)
	if len(p.Runs) != 2 || p.Runs[0].Run != runNameOf(2) || p.Runs[1].Run != runNameOf(3) {
		t.Fatalf("runs %v", p.Runs)
	}
	want := []gate.Traces{{Right: 5, Wrong: 1}, {Right: 4, Wrong: 1, Lost: 1}, {Right: 4, Wrong: 1, Lost: 1}}
	for i, item := range p.Items {
		if item.History != want[i] || item.Runs != 2 || item.Query != d.Queries[i].ID {
			t.Errorf("%+v, want %+v", item, want[i])
		}
	}
	if *p.Items[2].Last != (gate.Traces{Right: 2, Wrong: 1}) {
		t.Errorf("the last run of safety-01 is %+v", *p.Items[2].Last)
	}
	if right, of := p.Counts(); !slices.Equal(right[0], []int{2, 1, 2}) || !slices.Equal(of[0], []int{3, 2, 2}) {
		t.Errorf("counts %v of %v", right, of)
	}
	if got := p.Outcomes()[0][1]; !slices.Equal(got, []bool{true, false}) {
		t.Errorf("outcomes %v", got)
	}
	if p := b.Pool("other", 0); len(p.Runs)+len(p.Items)+len(p.Odd()) > 0 || p.Evidence(1, 10).PoolRuns != 0 {
		t.Errorf("a configuration without runs has the pool %+v", p)
	}
}

func TestPoolAsEvidence(t *testing.T) {
	d := smallSet()
	b := accepted(t, d, fullPass(1, d, "++- +++ +++"), fullPass(2, d, "+-- ++- +++"))
	third := gate.Candidate{Passes: []gate.RunPass{fullPass(3, d, "+++ +++ +++")}, Decision: gate.Drift, Override: &gate.Override{Reason: "an outage", Author: "ann"}}
	if err := b.Add(third, d); err != nil {
		t.Fatal(err)
	}
	p := b.Pool("default", 0)
	e := p.Evidence(7, 99)
	if e.PoolRuns != 3 || len(e.PoolP95S) != 3 || len(e.PoolUSD) != 0 || !e.Items[2].Safety || e.Items[0].History != (gate.Traces{Right: 6, Wrong: 3}) {
		t.Errorf("%+v", e)
	}
	if len(e.Overrides) != 1 || !strings.Contains(e.Overrides[0], "accepted by ann (its gate said DRIFT): an outage") {
		t.Errorf("overrides %q", e.Overrides)
	}
	phi, ok := stats.Dispersion(p.Counts())
	if !ok || e.Phi == nil || e.Phi.Value != phi.Value || e.Concordance == nil {
		t.Errorf("phi %v of %v, concordance %v", e.Phi, phi, e.Concordance)
	}
	if len(e.Warnings) > 0 {
		t.Errorf("warnings %q", e.Warnings)
	}
	p.Runs[0].Models = []string{"reader/v1"}
	if w := p.Evidence(7, 0).Warnings; len(w) != 1 || !strings.Contains(w[0], "answered by 2 models (reader/v1, reader/v2)") {
		t.Errorf("warnings %q", w)
	}
	if f := p.Frozen(); f.Runs != 3 || f.History["hop-01"] != (gate.Traces{Right: 8, Wrong: 1}) {
		t.Errorf("%+v", f)
	}
}

// twenty queries with short answers, so that one run can stand out.
func twenty() *datasets.Dataset {
	return smallSet(func(q []datasets.Query) []datasets.Query {
		var many []datasets.Query
		for i := range 20 {
			one := q[0]
			one.ID = "calc-" + string(rune('a'+i))
			many = append(many, one)
		}
		return many
	})
}

func TestOddRunsAreNamed(t *testing.T) {
	d := twenty()
	marks := func(one string, n int, other string) string {
		return strings.Repeat(one+" ", n) + strings.Repeat(other+" ", 20-n)
	}
	alike, lenient, bad := marks("++-", 20, ""), marks("+++", 19, "++-"), marks("---", 12, "++-")
	for name, c := range map[string]struct {
		second string
		worse  bool
		odd    int
	}{
		"alike":   {alike, false, 0},
		"lenient": {lenient, false, 1},
		"bad":     {bad, true, 1},
	} {
		p := accepted(t, d, fullPass(1, d, alike), fullPass(2, d, c.second), fullPass(3, d, alike), fullPass(4, d, alike)).Pool("default", 0)
		odd := p.Odd()
		if len(odd) != c.odd {
			t.Errorf("%s: %v", name, odd)
			continue
		}
		for _, o := range odd {
			if o.Run != runNameOf(2) || o.Worse != c.worse || o.P >= o.Level || o.Level != .10/8 || o.Valid != 60 || o.OthersValid != 180 {
				t.Errorf("%s: %+v", name, o)
			}
			if !strings.Contains(o.String(), runNameOf(2)) {
				t.Errorf("the warning does not name the run: %s", o)
			}
		}
		if w := p.Evidence(1, 0).Warnings; len(w) != c.odd {
			t.Errorf("%s: warnings %q", name, w)
		}
	}
	if odd := accepted(t, d, fullPass(1, d, bad)).Pool("default", 0).Odd(); odd != nil {
		t.Errorf("a single run is odd: %v", odd)
	}
}
