package consensus_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
	"github.com/seed-5817661a/concur/trace"
)

// drawVotes draws K traces over a few keys, of which "?" and "??" are ambiguous, and some traces without a vote.
func drawVotes(r *rand.Rand, k int) []consensus.Ballot {
	names := []string{"v", "w", "x", "?", "??"}
	few := 1 + r.IntN(len(names))
	in := make([]consensus.Ballot, k)
	for i := range in {
		switch r.IntN(8) {
		case 0:
			in[i] = consensus.Ballot{Trace: i, Outcome: trace.NoAnswer}
		case 1:
			in[i] = consensus.Ballot{Trace: i, Outcome: trace.Infra}
		default:
			key := names[(len(names)-few+r.IntN(few))%len(names)]
			in[i] = answered(i, key)
			in[i].Ambiguous = key[0] == '?'
		}
	}
	return in
}

// TestRepresentative holds the representative of merged classes against docs/method.md §3.2, step 6: a trace of the
// most frequent key that is not ambiguous; of equally frequent keys, and of equal traces, the lowest index. Where all
// keys are ambiguous, the lowest index.
func TestRepresentative(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 1))
	merged, onlyAmbiguous, passedOver := 0, 0, 0
	for range 3000 {
		in := drawVotes(r, 2+r.IntN(7))
		d := decide(t, verified(oracle(yes)), in)
		if d.Method == consensus.None {
			continue
		}
		votes := map[string]int{}
		for _, i := range d.Votes[0].Traces {
			if !in[i].Ambiguous {
				votes[in[i].Key]++
			}
		}
		want := d.Votes[0].Traces[0]
		for _, i := range d.Votes[0].Traces {
			if n, most := votes[in[i].Key], votes[in[want].Key]; n > most || n == most && i < want {
				want = i
			}
		}
		if *d.Representative != want || *d.Key != in[want].Key || *d.Answer != in[want].Answer {
			t.Fatalf("keys %q: trace %d represents %v, by the text %d", keysOf(in), *d.Representative, d.Votes[0], want)
		}
		if len(d.Votes[0].Keys) > 1 && slices.ContainsFunc(d.Votes[0].Keys, func(k string) bool { return k != in[want].Key }) {
			merged++
		}
		if len(votes) == 0 {
			onlyAmbiguous++
		}
		if want != d.Votes[0].Traces[0] {
			passedOver++
		}
	}
	if merged < 100 || onlyAmbiguous < 100 || passedOver < 100 {
		t.Errorf("%d merged classes, %d of ambiguous keys alone, %d not represented by their first trace: too few of a kind", merged, onlyAmbiguous, passedOver)
	}
}

// TestDrawnAmbiguousKeysAreNeverExact: equal ambiguous keys count together, but are not exact (docs/method.md §2.2).
func TestDrawnAmbiguousKeysAreNeverExact(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 2))
	alike := 0
	for range 1000 {
		in := drawVotes(r, 2+r.IntN(3))
		d := countVotes(in, stages())
		same := !slices.ContainsFunc(in, func(b consensus.Ballot) bool { return !b.Outcome.Votes() || b.Key != in[0].Key })
		exact := same && !in[0].Ambiguous
		if exact != (d.Method == consensus.Exact) {
			t.Fatalf("keys %q are decided by %s", keysOf(in), d.Method)
		}
		if same && in[0].Ambiguous {
			alike++
			if d.Method != consensus.Majority || *d.Agreement != 1 {
				t.Fatalf("keys %q: %s with agreement %v, want a majority of all", keysOf(in), d.Method, *d.Agreement)
			}
		}
	}
	if alike < 20 {
		t.Errorf("only %d draws have one ambiguous key", alike)
	}
}

// TestFailedVerifierLeavesSmallLeadsUnscored: where the verifier's model fails, a merge could have changed a plurality
// and a tie, but no majority (docs/method.md §3.2).
func TestFailedVerifierLeavesSmallLeadsUnscored(t *testing.T) {
	fails := &askingtest.Fake{Answer: func(context.Context, model.Request) (string, error) { return "", errors.New("down") }}
	r := rand.New(rand.NewPCG(41, 3))
	seen := map[string]int{}
	for range 1500 {
		in := drawVotes(r, 2+r.IntN(6))
		d := decide(t, verified(fails), in)
		counted := countVotes(in, stages())
		if d.Method == consensus.Semantic && d.Effort.Calls == 0 { // one class of ambiguous keys needs no verifier
			counted.Method = consensus.Semantic
		}
		if d.Method != counted.Method || show(d.Key) != show(counted.Key) {
			t.Fatalf("keys %q: a verifier that fails changes %s to %s", keysOf(in), counted.Method, d.Method)
		}
		small := d.Method == consensus.Plurality || d.Method == consensus.Tie
		if want := counted.Unscored || small && d.Effort.Errors > 0; d.Unscored != want {
			t.Fatalf("keys %q: %s with %d errors has unscored %t", keysOf(in), d.Method, d.Effort.Errors, d.Unscored)
		}
		if d.Effort.Errors > 0 {
			seen[string(d.Method)]++
		}
	}
	for _, m := range []consensus.Method{consensus.Majority, consensus.Plurality, consensus.Tie} {
		if seen[string(m)] < 20 {
			t.Errorf("only %d draws with a failure are decided by %s: %v", seen[string(m)], m, seen)
		}
	}
}

// TestQuorumNoneIsOfTheVotesAlone: with the published rule the traces without a vote count for nothing: the decision is that of the
// votes alone with their own majority, but for unanimity, which is of all K (docs/method.md §3.2).
func TestQuorumNoneIsOfTheVotesAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 4))
	differ := 0
	for range 2000 {
		in := drawVotes(r, 2+r.IntN(7))
		published, err := consensus.Decider{Stages: stages(), Quorum: consensus.QuorumNone}.Decide(t.Context(), question(), in)
		if err != nil {
			t.Fatal(err)
		}
		votes := slices.DeleteFunc(slices.Clone(in), func(b consensus.Ballot) bool { return !b.Outcome.Votes() })
		if len(votes) == 0 {
			if published.Method != consensus.None {
				t.Fatalf("decided without a vote: %+v", published)
			}
			continue
		}
		alone := countVotes(votes, stages())
		want := alone.Method
		if len(votes) < len(in) && (want == consensus.Exact || want == consensus.Single) {
			want = consensus.Majority
		}
		if published.Method != want || show(published.Key) != show(alone.Key) {
			t.Fatalf("keys %q: %s for %s, of the votes alone %s for %s", keysOf(in), published.Method, show(published.Key), want, show(alone.Key))
		}
		if countVotes(in, stages()).Method != published.Method {
			differ++
		}
	}
	if differ < 100 {
		t.Errorf("only %d draws differ from the rule with a quorum", differ)
	}
}

// keysOf shows votes in a failure; a trace without a vote is its outcome.
func keysOf(in []consensus.Ballot) (out []string) {
	for _, b := range in {
		if b.Key == "" {
			b.Key = fmt.Sprintf("(%s)", b.Outcome)
		}
		out = append(out, b.Key)
	}
	return out
}
