package result

import (
	"cmp"
	"slices"

	"github.com/seed-5817661a/concur/ablations/result/votes"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/bag"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/runner/store"
)

// VoteWorth says what the vote of K traces gains over a single trace, for the queries with a valid trace.
type VoteWorth struct {
	Queries int `json:"queries"`
	// Worth is the mean over queries of a difference: the vote's result minus the share of right single traces.
	// The vote's result is 1 if right, and 0 if wrong. In a tie, it is the share of the leading classes that
	// are right. CI is the paired interval of Worth, with clusters as units if there are any.
	Worth float64   `json:"worth"`
	CI    *Interval `json:"ci"`
	// EffectiveTraces is the number of independent traces that give as much information as the K traces of a
	// query: K/(1+(K-1)·max(0, ICC)). It is nil if all traces have the same result. EffectiveCI is nil unless
	// at least ten queries have a wrong trace and at least ten have a right one.
	EffectiveTraces *float64  `json:"effective_traces"`
	EffectiveCI     *Interval `json:"effective_traces_ci"`
	// Hanging counts the queries whose leading answer has at most one vote more than the second answer. Tied
	// counts those of them in which both have the same number of votes. Share is Hanging divided by Queries.
	Hanging int       `json:"hanging"`
	Tied    int       `json:"tied"`
	Share   float64   `json:"share"`
	ShareCI *Interval `json:"share_ci"` // nil if clusters are too few or too unequal
}

// ballot holds the result of the vote on one query.
type ballot struct {
	of, cluster  string // of: the key of its pattern
	vote, single float64
	ruled, right int  // traces
	read, quorum bool // read: traces and their verdicts are available; quorum: a majority of traces gave an answer
	tied, hang   bool
}

func (b ballot) compare(c ballot) int {
	return cmp.Or(cmp.Compare(b.cluster, c.cluster), cmp.Compare(b.vote, c.vote), cmp.Compare(b.single, c.single),
		cmp.Compare(b.ruled, c.ruled), cmp.Compare(b.right, c.right), bag.OneIf(b.read)-bag.OneIf(c.read),
		bag.OneIf(b.quorum)-bag.OneIf(c.quorum), bag.OneIf(b.tied)-bag.OneIf(c.tied), bag.OneIf(b.hang)-bag.OneIf(c.hang),
		cmp.Compare(b.of, c.of))
}

// ballotOf reads the votes of a query. At least one trace of the query must be valid.
func ballotOf(r store.Record, p *votes.Pattern) ballot {
	b := ballot{of: p.Key, cluster: r.Cluster, ruled: p.Ruled, right: p.Right}
	n := p.Item.Traces()
	if n == 0 || p.Ruled < n {
		return b
	}
	b.read = true
	b.single = float64(p.Right) / float64(n)
	first, second, answers, leaders := 0, 0, 0, 0.0
	for _, c := range p.Item.Classes {
		answers += c.Votes
		second = max(second, min(first, c.Votes))
		if c.Votes > first {
			first, leaders, b.vote = c.Votes, 0, 0
		}
		if c.Votes == first {
			leaders++
			b.vote += float64(c.Right) / float64(c.Votes)
		}
	}
	if leaders > 0 {
		b.vote /= leaders
	}
	b.quorum = answers >= n/2+1
	b.tied, b.hang = first > 0 && first == second, first > 0 && first-second <= 1
	return b
}

// worth returns nil for K=1, and if the votes do not show what fewer traces would have decided, as for the K
// curve.
func (t *tally) worth(c store.Configuration) *VoteWorth {
	if c.K == 1 || t.noKCurve(c) != "" {
		return nil
	}
	var gains, hang stats.Values
	var right []int
	var out VoteWorth
	for b, times := range t.ballots.Counts(ballot.compare) {
		if !b.read {
			continue
		}
		if anyAnswer := consensus.Quorum(c.Consensus.Quorum) == consensus.QuorumNone; !anyAnswer && !b.quorum {
			b.vote = 0
		}
		gains.Add(b.vote-b.single, b.cluster, times)
		hang.Add(stats.Bit(b.hang), b.cluster, times)
		out.Hanging += times * bag.OneIf(b.hang)
		out.Tied += times * bag.OneIf(b.tied)
		if b.ruled == c.K {
			right = append(right, slices.Repeat([]int{b.right}, times)...)
		}
	}
	if out.Queries = gains.Len(); out.Queries == 0 {
		return nil
	}
	out.Worth, _ = gains.Mean()
	if found, ok := stats.NewPairedDifference(&gains, 1); ok {
		if i, ok := found.Interval(Level); ok {
			out.CI = &Interval{"tango-cr2", Level, i.Low, i.High}
		}
	}
	if of, ok := stats.NewTraceCorrelation(right, c.K, Level); ok {
		out.EffectiveTraces = &of.Effective
		if i := of.EffectiveCI; i != nil {
			out.EffectiveCI = &Interval{"jackknife", Level, i.Low, i.High}
		}
	}
	share := rateOf(&hang)
	out.Share, out.ShareCI = share.Value, share.CI
	return &out
}
