package consensus_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/trace"
)

// ballots draws K ballots over few keys, so that every method comes up.
func ballots(t *rapid.T) []consensus.Ballot {
	out := make([]consensus.Ballot, rapid.IntRange(0, 9).Draw(t, "K"))
	for i := range out {
		b := consensus.Ballot{Trace: i, Outcome: rapid.SampledFrom([]trace.Outcome{
			trace.Answered, trace.Answered, trace.Answered, trace.Refused, trace.Abstained, trace.NoAnswer, trace.Infra,
		}).Draw(t, "outcome")}
		switch b.Outcome {
		case trace.Answered:
			b.Key = rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "key")
			b.Answer = b.Key
			b.Ambiguous = b.Key == "z"
			b.Supporting = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"c:1", "c:2", "c:3"}), 0, 3, rapid.ID[string]).Draw(t, "supporting")
		case trace.Refused, trace.Abstained:
			b.Key = string(b.Outcome)
		}
		out[i] = b
	}
	return out
}

// shuffled is a permutation that rapid can shrink.
func shuffled(t *rapid.T, in []consensus.Ballot) []consensus.Ballot {
	return rapid.Permutation(in).Draw(t, "order")
}

func TestOrderOfBallotsNeverMatters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := ballots(t)
		want := countVotes(in, stages())
		if diff := cmp.Diff(want, countVotes(shuffled(t, in), stages())); diff != "" {
			t.Fatalf("another order (-want +got):\n%s", diff)
		}
	})
}

func TestDecideDoesNotTouchItsInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := shuffled(t, ballots(t))
		before := slices.Clone(in)
		countVotes(in, stages())
		if diff := cmp.Diff(before, in, cmpopts.IgnoreUnexported(consensus.Ballot{})); diff != "" {
			t.Fatalf("the ballots changed (-before +after):\n%s", diff)
		}
	})
}

// Which trace gave which answer says nothing about the answer: the tie-break included,
// since it looks at documents and keys alone.
func TestIndicesNeverMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := ballots(t)
		want := countVotes(in, stages())
		renumbered := shuffled(t, in)
		for i := range renumbered {
			renumbered[i].Trace = i
		}
		got := countVotes(renumbered, stages())
		if got.Method != want.Method || got.Unscored != want.Unscored || show(got.Key) != show(want.Key) ||
			show(got.Agreement) != show(want.Agreement) || show(got.Margin) != show(want.Margin) {
			t.Fatalf("other indices give %+v, want %+v", got, want)
		}
	})
}

func TestDecisionInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := ballots(t)
		k := len(in)
		d := countVotes(in, stages())

		noAnswer, votes, largest := 0, 0, 0
		seen := map[int]bool{}
		for _, b := range in {
			if b.Outcome == trace.NoAnswer {
				noAnswer++
			}
		}
		for _, v := range d.Votes {
			votes += len(v.Traces)
			largest = max(largest, len(v.Traces))
			for _, i := range v.Traces {
				if seen[i] || in[i].Key != v.Key {
					t.Fatalf("trace %d stands wrongly in %+v", i, d.Votes)
				}
				seen[i] = true
			}
		}
		if votes != d.Valid || d.Valid+d.Infra+noAnswer != k {
			t.Fatalf("%d votes, %d valid, %d infra, %d no_answer do not make K=%d", votes, d.Valid, d.Infra, noAnswer, k)
		}
		if k > 1 != (d.Agreement != nil) || k > 1 != (d.Margin != nil) || (d.Valid > 0) != (d.Entropy != nil) {
			t.Fatalf("K=%d: agreement %s, margin %s, entropy %s", k, show(d.Agreement), show(d.Margin), show(d.Entropy))
		}
		if k > 1 && !(0 <= *d.Margin && *d.Margin <= *d.Agreement && *d.Agreement <= 1) {
			t.Fatalf("margin %v, agreement %v are not within [0, 1] in this order", *d.Margin, *d.Agreement)
		}
		if !slices.Contains(consensus.Methods(), d.Method) {
			t.Fatalf("method %s is not in the list of methods", d.Method)
		}
		if d.Unscored && d.Method != consensus.None {
			t.Fatalf("unscored, yet decided: %+v", d)
		}
		if d.Method == consensus.None {
			return
		}
		if d.Votes[0].Key != *d.Key || len(d.Votes[0].Traces) != largest || d.Votes[0].Traces[0] != *d.Representative {
			t.Fatalf("the decided class does not lead: %+v", d)
		}
		if d.Valid < k/2+1 {
			t.Fatalf("decided by %d of K=%d, below the quorum", d.Valid, k)
		}
		if unanimous := largest == k; d.Method == consensus.Exact && (!unanimous || in[*d.Representative].Ambiguous) {
			t.Fatalf("exact, though not unanimous and clear: %+v", d)
		}
		if over := 2*largest > k; over != (d.Method == consensus.Exact || d.Method == consensus.Majority || d.Method == consensus.Single) {
			t.Fatalf("%d of K=%d decided by %s", largest, k, d.Method)
		}
	})
}

// As many non-votes as votes, and nothing is decided, whatever the votes agree on.
func TestNonVotesNeverWin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := ballots(t)
		for range in {
			o := rapid.SampledFrom([]trace.Outcome{trace.NoAnswer, trace.Infra}).Draw(t, "non-vote")
			in = append(in, consensus.Ballot{Trace: len(in), Outcome: o})
		}
		if d := countVotes(in, stages()); d.Method != consensus.None {
			t.Fatalf("%d votes of K=%d decided: %+v", d.Valid, len(in), d)
		}
	})
}
