package consensus_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/trace"
)

func decideWith(t interface {
	Helper()
	Fatal(...any)
}, q consensus.Quorum, ballots []consensus.Ballot) consensus.Decision {
	t.Helper()
	d, err := consensus.Decider{Stages: stages(), Quorum: q}.Decide(context.Background(), question(), ballots)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The cases of TestDecide in which the quorum counts, with none.
func TestQuorumNone(t *testing.T) {
	for _, c := range []struct {
		name, votes    string
		method         consensus.Method
		key            string
		representative int
		m1             int
		unscored       bool
	}{
		{"unanimous", "xxx", consensus.Exact, "x", 0, 3, false},
		{"a failure breaks unanimity", "xnx", consensus.Majority, "x", 0, 2, false},
		{"one vote of three", "nnx", consensus.Majority, "x", 2, 1, false},
		{"infra takes no quorum", "xin", consensus.Majority, "x", 0, 1, false},
		{"two of eight", "nnxnnnxn", consensus.Majority, "x", 2, 2, false},
		{"two of three votes of eight", "nnxnnyxn", consensus.Majority, "x", 2, 2, false},
		{"half of the votes is no majority", "xxyznnnn", consensus.Plurality, "x", 0, 2, false},
		{"refusals vote", "rnnrxnnn", consensus.Majority, "refused", 0, 2, false},
		{"all no_answer", "nnn", consensus.None, "", -1, 0, false},
		{"all infra", "iii", consensus.None, "", -1, 0, true},
		{"no vote, and one that was lost", "inn", consensus.None, "", -1, 0, true},
		{"K=1", "x", consensus.Single, "x", 0, 0, false},
		{"K=1 no_answer", "n", consensus.None, "", -1, 0, false},
		{"no trace at all", "", consensus.None, "", -1, 0, false},
	} {
		d := decideWith(t, consensus.QuorumNone, cast(c.votes))
		if d.Method != c.method || d.Unscored != c.unscored {
			t.Errorf("%s: method %s, unscored %v, want %s, %v", c.name, d.Method, d.Unscored, c.method, c.unscored)
		}
		checkDecided(t, c.name, d, c.key, c.representative)
		if k := len(c.votes); k > 1 && !near(d.Agreement, float64(c.m1)/float64(k)) {
			t.Errorf("%s: agreement %v, want %d/%d: it is of K under any quorum", c.name, show(d.Agreement), c.m1, k)
		}
	}
}

// Without a quorum, the traces that did not vote decide nothing: the votes alone come to
// the same, under either quorum, and where all voted there is no difference.
func TestQuorumNoneIsOfTheVotes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := ballots(t)
		var votes []consensus.Ballot
		for _, b := range in {
			if b.Outcome.Votes() {
				votes = append(votes, b)
			}
		}
		d := decideWith(t, consensus.QuorumNone, in)
		alone := decideWith(t, consensus.QuorumMajority, votes)
		if show(d.Key) != show(alone.Key) || show(d.Representative) != show(alone.Representative) {
			t.Fatalf("%v decides for %s, its votes alone for %s", in, show(d.Key), show(alone.Key))
		}
		if len(votes) > 0 && (d.Method == consensus.None || d.Unscored) {
			t.Fatalf("%v has votes and comes to %s, unscored %v", in, d.Method, d.Unscored)
		}
		if diff := cmp.Diff(decideWith(t, "", in), countVotes(in, stages())); diff != "" {
			t.Fatalf("the zero quorum is not the majority (-want +got):\n%s", diff)
		}
		most := decideWith(t, consensus.QuorumMajority, in)
		if show(d.Agreement) != show(most.Agreement) || show(d.Margin) != show(most.Margin) || show(d.Entropy) != show(most.Entropy) {
			t.Fatalf("agreement, margin or entropy of %v depend on the quorum: %+v, %+v", in, d, most)
		}
		if len(votes) == len(in) {
			if diff := cmp.Diff(most, d); diff != "" {
				t.Fatalf("all of %v voted, and the quorum counts:\n%s", in, diff)
			}
		}
	})
}

// The verifier's merges count as votes do.
func TestQuorumNoneAfterMerging(t *testing.T) {
	d := verified(oracle(yes))
	d.Quorum = consensus.QuorumNone
	got, err := d.Decide(t.Context(), question(), cast("xynnnnnn"))
	if err != nil || got.Method != consensus.Majority || len(got.Votes) != 1 {
		t.Errorf("%s of %v, %v; want a majority of one class", got.Method, got.Votes, err)
	}
	d.Quorum = consensus.QuorumMajority
	if got, err = d.Decide(t.Context(), question(), cast("xynnnnnn")); err != nil || got.Method != consensus.None || got.Outcome != trace.NoAnswer {
		t.Errorf("%s, %v; want none of two votes of eight", got.Method, err)
	}
}

func TestUnknownQuorum(t *testing.T) {
	_, err := consensus.Decider{Stages: stages(), Quorum: "half"}.Decide(t.Context(), question(), cast("xxx"))
	if err == nil || !strings.Contains(err.Error(), `quorum "half" is not known: use majority or none`) {
		t.Errorf("error %v", err)
	}
}
