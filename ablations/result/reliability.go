package result

import (
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/runner/store"
)

// reliability is undefined for an incomplete run: missing queries would change the rates.
func (v *votes) reliability(k int, c Counts) Reliability {
	var out Reliability
	if c.Missing > 0 {
		return out
	}
	var queries, some, all int
	for _, p := range v.patterns.All() {
		if p.Ruled != k {
			continue
		}
		queries += p.Queries
		if p.Right > 0 {
			some += p.Queries
		}
		if p.Right == k {
			all += p.Queries
		}
	}
	out.PassAtK = estimate(some, queries, c.Queries)
	out.PassHatK = estimate(all, queries, c.Queries)
	if k == 1 {
		return out
	}
	unanimous, correct := v.unanimous, v.unanimousCorrect
	out.Unanimous, out.UnanimousCorrect = &unanimous, &correct
	out.AccuracyIfUnanimous = rate(correct, unanimous)
	out.ICC = v.patterns.ICC(k)
	return out
}

// estimate is the estimate of a share over those queries of a run that define it.
func estimate(part, queries, of int) Estimate {
	e := Estimate{Queries: queries, Dropped: of - queries}
	if r := rate(part, queries); r != nil {
		e.Value, e.CI = &r.Value, &r.CI
	}
	return e
}

// rate is nil if of is 0.
func rate(part, of int) *Rate {
	value := share(part, of)
	if value == nil {
		return nil
	}
	return &Rate{*value, wilson(part, of)}
}

func wilson(part, of int) Interval {
	low, high := stats.Wilson(part, of, Level)
	return Interval{"wilson", Level, low, high}
}

// confidence is nil unless every query of the run has an agreement and some are scored.
func (t *tally) confidence() *Confidence {
	c, ok := stats.Calibrate(t.graded)
	if !ok || t.agreeing != t.counts.Queries {
		return nil
	}
	out := &Confidence{
		Unscored: t.agreeing - len(t.graded),
		ECE:      c.ECE, Brier: c.Brier, AUROC: c.AUROC, AURC: c.AURC, ExcessAURC: c.Excess, AUGRC: c.AUGRC,
	}
	for _, l := range c.Levels {
		out.Levels = append(out.Levels, ConfidenceLevel{
			Agreement: l.Confidence, Queries: l.Items, Correct: l.Correct,
			Accuracy: Rate{l.Accuracy, wilson(l.Correct, l.Items)}, Coverage: l.Coverage, Risk: l.Risk,
		})
	}
	return out
}

// clusters counts the queries of each cluster; queries without a cluster are under "".
type clusters map[string]Counts

func (c clusters) add(r store.Record) { c[r.Cluster] = c[r.Cluster].With(r.Verdict.Verdict) }

// figures is nil if every query is a cluster of its own: the plain interval is the same.
func (c clusters) figures(all Counts) *Clustered {
	together := false
	for name, of := range c {
		together = together || name != "" && of.Queries > 1
	}
	if !together || all.Missing > 0 {
		return nil
	}
	scores, cluster := c.scores()
	out := &Clustered{Clusters: len(c)}
	if alone := c[""].Queries; alone > 0 {
		out.Clusters += alone - 1
	}
	found, ok := stats.ClusteredError(scores, cluster)
	if !ok {
		return out
	}
	out.SE = &found.SE
	if i, ok := found.RateInterval(Level); ok {
		out.CI = &Interval{"wilson-effective", Level, i.Low, i.High}
	}
	return out
}

// scores are 1 for correct queries and 0 for others, each with the number of its cluster,
// in an order that depends only on the clusters.
func (c clusters) scores() (scores []float64, cluster []int) {
	number := 0
	for _, name := range slices.Sorted(maps.Keys(c)) {
		for i := range c[name].Queries {
			if name == "" && i > 0 {
				number++
			}
			scores, cluster = append(scores, stats.Bit(i < c[name].Correct)), append(cluster, number)
		}
		number++
	}
	return scores, cluster
}
