package reports

import (
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
)

// clusters says what becomes of an interval if queries that stand or fall together are
// taken as a unit, for one row of each number of queries and clusters: one that others are
// held against where there is one.
func clusters(rows []row) []line {
	isBaseline := func(r row) bool { return r.baseline }
	others := slices.DeleteFunc(slices.Clone(rows), isBaseline)
	baselines := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !isBaseline(r) })
	var out []line
	var said [][2]int
	for _, r := range slices.Concat(baselines, others) {
		if r.Clustered == nil {
			continue
		}
		if size := [2]int{r.Counts.Queries, r.Clustered.Clusters}; !slices.Contains(said, size) {
			said = append(said, size)
			out = append(out, say(inClusters(r.Configuration, say(plain(" of "), quoted(r.Name))), plain("; the tests take queries as independent")))
		}
	}
	return out
}

// inClusters says whose interval it is, where that is not plain.
func inClusters(c result.Configuration, whose line) line {
	l := plain(fmt.Sprintf("%s in %s; ", counted(c.Counts.Queries, "query", "queries"), counted(c.Clustered.Clusters, "cluster", "clusters")))
	ci := c.Clustered.CI
	if ci == nil {
		return say(l, plain("these are too few for an interval"), whose, plain(" that allows for them"))
	}
	d := digits(c.Counts.Queries)
	return say(l, plain("allowing for them the interval"), whose, plain(fmt.Sprintf(" is [%.*f, %.*f]", d, ci.Low*100, d, ci.High*100)))
}
