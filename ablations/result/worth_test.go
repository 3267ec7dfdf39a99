package result

import (
	"math"
	"testing"

	"github.com/seed-5817661a/concur/ablations/result/votes"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/runner/store"
)

func TestBallot(t *testing.T) {
	class := func(votes, right int) stats.Class { return stats.Class{Votes: votes, Right: right} }
	for name, c := range map[string]struct {
		classes      []stats.Class
		empty, right int
		vote         float64
		tied, hang   bool
		quorum       bool
	}{
		"unanimous":           {[]stats.Class{class(3, 3)}, 0, 3, 1, false, false, true},
		"two of three":        {[]stats.Class{class(2, 2), class(1, 0)}, 0, 2, 1, false, true, true},
		"outvoted":            {[]stats.Class{class(1, 1), class(2, 0)}, 0, 1, 0, false, true, true},
		"a tie of three":      {[]stats.Class{class(1, 1), class(1, 0), class(1, 0)}, 0, 1, 1. / 3, true, true, true},
		"four to one":         {[]stats.Class{class(4, 4), class(1, 0)}, 0, 4, 1, false, false, true},
		"one answer, two not": {[]stats.Class{class(1, 1)}, 2, 1, 1, false, true, false},
		"no answer":           {nil, 3, 0, 0, false, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			n := c.empty
			for _, class := range c.classes {
				n += class.Votes
			}
			p := &votes.Pattern{Item: stats.Item{Classes: c.classes, Empty: c.empty}, Ruled: n, Right: c.right}
			b := ballotOf(store.Record{Query: "q"}, p)
			if !b.read || math.Abs(b.vote-c.vote) > 1e-12 || b.tied != c.tied || b.hang != c.hang || b.quorum != c.quorum {
				t.Errorf("%+v, want %+v", b, c)
			}
			if v := voteOf(p.Item, n, stats.Vote{NoQuorum: true}); math.Abs(v-b.vote) > 1e-9 {
				t.Errorf("the K curve has %v, the ballot %v", v, b.vote)
			}
		})
	}
	if b := ballotOf(store.Record{}, &votes.Pattern{}); b.read {
		t.Error("a query without traces has a vote")
	}
}

// worthOf is the worth of the vote on queries with so many right of three traces, each wrong one with the same answer.
func worthOf(k int, right ...int) *VoteWorth {
	c := store.Configuration{}
	c.K, c.Pass = k, "gold"
	tally := newTally(c, false)
	for _, x := range right {
		classes := []stats.Class{{Votes: x, Right: x}, {Votes: k - x}}
		p := &votes.Pattern{Item: stats.Item{Classes: classes}, Ruled: k, Right: x}
		if x == 0 || x == k {
			p.Item.Classes = []stats.Class{{Votes: k, Right: x}}
		}
		tally.ballots.Add(ballotOf(store.Record{}, p))
		tally.counts.Queries++
	}
	return tally.worth(c)
}

func TestVoteWorth(t *testing.T) {
	w := worthOf(3, 3, 3, 2, 2, 2, 1, 0, 3, 2, 3)
	if w.Queries != 10 || math.Abs(w.Worth-(4./3-1./3)/10) > 1e-12 || w.Hanging != 5 || w.Tied != 0 || w.Share != .5 {
		t.Errorf("%+v", w)
	}
	if w.CI == nil || !(w.CI.Low < w.Worth && w.Worth < w.CI.High) {
		t.Errorf("interval %v about %v", w.CI, w.Worth)
	}
	if w.EffectiveTraces == nil || *w.EffectiveTraces < 1 || *w.EffectiveTraces > 3 || w.EffectiveCI != nil {
		t.Errorf("%v independent traces, %v: six queries have a wrong trace", w.EffectiveTraces, w.EffectiveCI)
	}
	mixed := worthOf(3, 2, 2, 2, 1, 1, 2, 1, 2, 2, 1, 2, 0)
	if mixed.EffectiveCI == nil || mixed.EffectiveCI.Low > *mixed.EffectiveTraces {
		t.Errorf("no interval of %v independent traces", *mixed.EffectiveTraces)
	}
	if all := worthOf(3, 3, 3, 3); all.Worth != 0 || all.EffectiveTraces != nil || all.Hanging != 0 {
		t.Errorf("of queries that are always right: %+v", all)
	}
	if worthOf(1, 1, 0) != nil {
		t.Error("one trace has a vote")
	}
}
