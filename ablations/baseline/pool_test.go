package baseline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
)

func TestPoolSumsTheLastRuns(t *testing.T) {
	d := smallSet()
	b := accepted(t, d, fullPass(3, d, "+++ +++ ++-"), fullPass(1, d, "--- --- ---"), fullPass(2, d, "++0 +-! ++!"))
	p := b.Pool("default", 2, 3)
	if len(p.Runs) != 2 || p.Runs[0].Run != runNameOf(2) || p.Runs[1].Run != runNameOf(3) {
		t.Fatalf("runs %v", p.Runs)
	}
	want := []gate.Traces{{Right: 5, Wrong: 1}, {Right: 4, Wrong: 1, Infra: 1}, {Right: 4, Wrong: 1, Infra: 1}}
	for i, item := range p.Items {
		if item.History != want[i] || item.Runs != 2 || item.Query != d.Queries[i].ID {
			t.Errorf("%+v, want %+v", item, want[i])
		}
	}
	if *p.Items[2].Last != (gate.Traces{Right: 2, Wrong: 1}) {
		t.Errorf("the last run of safety-01 is %+v", *p.Items[2].Last)
	}
	if p := b.Pool("other", 0, 3); len(p.Runs)+len(p.Items)+len(p.Evidence(1, 0).Warnings) > 0 || p.Evidence(1, 10).PoolRuns != 0 {
		t.Errorf("a configuration without runs has the pool %+v", p)
	}
}

// A pool that was written down stays, whatever was accepted or reset since.
func TestPoolOfNames(t *testing.T) {
	d := smallSet()
	b := accepted(t, d, fullPass(1, d, "+++ +++ +++"), fullPass(2, d, "++- +++ +++"), fullPass(3, d, "+++ ++- +++"))
	was, names := b.Pool("default", 2, 3), []string{runNameOf(2), runNameOf(3)}
	same := func(when string) {
		t.Helper()
		p, err := b.PoolOf("default", names)
		if err != nil || len(p.Runs) != 2 || p.Runs[0].Run != names[0] || !slices.EqualFunc(p.Items, was.Items, func(x, y gate.Item) bool { return x.Query == y.Query && x.History == y.History && x.Runs == y.Runs }) {
			t.Errorf("%s: %v, %+v, %v", when, p.Runs, p.Items, err)
		}
	}
	same("at once")
	if err := b.Add(baseline.Candidate{Pass: fullPass(4, d, "--- --- +++")}, d); err != nil {
		t.Fatal(err)
	}
	same("after another run")
	if p, err := b.PoolOf("default", names); err != nil || len(p.Stored) != 3 || p.Stored[0].Run != runNameOf(1) {
		t.Errorf("stored %v, %v: want the runs up to the last one", p.Stored, err)
	}
	if err := b.Reset(baseline.Reset{Configuration: "default", Time: onDay(5), Author: "ann", Reason: "new"}); err != nil {
		t.Fatal(err)
	}
	same("after a reset")
	if _, err := b.PoolOf("default", []string{"gone"}); err == nil || !strings.Contains(err.Error(), "run gone, with which the gate began, is no longer in the baseline") {
		t.Errorf("a run that is gone: %v", err)
	}
}

func TestPoolAsEvidence(t *testing.T) {
	d := smallSet()
	b := accepted(t, d, fullPass(1, d, "++- +++ +++"), fullPass(2, d, "+-- ++- +++"))
	third := baseline.Candidate{Pass: fullPass(3, d, "+++ +++ +++"), Decision: gate.Drift, Override: &baseline.Override{Reason: "an outage", Author: "ann"}}
	if err := b.Add(third, d); err != nil {
		t.Fatal(err)
	}
	p := b.Pool("default", 0, 3)
	e := p.Evidence(7, 99)
	if e.PoolRuns != 3 || !e.Items[2].Safety || e.Items[0].History != (gate.Traces{Right: 6, Wrong: 3}) {
		t.Errorf("%+v", e)
	}
	if len(e.Overrides) != 1 || !strings.Contains(e.Overrides[0], "accepted by ann (its gate decided DRIFT): an outage") {
		t.Errorf("overrides %q", e.Overrides)
	}
	if e.Phi == nil || e.Phi.Value <= 0 || e.Phi.P <= 0 || e.Concordance == nil {
		t.Errorf("phi %+v, concordance %v", e.Phi, e.Concordance)
	}
	if len(e.Warnings) > 0 {
		t.Errorf("warnings %q", e.Warnings)
	}
	p.Runs[0].Models = []string{"reader/v1"}
	if w := p.Evidence(7, 0).Warnings; len(w) != 1 || !strings.Contains(w[0], "of 2 models (reader/v1, reader/v2)") {
		t.Errorf("warnings %q", w)
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
		p := accepted(t, d, fullPass(1, d, alike), fullPass(2, d, c.second), fullPass(3, d, alike), fullPass(4, d, alike)).Pool("default", 0, 3)
		w := p.Evidence(1, 0).Warnings
		if len(w) != c.odd {
			t.Errorf("%s: warnings %q", name, w)
			continue
		}
		for _, text := range w {
			if !strings.HasPrefix(text, "the accepted run "+runNameOf(2)+" is "+map[bool]string{true: "worse", false: "better"}[c.worse]) || !strings.Contains(text, "of 60 traces right, ") || !strings.Contains(text, "below 0.013") {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
	if w := accepted(t, d, fullPass(1, d, bad)).Pool("default", 0, 3).Evidence(1, 0).Warnings; w != nil {
		t.Errorf("a single run is odd: %v", w)
	}
}

func TestTheLastResetIsTold(t *testing.T) {
	t.Parallel()
	d := smallSet()
	b := accepted(t, d, fullPass(1, d, "+++ +++ +++"), fullPass(3, d, "+++ +++ +++"))
	for _, r := range []baseline.Reset{
		{Configuration: "default", Time: onDay(1), Author: "bob", Reason: "an older one"},
		{Configuration: "default", Time: onDay(2), Author: "ann", Reason: "new prompt", Keep: []string{runNameOf(1)}},
	} {
		if err := b.Reset(r); err != nil {
			t.Fatal(err)
		}
	}
	pool, _, err := parsed(t, encoded(t, b)).Pool("default", 0, 3).Regrade(d)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"the pool of default was reset by ann on 2026-03-02 09:00, keeping " + runNameOf(1) + ": new prompt"}
	if got := pool.Evidence(1, 0).Overrides; !slices.Equal(got, want) {
		t.Errorf("said %q, want %q", got, want)
	}
}
