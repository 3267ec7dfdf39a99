package result

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// MaxUnruled is the share of traces without a verdict above which the mean of single traces is only known as a
// range.
const MaxUnruled = 0.02

// Rights counts the traces of a query: those not lost to the infrastructure (Valid), those of them with a
// verdict (Ruled), and those with a correct verdict (Right).
type Rights struct{ Valid, Ruled, Right int }

// Share returns the share of right traces among those with a verdict; Ruled must not be 0.
func (n Rights) Share() float64 { return float64(n.Right) / float64(n.Ruled) }

// RightsOf counts the traces of a record.
func RightsOf(r store.Record) (n Rights) {
	for _, a := range r.Answers {
		if a.Outcome != trace.Infra {
			n.Valid++
			n.Ruled += oneIf(a.Verdict != judge.Unscored)
			n.Right += oneIf(a.Verdict == judge.Correct)
		}
	}
	return n
}

// Units numbers the clusters of queries. names has the cluster of each query; a query without a name is a
// cluster by itself. It returns nil if no cluster has two queries, because then queries are the units.
func Units(names []string) []int {
	known := map[string]int{}
	out, next, together := make([]int, len(names)), 0, false
	for i, name := range names {
		at, seen := known[name]
		if name == "" || !seen {
			at = next
			next++
			known[name] = at
		}
		together = together || seen && name != ""
		out[i] = at
	}
	if !together {
		return nil
	}
	return out
}

// Singles is the mean over queries of the share of their traces that are right (docs/method.md §5.3), with
// Wilson's interval of the effective number of traces.
type Singles struct {
	Estimate     // Value is nil if Bounds is set
	Traces   int `json:"traces"` // traces that were not lost to the infrastructure
	// Unruled counts those of Traces that have no verdict and are left out. If they are more than 2 %, only
	// Bounds is known: the means if all of them were wrong, and if all were right.
	Unruled int         `json:"unruled"`
	Bounds  *[2]float64 `json:"bounds"`
	// Corrected is the mean of right traces, if a calibrated judge decides; else nil.
	Corrected *Corrected `json:"corrected"`
}

// outcome is the part of one query in rates and in single traces. It is small, because a run has very many.
type outcome struct {
	query               string
	cluster             *string // nil for none; shared by its queries
	agreement           float64 // of its traces; NaN if undefined
	valid, ruled, right int32   // as in Rights
	verdict, before     ruling  // before: before a label
	unanimous           bool    // all traces voted, for one class
}

// ruling is a judge.Ruling in one byte.
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

// clusterName returns the name of the query's cluster; "" if it has none.
func (q outcome) clusterName() string {
	if q.cluster == nil {
		return ""
	}
	return *q.cluster
}

// outcomes holds the outcomes of a configuration's queries, in any order.
type outcomes []outcome

// add adds the outcome of a record. cluster is the name of its cluster, shared by the cluster's queries.
func (o *outcomes) add(r store.Record, cluster *string) {
	n, votes, agreement := RightsOf(r), r.Consensus.Votes, math.NaN()
	if a := r.Consensus.Agreement; a != nil {
		agreement = *a
	}
	*o = append(*o, outcome{
		query: r.Query, cluster: cluster, agreement: agreement,
		valid: int32(n.Valid), ruled: int32(n.Ruled), right: int32(n.Right),
		verdict: rulingOf(r.Verdict.Verdict), before: rulingOf(r.Before().Verdict),
		unanimous: len(votes) == 1 && len(votes[0].Traces) == len(r.Answers),
	})
}

// sort sorts by query, so that sums do not depend on the order of records. It returns a query that occurs
// twice, or "".
func (o outcomes) sort() (twice string) {
	slices.SortFunc(o, func(a, b outcome) int { return cmp.Compare(a.query, b.query) })
	for i := range o {
		if i > 0 && o[i].query == o[i-1].query {
			return o[i].query
		}
	}
	return ""
}

