package datasets

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lines"
)

// hashQueries hashes all fields of the queries. The order of a file reaches no result, so it does not reach the hash.
func hashQueries(queries []Query) string {
	return lines.Hash("concur/dataset/v1", queries, func(q *Query) string { return q.ID }, func(q *Query) any { return q.canonical() })
}

// Hash is of the question, its step limit and its gold, as 16 hexadecimal digits: two runs
// with the same hash under an id asked the same and held it against the same.
func (q Query) Hash() string {
	q.Category, q.Cluster, q.Source, q.Tags = "", "", "", nil
	of := func(q *Query) any { return q.canonical() }
	return strings.TrimPrefix(lines.Hash("concur/query/v1", []Query{q}, func(*Query) string { return "" }, of), "sha256:")[:16]
}

// canonical is the query as it is hashed: a nil list becomes an empty one.
func (q Query) canonical() Query {
	g := &q.Gold
	g.Aliases, g.NoneOf = append([]string{}, g.Aliases...), append([]string{}, g.NoneOf...)
	g.AllOf = append([][]string{}, g.AllOf...)
	return q
}

// Split divides a dataset into a part to learn from and one to evaluate on. Queries of one cluster go into the same
// part; within each category, clusters are drawn by the seed until the first part has its share. Both keep the tools,
// and the order of queries. A share that leaves either part empty is an error.
func (d *Dataset) Split(share float64, seed int64) (learn, eval *Dataset, err error) {
	if !(share > 0 && share < 1) {
		return nil, nil, fmt.Errorf("split dataset %s: the share is %v: give one between 0 and 1, such as 0.5", d.Name, share)
	}
	unitOf := func(q Query) string { return cmp.Or(q.Cluster, "\x00"+q.ID) }
	home, size := map[string]string{}, map[string]int{} // category and queries of each cluster
	wanted := map[string]float64{}
	for _, q := range d.Queries {
		u := unitOf(q)
		if _, known := home[u]; !known {
			home[u] = q.Category
		}
		size[u]++
		wanted[home[u]] += share
	}
	draw := func(u string) string {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s", seed, u))
		return string(sum[:])
	}
	first := map[string]bool{}
	for _, u := range slices.SortedFunc(maps.Keys(home), func(a, b string) int { return strings.Compare(draw(a), draw(b)) }) {
		if left := wanted[home[u]]; float64(size[u]) <= 2*math.Max(left, 0)+1e-9 { // nearer to the share with it
			first[u] = true
			wanted[home[u]] -= float64(size[u])
		}
	}
	var parts [2][]Query
	for _, q := range d.Queries {
		if first[unitOf(q)] {
			parts[0] = append(parts[0], q)
		} else {
			parts[1] = append(parts[1], q)
		}
	}
	if len(parts[0]) == 0 || len(parts[1]) == 0 {
		return nil, nil, fmt.Errorf("split dataset %s: of %d queries in %d clusters, one part would have none: choose another share, or more clusters", d.Name, len(d.Queries), len(home))
	}
	return d.part("-learn", parts[0]), d.part("-eval", parts[1]), nil
}

func (d *Dataset) part(suffix string, queries []Query) *Dataset {
	return &Dataset{Name: d.Name + suffix, Queries: queries, Tools: d.Tools, Hash: hashWith(d.Tools, queries)}
}
