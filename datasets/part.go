package datasets

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Part selects queries of a dataset: the first Limit queries that have one of the ids, one of the categories
// and one of the tags. An empty list selects all; 0 means no limit.
type Part struct {
	Queries    []string `yaml:"queries"`
	Categories []string `yaml:"categories"`
	Tags       []string `yaml:"tags,omitempty"`
	Limit      int      `yaml:"limit"`
}

// Equal reports whether two parts have the same lists, in the same order, and the same limit.
func (p Part) Equal(q Part) bool {
	return slices.Equal(p.Queries, q.Queries) && slices.Equal(p.Categories, q.Categories) &&
		slices.Equal(p.Tags, q.Tags) && p.Limit == q.Limit
}

// Filter returns the dataset with the queries of a part, in order. It keeps the name; the hash is that of the
// selected queries. It returns an error for an unknown id, category or tag, and if no query is selected. If all
// are selected, the result shares the queries of d.
func (d *Dataset) Filter(p Part) (*Dataset, error) {
	if p.Limit < 0 {
		return nil, fmt.Errorf("filter dataset %s: the limit is %d; give at least 1, or 0 for no limit", d.Name,
			p.Limit)
	}
	unknown := slices.Concat(d.missing("query", p.Queries, func(q Query) []string { return []string{q.ID} }),
		d.missing("category", p.Categories, func(q Query) []string { return []string{q.Category} }),
		d.missing("tag", p.Tags, func(q Query) []string { return q.Tags }))
	if len(unknown) > 0 {
		return nil, fmt.Errorf("filter dataset %s: %s", d.Name, strings.Join(unknown, "; "))
	}
	left := d.Queries
	if len(p.Queries)+len(p.Categories)+len(p.Tags) > 0 {
		queries, categories, tags := setOf(p.Queries), setOf(p.Categories), setOf(p.Tags)
		left = nil
		for _, q := range d.Queries {
			if among(queries, q.ID) && among(categories, q.Category) && among(tags, q.Tags...) {
				left = append(left, q)
			}
		}
	}
	if len(left) == 0 {
		return nil, fmt.Errorf("filter dataset %s: no query passes all of these filters; drop one of them", d.Name)
	}
	if p.Limit > 0 && p.Limit < len(left) {
		left = left[:p.Limit]
	}
	if len(left) == len(d.Queries) {
		all := *d
		return &all, nil
	}
	return d.part("", left), nil
}

// Shard returns the queries whose ids take accepts, in order, as a shard of this dataset. It may be empty.
func (d *Dataset) Shard(take func(id string) bool) *Dataset {
	var left []Query
	for _, q := range d.Queries {
		if take(q.ID) {
			left = append(left, q)
		}
	}
	part := d.part("", left)
	part.Whole = d
	return part
}

func setOf(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// among reports whether one of the values is wanted. If wanted is empty, all are.
func among(wanted map[string]bool, values ...string) bool {
	return len(wanted) == 0 || slices.ContainsFunc(values, func(v string) bool { return wanted[v] })
}

// mostUnknown is the maximum number of names of one kind that an error lists.
const mostUnknown = 20

// missing lists the wanted words that no query has.
func (d *Dataset) missing(what string, wanted []string, words func(Query) []string) (list []string) {
	unknown := setOf(wanted)
	for i := 0; i < len(d.Queries) && len(unknown) > 0; i++ {
		for _, word := range words(d.Queries[i]) {
			delete(unknown, word)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	known, more := d.distinct(words), 0
	for _, w := range wanted {
		switch {
		case !unknown[w]:
		case len(list) == mostUnknown:
			more++
		default:
			list = append(list, fmt.Sprintf("unknown %s %q (%s)", what, w, strictyaml.Suggest(w, known)))
		}
	}
	if more > 0 {
		list = append(list, fmt.Sprintf("and %d more unknown: %s", more, what))
	}
	return list
}

// Split divides a dataset into a part to learn from and a part to evaluate on. Queries of one cluster stay
// together. Within each category, clusters are drawn by the seed until the first part has its share. Both parts
// keep the tools and the order of queries. It returns an error if a part would be empty.
func (d *Dataset) Split(share float64, seed int64) (learn, eval *Dataset, err error) {
	if !(share > 0 && share < 1) {
		return nil, nil, fmt.Errorf("split dataset %s: the share is %v: give one between 0 and 1, such as 0.5", d.Name,
			share)
	}
	unitOf := func(q Query) string { return cmp.Or(q.Cluster, "\x00"+q.ID) }
	home, size := map[string]string{}, map[string]int{} // category and number of queries of each cluster
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
	for _, u := range slices.SortedFunc(maps.Keys(home),
		func(a, b string) int { return strings.Compare(draw(a), draw(b)) }) {
		if left := wanted[home[u]]; float64(size[u]) <= 2*math.Max(left, 0)+1e-9 { // with this cluster, the share is closer
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
		return nil, nil, fmt.Errorf("split dataset %s: of %d queries in %d clusters, one part would have none: "+
			"choose another share, or more clusters", d.Name, len(d.Queries), len(home))
	}
	return d.part("-learn", parts[0]), d.part("-eval", parts[1]), nil
}

func (d *Dataset) part(suffix string, queries []Query) *Dataset {
	return &Dataset{Name: d.Name + suffix, Queries: queries, Tools: d.Tools, Hash: hashWith(d.Tools, queries),
		Notes: d.Notes}
}