func (o outcomes) units() []int {
	names := make([]string, len(o))
	for i, q := range o {
		names[i] = q.clusterName()
	}
	return Units(names)
}

// clustered returns the figures by clusters; nil if every query is a cluster by itself, because the plain
// interval is the same.
func (o outcomes) clustered(all Counts) *Clustered {
	units := o.units()
	if units == nil || all.Missing > 0 {
		return nil
	}
	found, ci, ok := o.rate(units, false)
	if !ok {
		return nil
	}
	out := &Clustered{Clusters: found.Clusters, Effective: found.Effective, CI: ci}
	if found.Clusters > 1 {
		out.SE = &found.SE
	}
	if _, high, ok := o.rate(units, true); ok && ci != nil && all.Unscored > 0 {
		out.BoundsCI = &Interval{ci.Method, Level, ci.Low, high.High}
	}
	return out
}

// rate returns the pass rate with its interval by clusters; nil if there are too few clusters. If withUnscored
// is set, unscored queries count as right.
func (o outcomes) rate(units []int, withUnscored bool) (found stats.Clustered, ci *Interval, ok bool) {
	right := make([]float64, len(o))
	for i, q := range o {
		right[i] = stats.Bit(q.verdict == correct || withUnscored && q.verdict == unscored)
	}
	found, i, ok := stats.ClusteredRate(right, units, Level)
	if i != nil {
		ci = &Interval{"wilson-cr2", Level, i.Low, i.High}
	}
	return found, ci, ok
}

// spread returns the factor by which clusters increase the variance of the pass rate, at least 1. ok is false
// if there are too few clusters for an interval.
func (o outcomes) spread() (times float64, ok bool) {
	units := o.units()
	if units == nil {
		return 1, true
	}
	found, ci, ok := o.rate(units, false)
	alone := found.Mean * (1 - found.Mean) / float64(len(o))
	if !ok || ci == nil || alone == 0 {
		return 1, ok && ci != nil
	}
	return max(1, found.SE*found.SE/alone), true
}

// singles returns the mean of single traces; nil for an incomplete run, and if no trace has a verdict. share is
// the mean with its effective number of traces, for the interval.
func (o outcomes) singles(all Counts) (*Singles, stats.Share) {
	if all.Missing > 0 {
		return nil, stats.Share{}
	}
	var out Singles
	means, low, high := make([]float64, 0, len(o)), make([]float64, 0, len(o)), make([]float64, 0, len(o))
	traces, names := make([]int, 0, len(o)), make([]string, 0, len(o))
	for _, q := range o {
		n := Rights{int(q.valid), int(q.ruled), int(q.right)}
		out.Traces += n.Valid
		out.Unruled += n.Valid - n.Ruled
		if n.Valid > 0 {
			low = append(low, float64(n.Right)/float64(n.Valid))
			high = append(high, float64(n.Right+n.Valid-n.Ruled)/float64(n.Valid))
		}
		if n.Ruled > 0 {
			means, traces, names = append(means, n.Share()), append(traces, n.Ruled), append(names, q.clusterName())
		}
	}
	if len(means) == 0 {
		return nil, stats.Share{}
	}
	out.Queries, out.Dropped = len(means), len(o)-len(means)
	if float64(out.Unruled) > MaxUnruled*float64(out.Traces) {
		out.Queries, out.Dropped = len(low), len(o)-len(low)
		least, _ := stats.Mean(low)
		most, _ := stats.Mean(high)
		out.Bounds = &[2]float64{least, most}
		return &out, stats.Share{}
	}
	found, ci, ok := stats.QueryMean(means, traces, Units(names), Level)
	if !ok {
		return nil, stats.Share{}
	}
	out.Value = &found.Mean
	if ci != nil {
		out.CI = &Interval{"wilson-cr2", Level, ci.Low, ci.High}
	}
	return &out, found.Share
}
