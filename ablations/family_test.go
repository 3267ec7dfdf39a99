package ablations_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
)

// Holm (docs/method.md §5.5): five rows at 29 queries take p <= .01, which seven losses have.
func TestFamily(t *testing.T) {
	base := side("base", strings.Repeat("c", 24)+"iiiii")
	all := []ablations.Side{base}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		s := base
		s.Name = name
		all = append(all, s)
	}
	comparisons, err := ablations.Against("base", all, ablations.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := ablations.FamilyOf(comparisons)
	want, ok := stats.MDE(29, 24./29, .01)
	if f.Comparisons != 5 || *f.LeastLosses != 7 || f.MDE == nil || !ok {
		t.Fatalf("%+v", f)
	}
	near(t, "first level", f.FirstLevel, .01, 1e-15)
	near(t, "MDE", *f.MDE, want, 1e-12)
	if *f.MDE <= *comparisons[0].MDE {
		t.Errorf("the adjusted MDE is %v, the plain one %v", *f.MDE, *comparisons[0].MDE)
	}
}

func TestFamilyCountsWhatIsCompared(t *testing.T) {
	base, other := discordant(29, 0, 0)
	refused := other
	refused.Name, refused.Rules = "refused", map[string]string{"pass": "quality"}
	base.Rules = map[string]string{"pass": "gold"}
	comparisons, err := ablations.Against("base", []ablations.Side{base, other, refused}, ablations.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if f := ablations.FamilyOf(comparisons); f.Comparisons != 1 || *f.LeastLosses != 5 || f.FirstLevel != .05 {
		t.Errorf("%+v", f)
	}
	for _, none := range [][]result.Comparison{nil, comparisons[1:]} {
		if f := ablations.FamilyOf(none); f != nil {
			t.Errorf("of no comparison: %+v", f)
		}
	}
}

// A side that lost queries to the infrastructure is no evidence: it leaves the family, so that
// the calls of the others are those that they have without it.
func TestBadSidesLeaveTheFamily(t *testing.T) {
	base, other := discordant(29, 6, 0) // p = .0156: worse among three at most
	dead := func(name string) ablations.Side {
		s := side(name, strings.Repeat("u", 29))
		s.Losses = result.Losses{Queries: 29, WithoutValid: 29, Traces: 87, Infra: 87}
		return s
	}
	flaky := side("flaky", strings.Repeat("c", 27)+"uu")
	flaky.Losses = result.Losses{Queries: 29, WithoutValid: 2, Traces: 87, Infra: 6}
	_, equal := discordant(29, 0, 0)
	equal.Name = "equal"
	for name, bad := range map[string][]ablations.Side{
		"two that are dead": {dead("dead"), dead("dead too")}, "one of each": {flaky, dead("dead")},
	} {
		healthy, err := ablations.Against("base", []ablations.Side{base, other, equal}, ablations.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all, err := ablations.Against("base", append([]ablations.Side{base, other, equal}, bad...), ablations.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(healthy, all[:2]); diff != "" {
			t.Errorf("%s: they change the healthy rows:\n%s", name, diff)
		}
		if all[0].Call != result.Worse {
			t.Errorf("%s: six losses are called %s", name, all[0].Call)
		}
		for _, c := range all[2:] {
			if c.Refused == nil || !strings.Contains(*c.Refused, "29 queries have no valid trace") || c.P != nil || c.Difference != nil {
				t.Errorf("%s: %+v", name, c)
			}
		}
		if f := ablations.FamilyOf(all); f.Comparisons != 2 {
			t.Errorf("%s: a family of %d", name, f.Comparisons)
		}
	}
}

// Few queries, a baseline with nothing right, and other queries: what is undefined is nil.
func TestFamilyUndefined(t *testing.T) {
	for name, c := range map[string]struct{ base, other string }{
		"few": {"cccc", "cccc"}, "nothing right": {"iiii", "iiii"}, "none": {"", ""},
	} {
		got := one(t, side("base", c.base), side("other", c.other), ablations.Options{})
		if f := ablations.FamilyOf([]result.Comparison{got}); f.LeastLosses != nil || f.MDE != nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
	a, b := unequal()
	if f := ablations.FamilyOf([]result.Comparison{one(t, a, b, ablations.Options{})}); f.Comparisons != 1 || f.LeastLosses != nil || f.MDE != nil {
		t.Errorf("unpaired: %+v", f)
	}
}

// unequal gives two sides without a common query: 9 of 9 right against 8 of 16.
func unequal() (base, other ablations.Side) {
	base, other = side("base", strings.Repeat("c", 9)), side("other", strings.Repeat("ci", 8))
	for i := range other.Queries {
		other.Queries[i].ID = "other-" + other.Queries[i].ID
	}
	return base, other
}

// Of groups of unequal size, the baseline's is the first.
func TestUnpairedOfUnequalSizes(t *testing.T) {
	a, b := unequal()
	got := one(t, a, b, ablations.Options{})
	if got.Pairing != result.Unpaired || got.Queries != 16 || *got.CorrectBefore != 9 || *got.CorrectNow != 8 {
		t.Errorf("%+v", got)
	}
	near(t, "difference", *got.Difference, -.5, 0)
	near(t, "MDE", *got.MDE, .5115563, 5e-8)
}
