package result

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/ablations/result/votes"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

const (
	MaxCurve = 256 // the largest K for which subsets are counted
	// maxEveryK is the largest k up to which the curve has every point. For larger k, counting is slow, and one
	// more trace changes little.
	maxEveryK = 16
	// maxFlips is the maximum number of random signs that the test of a gain draws, to limit its time. But the
	// test makes at least minDraws draws. The standard error of p is then below 0.016.
	maxFlips, minDraws = 20_000_000, 1_000
)

// kCurve returns the curve, or the reason why the curve is undefined.
func (t *tally) kCurve(c store.Configuration, seed int64) (*KCurve, string) {
	if why := t.noKCurve(c); why != "" {
		return nil, why
	}
	curve := &KCurve{Points: []KPoint{}}
	patterns := &t.votes.Patterns
	rule := stats.Vote{NoQuorum: consensus.Quorum(c.Consensus.Quorum) == consensus.QuorumNone}
	for _, k := range CurveKs(c.K) {
		p := PointOf(patterns, k, rule)
		t.charge(&p)
		curve.Points = append(curve.Points, p)
	}
	curve.Gain = gainOf(patterns.All(), c.K, rule, seed)
	t.byClusters(curve, c.K, rule, seed)
	return curve, ""
}

// byClusters takes clusters as the units of the curve's intervals and of the gain's p, if at least two queries
// belong to the same cluster (docs/method.md §5.3, §5.4).
func (t *tally) byClusters(curve *KCurve, most int, rule stats.Vote, seed int64) {
	if !t.outcomes.rights(false).Together() {
		return
	}
	if most == 1 { // without ballots
		curve.Points[0].Accuracy.CI = t.outcomes.estimate(func(q outcome) bool { return q.valid > 0 },
			func(q outcome) bool { return q.right > 0 }).CI
		return
	}
	for i := range curve.Points {
		p := &curve.Points[i]
		votes := t.votesOf(p.K, func(of stats.Item) float64 { return voteOf(of, p.K, rule) })
		if votes.Together() {
			_, p.Accuracy.CI, _ = clusteredRate(votes)
		}
	}
	gains := t.votesOf(most, func(of stats.Item) float64 { return voteOf(of, most, rule) - voteOf(of, 1, rule) })
	found, ok := stats.NewPairedDifference(gains, 1)
	if !ok || !gains.Together() || curve.Gain == nil {
		return
	}
	g := curve.Gain
	g.CI, g.P = nil, stats.Defined(found.SignFlip(uint64(seed), drawsFor(found.Differing)))
	if ci, ok := found.Interval(Level); ok {
		g.CI = &Interval{"tango-cr2", Level, ci.Low, ci.High}
	}
}

// votesOf returns a figure of each query with least traces or more, and its cluster.
func (t *tally) votesOf(least int, figure func(stats.Item) float64) *stats.Values {
	var values stats.Values
	known := map[string]float64{}
	for b, times := range t.ballots.Counts(ballot.compare) {
		of := t.votes.Patterns.Of(b.of)
		if of.Item.Traces() < least {
			continue
		}
		v, is := known[b.of]
		if !is {
			v = figure(of.Item)
			known[b.of] = v
		}
		values.Add(v, b.cluster, times)
	}
	return &values
}

// drawsFor returns the number of random sign patterns for a test of this number of differences.
func drawsFor(differing int) int {
	return min(max(maxFlips/max(1, differing), minDraws), stats.DefaultDraws)
}

func (t *tally) noKCurve(c store.Configuration) string {
	n := t.counts.Queries
	switch {
	case n == 0:
		return "the run has no queries"
	case t.counts.Missing > 0:
		return "the run is not complete"
	case c.K > MaxCurve:
		return fmt.Sprintf("K is above %d", MaxCurve)
	case c.Pass != judge.PassGold:
		return fmt.Sprintf("pass is %s, and judges see the consensus, not every trace", c.Pass)
	case t.votes.Judged > 0:
		return fmt.Sprintf("a judge decided on %d of %d queries, and judges see the consensus, not every trace",
			t.votes.Judged, n)
	case t.votes.NoGold > 0:
		return fmt.Sprintf("%d of %d queries have no gold", t.votes.NoGold, n)
	case t.votes.Unclear > 0:
		return fmt.Sprintf("the votes of %d of %d queries do not define the decision of fewer traces",
			t.votes.Unclear, n)
	case t.traces.QueriesWithoutValid == n:
		return "no query has a valid trace"
	}
	return ""
}

