package stats_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

func TestMajorityVectors(t *testing.T) {
	for _, r := range vectors[[]struct {
		Counts     []int
		Correct, K int
		Split      float64
	}](t, "maj_at_k") {
		it := stats.Item{}
		for i, votes := range r.Counts {
			class := stats.Class{Votes: votes}
			if i == r.Correct {
				class.Right = votes
			}
			it.Classes = append(it.Classes, class)
		}
		got, ok := it.MajAtK(r.K, stats.Vote{})
		number(t, fmt.Sprintf("maj@%d of %v", r.K, r.Counts), got, ok, r.Split, tenDigits)
	}
}

// maj@3 (docs/method.md §4) has a closed form, with and without the quorum.
func TestMajorityOfThreeInClosedForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		right := rapid.IntRange(0, 8).Draw(t, "right")
		wrong := rapid.SliceOfN(rapid.IntRange(0, 6), 0, 5).Draw(t, "wrong")
		empty := rapid.IntRange(0, 8).Draw(t, "empty")
		it := stats.Item{Classes: []stats.Class{{Votes: right, Right: right}}, Empty: empty}
		var others, pairs float64
		for _, n := range wrong {
			it.Classes = append(it.Classes, stats.Class{Votes: n})
			pairs += others * float64(n)
			others += float64(n)
		}
		n, c, u := float64(it.Traces()), float64(right), float64(empty)
		if n < 3 {
			return
		}
		subsets := n * (n - 1) * (n - 2) / 6
		quorum := c*(c-1)*(c-2)/6 + c*(c-1)/2*(n-c) + c*pairs/3 + c*u*others/2
		got, _ := it.MajAtK(3, stats.Vote{})
		if want := quorum / subsets; !near(got, want, 1e-10) {
			t.Fatalf("with quorum %v, want %v", got, want)
		}
		got, _ = it.MajAtK(3, stats.Vote{NoQuorum: true})
		if want := (quorum + c*u*(u-1)/2) / subsets; !near(got, want, 1e-10) {
			t.Fatalf("without quorum %v, want %v", got, want)
		}
	})
}

// item draws a small item; several of its classes may be right, or in part.
func item(t *rapid.T, most int) stats.Item {
	it := stats.Item{Empty: rapid.IntRange(0, 3).Draw(t, "empty")}
	for range rapid.IntRange(0, most).Draw(t, "classes") {
		votes := rapid.IntRange(0, 4).Draw(t, "votes")
		it.Classes = append(it.Classes, stats.Class{Votes: votes, Right: rapid.IntRange(0, votes).Draw(t, "right")})
	}
	return it
}

// byHand votes over every subset of k of the traces.
func byHand(it stats.Item, k int, v stats.Vote) float64 {
	var traces []int // the class of each, -1 for empty
	for range it.Empty {
		traces = append(traces, -1)
	}
	for i, c := range it.Classes {
		for range c.Votes {
			traces = append(traces, i)
		}
	}
	sum, subsets := 0.0, 0.0
	for set := range 1 << len(traces) {
		votes, taken, answers := make([]int, len(it.Classes)), 0, 0
		for i, class := range traces {
			if set>>i&1 == 0 {
				continue
			}
			taken++
			if class >= 0 {
				answers++
				votes[class]++
			}
		}
		if taken != k {
			continue
		}
		subsets++
		lead, leaders, right := 1, 0.0, 0.0
		for i, n := range votes {
			if n > lead {
				lead, leaders, right = n, 0, 0
			}
			if n == lead {
				leaders++
				right += float64(it.Classes[i].Right) / float64(it.Classes[i].Votes)
			}
		}
		switch {
		case leaders == 0, !v.NoQuorum && answers < k/2+1:
		default:
			sum += right / leaders
		}
	}
	return sum / subsets
}

func TestMajorityAgainstEverySubset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		it := item(t, 3)
		if it.Traces() == 0 || it.Traces() > 11 {
			return
		}
		k := rapid.IntRange(1, it.Traces()).Draw(t, "k")
		v := stats.Vote{NoQuorum: rapid.Bool().Draw(t, "no quorum")}
		got, ok := it.MajAtK(k, v)
		if want := byHand(it, k, v); !ok || !near(got, want, 1e-10) {
			t.Fatalf("maj@%d of %+v by %+v = %v, %v, want %v", k, it, v, got, ok, want)
		}
	})
}

// Somebody wins each vote: the shares of all classes sum to the chance of a valid vote.
func TestMajoritySharesSumToOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		it := item(t, 6)
		it.Empty += rapid.IntRange(0, 20).Draw(t, "more empty")
		if it.Traces() == 0 {
			return
		}
		k := rapid.IntRange(1, it.Traces()).Draw(t, "k")
		v := stats.Vote{NoQuorum: rapid.Bool().Draw(t, "no quorum")}
		sum := 0.0
		all := stats.Item{Empty: it.Empty}
		for i, c := range it.Classes {
			one := stats.Item{Empty: it.Empty}
			for j, other := range it.Classes {
				class := stats.Class{Votes: other.Votes}
				if i == j {
					class.Right = class.Votes
				}
				one.Classes = append(one.Classes, class)
			}
			got, _ := one.MajAtK(k, v)
			sum += got
			all.Classes = append(all.Classes, stats.Class{Votes: c.Votes, Right: c.Votes})
		}
		want, _ := all.MajAtK(k, v)
		if !near(sum, want, 1e-9) {
			t.Fatalf("the shares of %+v at k=%d sum to %v, want %v", it, k, sum, want)
		}
		if v.NoQuorum {
			// Only a subset with only empty votes makes no decision.
			blank, _ := stats.PassHatK(it.Traces(), it.Empty, k)
			if !near(want, 1-blank, 1e-9) {
				t.Fatalf("valid votes %v, want %v", want, 1-blank)
			}
		}
	})
}
