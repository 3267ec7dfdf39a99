package ablations_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
)

// traced has a query for every digit, which is how many of its three traces are right; the vote is right from two on.
func traced(name, rights string) ablations.Side {
	s := side(name, strings.Map(func(r rune) rune {
		if r >= '2' {
			return 'c'
		}
		return 'i'
	}, rights))
	for i, r := range rights {
		s.Queries[i].Rights = result.Rights{Valid: 3, Ruled: 3, Right: int(r - '0')}
	}
	return s
}

// inClusters puts the queries into clusters of so many, under names that begin with the prefix.
func inClusters(s ablations.Side, prefix string, size int) ablations.Side {
	for i := range s.Queries {
		s.Queries[i].Cluster = fmt.Sprint(prefix, i/size)
	}
	return s
}

// Traces that the vote hides: twenty queries lose one trace of three, and no vote changes.
func TestSingleTracesFindWhatTheVoteHides(t *testing.T) {
	base, other := traced("base", strings.Repeat("3", 60)), traced("other", strings.Repeat("2", 20)+strings.Repeat("3", 40))
	got := one(t, base, other, ablations.Options{})
	s := got.Singles
	if got.Call != result.Equivalent || s == nil || s.Call != result.Worse || s.Method != "score-t" || s.Queries != 60 {
		t.Fatalf("votes are %s, single traces %+v", got.Call, s)
	}
	near(t, "before", *s.Before, 1, 1e-12)
	near(t, "difference", *s.Difference, -1./9, 1e-12)
	near(t, "sign flip", *s.PSignFlip, 2./(1<<20), 1e-9)
	if !(*s.PT < 0.001 && s.CI.High < 0 && s.CI.Low < *s.Difference && *s.PHolm == *s.PT) || s.MDE != nil && *s.MDE <= 0 || s.ToDetect != nil {
		t.Errorf("%+v", s)
	}
}

// What few queries would take to find ten points: more of them, or more traces.
func TestToDetect(t *testing.T) {
	rights := strings.Repeat("330213323310", 4)
	base, other := traced("base", rights), traced("other", strings.Repeat("330213323301", 4))
	got := one(t, base, other, ablations.Options{})
	s := got.Singles
	if s == nil || s.Call != result.Undetermined || s.MDE == nil || got.MDE == nil || *s.MDE >= *got.MDE || *s.MDE <= .1 {
		t.Fatalf("%+v, votes find %v", s, got.MDE)
	}
	if d := s.ToDetect; d == nil || d.Drop != .1 || d.Queries == nil || *d.Queries <= 48 || d.K == nil || *d.K <= 3 {
		t.Errorf("%+v", d)
	}
	if got.MDEAtMost || *got.MDEHolm != *got.MDE {
		t.Errorf("%+v", got)
	}
	f := ablations.FamilyOf([]result.Comparison{got})
	if *f.SinglesMDE != *s.MDE || *f.MDE != *got.MDE {
		t.Errorf("%+v", f)
	}
}

// Traces without a verdict are left out; beyond two in a hundred nothing is compared.
func TestTracesWithoutAVerdict(t *testing.T) {
	for unruled, compared := range map[int]bool{3: true, 4: false} { // of 180 traces
		base, other := traced("base", strings.Repeat("3", 60)), traced("other", strings.Repeat("3", 60))
		for i := range unruled {
			other.Queries[i].Rights = result.Rights{Valid: 3, Ruled: 2, Right: 2}
		}
		s := one(t, base, other, ablations.Options{}).Singles
		if s == nil || s.Unruled != unruled || (s.Difference != nil) != compared || (s.Call != "") != compared || (s.CI != nil) != compared {
			t.Errorf("%d unruled: %+v", unruled, s)
		}
	}
	base, other := traced("base", "333333"), traced("other", "333333")
	other.Queries[0].Rights = result.Rights{}
	if s := one(t, base, other, ablations.Options{}).Singles; s.Dropped != 1 || s.Queries != 5 || s.Call == "" {
		t.Errorf("a query without a valid trace: %+v", s)
	}
	if s := one(t, side("base", "ccc"), side("other", "ccc"), ablations.Options{}).Singles; s != nil {
		t.Errorf("no trace has a verdict: %+v", s)
	}
}

