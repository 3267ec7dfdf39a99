package result

import (
	"cmp"
	"iter"

	"github.com/seed-5817661a/concur/internal/bag"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// MaxUnruled is a share of traces without a verdict. If more traces have none, the mean of single traces is
// only known as a range.
const MaxUnruled = 0.02

// Rights counts the traces of a query. Valid are those that were not lost to the infrastructure, Ruled those of
// them that have a verdict, and Right those whose verdict is correct.
type Rights struct{ Valid, Ruled, Right int }

// Share returns the share of right traces among the traces with a verdict. Ruled must not be 0.
func (n Rights) Share() float64 { return float64(n.Right) / float64(n.Ruled) }

// Interval returns the ends of the interval, at [Level], for the chance that the next trace of the query is right:
// Wilson's, with the valid traces as trials (docs/method.md §5.9). For the lower end the traces without a verdict count
// as wrong, and for the upper end as right. It is [0, 1] if no trace is valid.
func (n Rights) Interval() (low, high float64) {
	low, _ = stats.Wilson(n.Right, n.Valid, Level)
	_, high = stats.Wilson(n.Right+n.Valid-n.Ruled, n.Valid, Level)
	return low, high
}

// RightsOf counts the traces of a record.
func RightsOf(r store.Record) (n Rights) {
	for _, a := range r.Answers {
		if a.Outcome != trace.Infra {
			n.Valid++
			n.Ruled += bag.OneIf(a.Verdict != judge.Unscored)
			n.Right += bag.OneIf(a.Verdict == judge.Correct)
		}
	}
	return n
}

// Singles is the mean over queries of the share of their traces that are right (docs/method.md §5.3), with
// Wilson's interval of the effective number of traces.
type Singles struct {
	Estimate     // Value is nil if Bounds is set
	Traces   int `json:"traces"` // traces that were not lost to the infrastructure
	// Unruled counts the traces that have no verdict; they are left out. If they are more than 2 % of Traces,
	// only Bounds is known: the mean if all of them were wrong, and the mean if all were right.
	Unruled int         `json:"unruled"`
	Bounds  *[2]float64 `json:"bounds"`
	// Corrected is the mean of right traces, if a calibrated judge decides; else nil.
	Corrected *Corrected `json:"corrected"`
}

// outcome is the contribution of one query to the rates and to the figures of single traces.
type outcome struct {
	cluster             string  // "" for none
	agreement           float64 // of its traces; -1 if undefined
	valid, ruled, right int32   // as in Rights
	verdict, before     ruling  // before: before a label
	unanimous           bool    // all traces voted, for one class
}

// compare defines an order of outcomes. With it, sums do not depend on the order of the records.
func (q outcome) compare(r outcome) int {
	return cmp.Or(cmp.Compare(q.cluster, r.cluster), cmp.Compare(q.valid, r.valid), cmp.Compare(q.ruled, r.ruled),
		cmp.Compare(q.right, r.right), cmp.Compare(q.verdict, r.verdict), cmp.Compare(q.before, r.before),
		cmp.Compare(q.agreement, r.agreement), bag.OneIf(q.unanimous)-bag.OneIf(r.unanimous))
}

// ruling is a verdict of judge in one byte.
type ruling uint8

const (
	incorrect ruling = iota
	correct
	unscored
)

func rulingOf(v judge.Ruling) ruling {
	switch v {
	case judge.Correct:
		return correct
	case judge.Unscored:
		return unscored
	}
	return incorrect
}

// outcomes counts the outcomes of a configuration's queries.
type outcomes struct{ bag.Bag[outcome] }

func (o outcomes) add(r store.Record) {
	n, votes, agreement := RightsOf(r), r.Consensus.Votes, -1.0
	if a := r.Consensus.Agreement; a != nil {
		agreement = *a
	}
	o.Add(outcome{
		cluster: r.Cluster, agreement: agreement, valid: int32(n.Valid), ruled: int32(n.Ruled), right: int32(n.Right),
		verdict: rulingOf(r.Verdict.Verdict), before: rulingOf(r.Before().Verdict),
		unanimous: len(votes) == 1 && len(votes[0].Traces) == len(r.Answers),
	})
}

// all lists the different outcomes, each with its number of queries.
func (o outcomes) all() iter.Seq2[outcome, int] { return o.Counts(outcome.compare) }

// rights returns for each query whether it is right. If withUnscored is set, unscored queries count as right.
func (o outcomes) rights(withUnscored bool) *stats.Values {
	var v stats.Values
	for q, times := range o.all() {
		v.Add(stats.Bit(q.verdict == correct || withUnscored && q.verdict == unscored), q.cluster, times)
	}
	return &v
}

// clustered returns the figures with clusters as units. It returns nil if every query is a cluster of its own,
// because the plain interval is then the same.
func (o outcomes) clustered(all Counts) *Clustered {
	rights := o.rights(false)
	if !rights.Together() || all.Missing > 0 {
		return nil
	}
	found, ci, ok := clusteredRate(rights)
	if !ok {
		return nil
	}
	out := &Clustered{Clusters: found.Clusters, Effective: found.Effective, CI: ci}
	if found.Clusters > 1 {
		out.SE = &found.SE
	}
	if _, high, ok := clusteredRate(o.rights(true)); ok && ci != nil && all.Unscored > 0 {
		out.BoundsCI = &Interval{ci.Method, Level, ci.Low, high.High}
	}
	return out
}

// clusteredRate returns the share of right queries with its interval by clusters; nil if there are too few clusters.
func clusteredRate(rights *stats.Values) (found stats.Clustered, ci *Interval, ok bool) {
	found, i, ok := stats.ClusteredRate(rights, Level)
	if i != nil {
		ci = &Interval{"wilson-cr2", Level, i.Low, i.High}
	}
	return found, ci, ok
}

// spread returns the factor by which clusters increase the variance of the pass rate; it is at least 1. ok is
// false if there are too few clusters for an interval.
func (o outcomes) spread() (times float64, ok bool) {
	rights := o.rights(false)
	if !rights.Together() {
		return 1, true
	}
	found, ci, ok := clusteredRate(rights)
	alone := found.Mean * (1 - found.Mean) / float64(rights.Len())
	if !ok || ci == nil || alone == 0 {
		return 1, ok && ci != nil
	}
	return max(1, found.SE*found.SE/alone), true
}

// singles returns the figures of single traces. They are nil for an incomplete run, and if no trace has a
// verdict. share has the data from which the interval is computed.
func (o outcomes) singles(counts Counts) (*Singles, stats.Share) {
	if counts.Missing > 0 {
		return nil, stats.Share{}
	}
	var out Singles
	all := o.Len()
	var means, low, high stats.Values
	var traces stats.Traces
	for q, times := range o.all() {
		n := Rights{int(q.valid), int(q.ruled), int(q.right)}
		out.Traces += times * n.Valid
		out.Unruled += times * (n.Valid - n.Ruled)
		if n.Valid > 0 {
			low.Add(float64(n.Right)/float64(n.Valid), "", times)
			high.Add(float64(n.Right+n.Valid-n.Ruled)/float64(n.Valid), "", times)
		}
		if n.Ruled > 0 {
			means.Add(n.Share(), q.cluster, times)
			traces.Add(n.Ruled, times)
		}
	}
	if means.Len() == 0 {
		return nil, stats.Share{}
	}
	out.Queries, out.Dropped = means.Len(), all-means.Len()
	if float64(out.Unruled) > MaxUnruled*float64(out.Traces) {
		out.Queries, out.Dropped = low.Len(), all-low.Len()
		least, _ := low.Mean()
		most, _ := high.Mean()
		out.Bounds = &[2]float64{least, most}
		return &out, stats.Share{}
	}
	found, ci, ok := stats.QueryMean(&means, traces, Level)
	if !ok {
		return nil, stats.Share{}
	}
	out.Value = &found.Mean
	if ci != nil {
		out.CI = &Interval{"wilson-cr2", Level, ci.Low, ci.High}
	}
	return &out, found.Share
}
