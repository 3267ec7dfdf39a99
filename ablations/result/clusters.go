package result

import (
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/runner/store"
)

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
