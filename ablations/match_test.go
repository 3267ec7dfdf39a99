package ablations_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
)

func TestPairedOverWhatBothHave(t *testing.T) {
	a, b := side("A", strings.Repeat("c", 29)), side("B", strings.Repeat("i", 23))
	b.Queries = b.Queries[9:] // 9 of A are missing in B at this end, 6 at the other
	got := one(t, a, b, ablations.Options{})
	want := "paired over 14 queries that both have; 15 of A and 0 of B are not in the other"
	if got.Pairing != result.Paired || got.Queries != 14 || *got.Losses != 14 || got.LeftOut == nil || *got.LeftOut != want {
		t.Errorf("%+v", got)
	}
}

// The rules for other queries (docs/method.md §5.4): 27/29 against 24/29 of other queries is [-.2836, .0754], p .4227.
func TestUnpaired(t *testing.T) {
	a, b := side("a", strings.Repeat("c", 27)+"ii"), side("b", strings.Repeat("c", 24)+"iiiii")
	for i := range b.Queries {
		b.Queries[i].ID = "x-" + b.Queries[i].ID
	}
	got := one(t, a, b, ablations.Options{})
	if got.Pairing != result.Unpaired || got.Method != "fisher" || got.CI.Method != "newcombe" || got.Losses != nil || got.Gains != nil || got.LeftOut != nil || got.Queries != 29 || len(got.Flips) > 0 {
		t.Errorf("%+v", got)
	}
	near(t, "p", *got.P, .4227, 5.1e-5)
	near(t, "low", got.CI.Low, -.2836, 5.1e-5)
	near(t, "high", got.CI.High, .0754, 5.1e-5)
	near(t, "difference", *got.Difference, -3./29, 1e-12)
	near(t, "MDE", *got.MDE, .327, 5.1e-4) // by enumeration, at 27/29
}

// A query that was changed is no partner: the sides are paired without it, and refused where
// no other is left.
func TestChangedQueries(t *testing.T) {
	a, b := side("a", strings.Repeat("c", 29)), side("b", strings.Repeat("c", 29))
	for i := range 7 {
		b.Queries[i].Hash = "sha256:other"
	}
	got := one(t, a, b, ablations.Options{})
	if got.Refused != nil || got.Queries != 22 || *got.LeftOut != "paired over 22 queries that both have; 7 of a and 7 of b are not in the other; text or gold differs in q-0000, q-0001, q-0002, q-0003, q-0004 and 2 more" {
		t.Errorf("%+v", got)
	}
	for i := range b.Queries {
		b.Queries[i].Hash = "sha256:other"
	}
	got = one(t, a, b, ablations.Options{})
	if got.Refused == nil || !strings.HasPrefix(*got.Refused, "dataset: ") || !strings.HasSuffix(*got.Refused, "q-0000, q-0001, q-0002, q-0003, q-0004 and 24 more") {
		t.Errorf("%v", got.Refused)
	}
	if got.Difference != nil || got.CI != nil || got.CI90 != nil || got.P != nil || got.PHolm != nil || got.MDE != nil || got.Flips == nil || got.Pairing != "" {
		t.Errorf("a refused comparison has figures: %+v", got)
	}
	got = one(t, a, b, ablations.Options{Across: []string{"dataset"}})
	if got.Refused != nil || got.Pairing != result.Unpaired {
		t.Errorf("%+v", got)
	}
}

// A file of answers may hold nothing of a query but its id.
func TestQueriesWithoutHash(t *testing.T) {
	a, b := side("a", "cc"), side("b", "ci")
	b.Queries[0].Hash, b.Queries[1].Hash = "", "sha256:other"
	for _, pair := range [][2]ablations.Side{{a, b}, {b, a}} {
		if got := one(t, pair[0], pair[1], ablations.Options{}); got.Refused != nil || got.Pairing != result.Paired || got.Queries != 1 || got.LeftOut == nil {
			t.Errorf("%+v", got)
		}
	}
}

func TestOrderOfQueriesIsIrrelevant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := side("a", verdicts.Draw(t, "a")), side("b", verdicts.Draw(t, "b"))
		want := one(t, a, b, ablations.Options{})
		b.Queries = rapid.Permutation(slices.Clone(b.Queries)).Draw(t, "b's order")
		if diff := cmp.Diff(want, one(t, a, b, ablations.Options{})); diff != "" {
			t.Fatal(diff)
		}
	})
}
