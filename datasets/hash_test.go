package datasets_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
)

// The hashes of what does not use the options are those from before there were any: runs
// and baselines name their queries by them.
func TestOptionsLeaveOlderHashes(t *testing.T) {
	small, err := datasets.Load("testdata/small.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if want := "sha256:b7aca6ec1193584fb74b76a22bf533830d8234001b602201268fa4cd64bb92d7"; small.Hash != want {
		t.Errorf("the hash of small.yaml is %s, and was %s", small.Hash, want)
	}
	q := small.Queries[0]
	if want := "143c2ff8f49963be"; q.Hash() != want {
		t.Errorf("the hash of %s is %s, and was %s", q.ID, q.Hash(), want)
	}
	seen := map[string]answer.Options{q.Hash(): {}}
	for _, o := range []answer.Options{{Ordered: true}, {UnitOptional: true}, {PrefixDate: true}, {BarePercent: true}} {
		q.Gold.Options = o
		if same, again := seen[q.Hash()]; again {
			t.Errorf("%+v and %+v have one hash", o, same)
		}
		seen[q.Hash()] = o
	}
}
