package result_test

import (
	"fmt"
	"testing"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// inClusters is a run of K=1 with a query per letter, right where it is a capital, in the
// cluster of that letter; of a dot or a comma, right or wrong in none.
func inClusters(t *testing.T, letters string) *result.Clustered {
	t.Helper()
	var records []store.Record
	for i, l := range letters {
		verdict, cluster := judge.Incorrect, string(l|0x20)
		if l == '.' || l == ',' {
			cluster = ""
		}
		if l == '.' || l >= 'A' && l <= 'Z' {
			verdict = judge.Correct
		}
		r := record("default", fmt.Sprintf("q-%03d", i), "lookup", verdict, trace.Answered)
		r.Cluster = cluster
		records = append(records, r)
	}
	return summarize(t, manifest(len(records), 1, "default"), records...).Configurations[0].Clustered
}

func TestClusters(t *testing.T) {
	if c := inClusters(t, "Ab..,"); c != nil {
		t.Errorf("%+v where every query is a cluster of its own", c)
	}
	// Ten pairs, six of them right and four wrong: as ten queries, of which six are right.
	// SE² = (6·(2·0.4)² + 4·(2·0.6)²)/(1 - 1/10)/20² = 9.6·10/9/400, and m(1-m)/SE² is 9.
	pairs := inClusters(t, "AABBCCDDEEFFgghhiijj")
	if pairs == nil || pairs.Clusters != 10 {
		t.Fatalf("%+v, want ten clusters", pairs)
	}
	is(t, "SE", pairs.SE, 0.1632993)
	between(t, "ten pairs", pairs.CI, "wilson-cr2", .26658, .86092)

	few := inClusters(t, "AAbb.,")
	if few == nil || few.Clusters != 4 || few.SE == nil || few.CI != nil {
		t.Errorf("%+v, want four clusters with an error and no interval", few)
	}
	if one := inClusters(t, "AAa"); one == nil || one.Clusters != 1 || one.SE != nil || one.CI != nil {
		t.Errorf("%+v, want one cluster of which no error is known", one)
	}
	// What nobody failed on is no proof of certainty: it counts as many as there are clusters.
	all := inClusters(t, "AA.........")
	between(t, "all right", all.CI, "wilson-cr2", .6394, 1)
}

// votedIn is a run of K=3 whose queries belong two by two to one cluster; the rest of them, if any, to none.
func votedIn(t *testing.T, pairs int, queries ...string) result.Configuration {
	t.Helper()
	var records []store.Record
	for i, traces := range queries {
		r := voted("default", fmt.Sprintf("q-%03d", i), "lookup", traces)
		if i < 2*pairs {
			r.Cluster = fmt.Sprint("pair ", i/2)
		}
		records = append(records, r)
	}
	return summarize(t, manifest(len(records), 3, "default"), records...).Configurations[0]
}

// Ten pairs of queries that are right or wrong together know as much as ten queries, in every figure of a rate: the
// interval is that of the pass rate above. As twenty queries it would be [.3866, .7812].
func TestRatesOfDependentQueries(t *testing.T) {
	var queries []string
	for i := range 20 {
		traces := "+a +a +a"
		if i >= 12 {
			traces = "-b -b -b"
		}
		queries = append(queries, traces)
	}
	c := votedIn(t, 10, queries...)
	for name, ci := range map[string]*result.Interval{
		"pass rate": c.CI, "pass@3": c.Reliability.PassAtK.CI, "pass^3": c.Reliability.PassHatK.CI,
		"right if unanimous": c.Reliability.AccuracyIfUnanimous.CI, "before labels": c.Judged.CI,
		"accuracy at 3 of 3": c.Confidence.Levels[0].Accuracy.CI,
		"k=1 of the curve":   c.KCurve.Points[0].Accuracy.CI, "k=3 of the curve": c.KCurve.Points[2].Accuracy.CI,
	} {
		between(t, name, ci, "wilson-cr2", .26658, .86092)
	}
	if c.Vote.ShareCI == nil || c.Vote.ShareCI.Method != "wilson-cr2" || c.Vote.ShareCI.High < .2 {
		t.Errorf("%+v where no verdict hangs, want ten clusters' uncertainty", c.Vote.ShareCI)
	}
}

// Nine pairs are too few clusters: no figure of a rate has an interval, and the gain of the vote has no p.
func TestRatesOfTooFewClusters(t *testing.T) {
	queries := make([]string, 18)
	for i := range queries {
		queries[i] = "+a +a -b"
	}
	c := votedIn(t, 9, queries...)
	for name, ci := range map[string]*result.Interval{
		"pass@3": c.Reliability.PassAtK.CI, "pass^3": c.Reliability.PassHatK.CI, "before labels": c.Judged.CI,
		"accuracy at 2 of 3": c.Confidence.Levels[0].Accuracy.CI, "k=1 of the curve": c.KCurve.Points[0].Accuracy.CI,
		"verdicts that hang": c.Vote.ShareCI, "gain": c.KCurve.Gain.CI,
	} {
		if ci != nil {
			t.Errorf("%s: %+v from nine clusters", name, ci)
		}
	}
	is(t, "pass@3", c.Reliability.PassAtK.Value, 1)
	undefined(t, "p of the gain", c.KCurve.Gain.P)
}

// The gain of the vote over single traces counts a cluster as one: five pairs of twelve clusters gain, which ten
// queries alone would call a gain (2/1024), and five clusters cannot (2/32).
func TestGainOfDependentQueries(t *testing.T) {
	var queries []string
	for range 10 {
		queries = append(queries, "+a +a -b")
	}
	for range 14 {
		queries = append(queries, "+a +a +a")
	}
	g := votedIn(t, 12, queries...).KCurve.Gain
	is(t, "gain", &g.Difference, 10./24/3)
	is(t, "p", g.P, 2./32)
	if g.CI == nil || g.CI.Method != "tango-cr2" {
		t.Errorf("%+v, want an interval by clusters", g.CI)
	}
}