// Fifteen losses are three documents: McNemar's p is far below .05, that of the clusters is .25.
func TestClustersDecide(t *testing.T) {
	base, other := traced("base", strings.Repeat("3", 60)), traced("other", strings.Repeat("0", 15)+strings.Repeat("3", 45))
	alone := one(t, base, other, ablations.Options{})
	got := one(t, inClusters(base, "doc-", 5), inClusters(other, "page-", 5), ablations.Options{})
	if alone.Call != result.Worse || alone.Clusters != nil || got.Call != result.Undetermined || got.Method != "sign-flip" || got.CI.Method != "tango-cr2" {
		t.Fatalf("%s alone, %s by clusters: %+v", alone.Call, got.Call, got)
	}
	near(t, "p", *got.P, .25, 1e-12)
	near(t, "p of single traces", *got.Singles.PSignFlip, .25, 1e-12)
	if c := got.Clusters; c.Clusters != 12 || c.Effective != 12 || c.Differing != 3 || !c.Enough || c.Renamed || len(c.Table) > 0 {
		t.Errorf("%+v", c)
	}
	if !(got.CI.Low < -.25 && got.CI.High > -.25 && got.CI.High-got.CI.Low > alone.CI.High-alone.CI.Low) || got.Singles.Call != result.Undetermined || got.Singles.Method != "sign-flip" {
		t.Errorf("%+v", got.CI)
	}
	// Six documents of twelve are .031.
	half := traced("half", strings.Repeat("0", 30)+strings.Repeat("3", 30))
	if got := one(t, inClusters(base, "doc-", 5), inClusters(half, "doc-", 5), ablations.Options{}); got.Call != result.Worse || got.Singles.Call != result.Worse {
		t.Errorf("six documents are called %s", got.Call)
	}
}

// Too few clusters, or one of most queries, give a table and no interval and no call.
func TestTooFewClusters(t *testing.T) {
	for name, size := range map[string]int{"nine": 7, "one": 63} {
		base, other := traced("base", strings.Repeat("3", 63)), traced("other", strings.Repeat("0", 63))
		got := one(t, inClusters(base, "doc-", size), inClusters(other, "doc-", size), ablations.Options{})
		if got.P != nil || got.PHolm != nil || got.CI != nil || got.MDE != nil || got.Call != result.Undetermined || got.Clusters.Enough ||
			len(got.Clusters.Table) != 63/size || got.Clusters.Table[0] != (result.ClusterPair{Cluster: "doc-0", Queries: size, CorrectBefore: size}) {
			t.Errorf("%s: %+v", name, got)
		}
		if s := got.Singles; s.CI != nil || s.P() != nil || s.PHolm != nil || s.Call != result.Undetermined || s.Difference == nil {
			t.Errorf("%s: %+v", name, s)
		}
	}
	base := inClusters(traced("base", strings.Repeat("3", 60)), "doc-", 1)
	for i := range 45 {
		base.Queries[i].Cluster = "the one"
	}
	other := base
	other.Name = "other"
	if got := one(t, base, other, ablations.Options{}); got.Clusters.Enough || got.Clusters.Clusters != 16 || got.CI != nil || got.Call != result.Undetermined {
		t.Errorf("one cluster of 45 among 60: %+v", got.Clusters)
	}
}

// Sides that divide the queries in other ways are compared by the clusters of the baseline.
func TestClustersOfTwoKinds(t *testing.T) {
	base, other := inClusters(traced("base", strings.Repeat("3", 60)), "doc-", 5), inClusters(traced("other", strings.Repeat("3", 60)), "doc-", 4)
	if got := one(t, base, other, ablations.Options{}); got.Clusters == nil || got.Clusters.Clusters != 12 || !got.Clusters.Renamed {
		t.Errorf("%+v", got.Clusters)
	}
	if got := one(t, base, traced("other", strings.Repeat("3", 60)), ablations.Options{}); got.Clusters == nil || !got.Clusters.Renamed {
		t.Errorf("%+v", got.Clusters)
	}
}

// Sameness is adjusted over the rows: what one row shows, five rows at the margin do not.
func TestEqualIsAdjusted(t *testing.T) {
	base := side("base", strings.Repeat("c", 52))
	sides := []ablations.Side{base}
	for i := range 5 {
		s := base
		s.Name = fmt.Sprint("row ", i)
		sides = append(sides, s)
		all, err := ablations.Against("base", sides, ablations.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := result.Equivalent
		if i > 0 {
			want = result.Undetermined
		}
		if all[0].Call != want || *all[0].PEqualHolm < *all[0].PEqual*float64(i+1)-1e-9 {
			t.Errorf("%d rows: %s, p %v and %v", i+1, all[0].Call, *all[0].PEqual, *all[0].PEqualHolm)
		}
	}
}
