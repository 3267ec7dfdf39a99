package ablations

import (
	"cmp"
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
)

// clusterOf returns the cluster of a query. It is the cluster that the query has in the baseline. If it has none
// there, it is the cluster on the other side.
func clusterOf(pair [2]*Query) string { return cmp.Or(pair[0].Cluster, pair[1].Cluster) }

// clusters describes the units of a paired comparison; nil if queries are the units.
func (m match) clusters(t tally) *result.ClusterUnits {
	if t.clustered == nil {
		return nil
	}
	c := t.clustered
	out := &result.ClusterUnits{
		Clusters: c.Clusters, Effective: c.Effective, Differing: c.Differing, Enough: c.Enough(),
		Table: []result.ClusterPair{}, Renamed: m.renamed(),
	}
	if !out.Enough {
		out.Table = m.clusterTable()
	}
	return out
}

// renamed reports whether the two sides assign the queries to different clusters. If two clusters have the same
// queries, they do not differ, even if their names do.
func (m match) renamed() bool {
	there, back := map[string]string{}, map[string]string{}
	for _, p := range m.pairs {
		a, b := p[0].Cluster, p[1].Cluster
		if (a == "") != (b == "") {
			return true
		}
		if a == "" {
			continue
		}
		if was, known := there[a]; known && was != b {
			return true
		}
		if was, known := back[b]; known && was != a {
			return true
		}
		there[a], back[b] = b, a
	}
	return false
}

func (m match) clusterTable() []result.ClusterPair {
	var out []result.ClusterPair
	at := map[string]int{}
	for _, p := range m.pairs {
		name := clusterOf(p)
		j, known := at[name]
		if !known || name == "" {
			j = len(out)
			at[name] = j
			out = append(out, result.ClusterPair{Cluster: name})
		}
		out[j].Queries++
		if p[0].Verdict == judge.Correct {
			out[j].CorrectBefore++
		}
		if p[1].Verdict == judge.Correct {
			out[j].CorrectNow++
		}
	}
	slices.SortStableFunc(out, func(a, b result.ClusterPair) int { return cmp.Compare(b.Queries, a.Queries) })
	return out
}