// CurveKs returns every k up to maxEveryK, then odd numbers that grow by a factor of about √2, and K.
func CurveKs(most int) []int {
	var out []int
	for k := 1; k < most; {
		out = append(out, k)
		if k < maxEveryK {
			k++
		} else {
			k = int(float64(k)*math.Sqrt2) | 1
		}
	}
	return append(out, most)
}

// charge adds the mean costs of k traces to a point; the means are over all traces.
func (t *tally) charge(p *KPoint) {
	agent := t.usage.Roles[store.AgentRole]
	share := float64(p.K) / float64(t.traces.Total)
	p.ModelCalls = float64(agent.ModelCalls) * share
	p.Tokens = float64(agent.InputTokens+agent.OutputTokens) * share
	if agent.USD != nil {
		usd := *agent.USD * share
		p.USD = &usd
	}
}

// PointOf returns the point of the curve for k, without costs, over the queries with at least k traces.
func PointOf(ps *votes.Patterns, k int, rule stats.Vote) KPoint {
	p := KPoint{K: k}
	var accuracy stats.Values
	var queries, dropped int
	var some, all, same, right float64
	for _, q := range ps.All() {
		if q.Item.Traces() < k {
			dropped += q.Queries
			continue
		}
		n := float64(q.Queries)
		queries += q.Queries
		vote := voteOf(q.Item, k, rule)
		accuracy.Add(vote, "", q.Queries)
		at, _ := stats.PassAtK(q.Ruled, q.Right, k)
		some += n * at
		hat, _ := stats.PassHatK(q.Ruled, q.Right, k)
		all += n * hat
		u, r, _ := q.Item.Unanimity(k)
		same += n * u
		right += n * r
	}
	p.Accuracy = accuracyOf(&accuracy, dropped)
	n := float64(queries)
	p.PassAtK, p.PassHatK = meanOver(some, n), meanOver(all, n)
	if k > 1 {
		p.Unanimous = meanOver(same, n)
	}
	p.AccuracyIfUnanimous = meanOver(right, same)
	return p
}

// voteOf returns the probability that the vote of k of the item's traces is right. It rounds the result,
// because otherwise floating-point errors would look like differences between queries.
func voteOf(it stats.Item, k int, rule stats.Vote) float64 {
	v, _ := it.MajAtK(k, rule)
	return math.Round(v*1e12) / 1e12
}

// accuracyOf returns the mean of values with an interval. The interval is Wilson's if every value is 0 or 1, as
// for k=K without ties. Otherwise it is Wilson's with the effective number of queries (docs/method.md §5.3).
func accuracyOf(values *stats.Values, dropped int) Estimate {
	n, right := values.Len(), values.Count(1)
	if right+values.Count(0) == n {
		return estimate(right, n, n+dropped)
	}
	mean, _ := values.Mean()
	e := Estimate{Value: &mean, Queries: n, Dropped: dropped}
	se, known := stats.StandardError(values)
	if i, ok := stats.EffectiveInterval(mean, se, n, Level); known && ok {
		e.CI = &Interval{"wilson-effective", Level, i.Low, i.High}
	}
	return e
}

// meanOver returns sum/n; nil if n is 0. Because of rounding, sum may be slightly larger than n; the result is
// then 1.
func meanOver(sum, n float64) *float64 { return ratio(min(sum, n), n) }

// gainOf compares K traces with one trace. It returns nil for K=1, and if no query has K traces.
func gainOf(patterns []votes.Pattern, k int, rule stats.Vote, seed int64) *KGain {
	if k == 1 {
		return nil
	}
	var gains stats.Values
	var changed []float64
	for _, p := range patterns {
		if p.Item.Traces() != k {
			continue
		}
		d := voteOf(p.Item, k, rule) - voteOf(p.Item, 1, rule)
		gains.Add(d, "", p.Queries)
		if d != 0 {
			changed = append(changed, slices.Repeat([]float64{d}, p.Queries)...)
		}
	}
	mean, ok := gains.Mean()
	if !ok {
		return nil
	}
	p, ok := stats.SignFlipTest(changed, uint64(seed), drawsFor(len(changed)))
	if !ok {
		return nil
	}
	return &KGain{Difference: mean, CI: MeanInterval(&gains), P: &p, Queries: gains.Len()}
}

// MeanInterval returns Student's interval of the mean of paired differences, one per query. It returns nil for
// fewer than two differences, and if all are equal, because equal differences do not prove that further ones
// would be equal.
func MeanInterval(differences *stats.Values) *Interval {
	mean, _ := differences.Mean()
	se, _ := stats.StandardError(differences)
	if i, ok := stats.TInterval(mean, se, differences.Len()-1, Level); ok && se > 0 {
		return &Interval{"t", Level, i.Low, i.High}
	}
	return nil
}
