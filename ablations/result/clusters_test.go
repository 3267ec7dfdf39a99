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
