package datasets

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Part selects queries of a dataset: those that have one of the ids, one of the categories and one of the tags,
// and of these the first Limit. An empty list does not restrict the selection. A Limit of 0 means no limit.
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

// Filter returns the dataset with the queries of a part, in their order. The name stays the same, and the hash
// is that of the selected queries. An unknown id, category or tag is an error, and so is a part that selects no
// query. If all queries are selected, the result shares them with d.
func (d *Dataset) Filter(p Part) (*Dataset, error) {
	c := p.Chooser()
	left := d.Queries[:0:0]
	for i := range d.Queries {
		if c.Takes(&d.Queries[i]) && !p.all() {
			left = append(left, d.Queries[i])
		}
	}
	if err := c.Err(d.Name, d.each); err != nil {
		return nil, err
	}
	if c.taken == len(d.Queries) {
		all := *d
		return &all, nil
	}
	return d.part("", left), nil
}

// all reports whether the part has every query.
func (p Part) all() bool { return len(p.Queries)+len(p.Categories)+len(p.Tags)+p.Limit == 0 }

// each yields the queries one at a time. It never yields an error.
func (d *Dataset) each(yield func(Query, error) bool) {
	for _, q := range d.Queries {
		if !yield(q, nil) {
			return
		}
	}
}

// Chooser selects the queries of a part while the queries come one after another.
type Chooser struct {
	limit, taken              int
	queries, categories, tags wantedWords
}

// Chooser returns a chooser that has seen no query.
func (p Part) Chooser() *Chooser {
	return &Chooser{limit: p.Limit, queries: newWantedWords("query", p.Queries),
		categories: newWantedWords("category", p.Categories), tags: newWantedWords("tag", p.Tags)}
}

// Takes reports whether the next query of the dataset belongs to the part. It must be called with all queries,
// in their order.
func (c *Chooser) Takes(q *Query) bool {
	id, category, tag := c.queries.has(q.ID), c.categories.has(q.Category), c.tags.has(q.Tags...)
	if !id || !category || !tag || c.limit > 0 && c.taken == c.limit {
		return false
	}
	c.taken++
	return true
}

// Err returns, after the last query, the error that [Dataset.Filter] would return: the part is invalid, has a
// value that no query has, or selects no query. all must yield the queries once more; Err needs them for the
// names in its message.
func (c *Chooser) Err(dataset string, all iter.Seq2[Query, error]) error {
	if c.limit < 0 {
		return fmt.Errorf("filter dataset %s: the limit is %d; give at least 1, or 0 for no limit", dataset, c.limit)
	}
	unknown := slices.Concat(c.queries.missing(all, func(q *Query) []string { return []string{q.ID} }),
		c.categories.missing(all, func(q *Query) []string { return []string{q.Category} }),
		c.tags.missing(all, func(q *Query) []string { return q.Tags }))
	switch {
	case len(unknown) > 0:
		return fmt.Errorf("filter dataset %s: %s", dataset, strings.Join(unknown, "; "))
	case c.taken == 0:
		return fmt.Errorf("filter dataset %s: no query passes all of these filters; drop one of them", dataset)
	}
	return nil
}

// wantedWords has the ids, categories or tags that the part selects. If the lists are empty, all queries are
// selected.
type wantedWords struct {
	what    string
	list    []string
	unknown map[string]bool // by word, whether no query has had it so far
}

func newWantedWords(what string, list []string) wantedWords {
	w := wantedWords{what, list, make(map[string]bool, len(list))}
	for _, word := range list {
		w.unknown[word] = true
	}
	return w
}

// has reports whether one of the values of a query is wanted.
func (w wantedWords) has(values ...string) bool {
	if len(w.list) == 0 {
		return true
	}
	found := false
	for _, v := range values {
		if unknown, wanted := w.unknown[v]; wanted {
			found = true
			if unknown {
				w.unknown[v] = false
			}
		}
	}
	return found
}

// mostUnknown is the maximum number of names of one kind that an error lists.
const mostUnknown = 20

// missing lists the wanted words that no query has.
func (w wantedWords) missing(all iter.Seq2[Query, error], words func(*Query) []string) (list []string) {
	if !slices.ContainsFunc(w.list, func(word string) bool { return w.unknown[word] }) {
		return nil
	}
	known, more := distinct(all, words), 0
	for _, word := range w.list {
		switch {
		case !w.unknown[word]:
		case len(list) == mostUnknown:
			more++
		default:
			list = append(list, fmt.Sprintf("unknown %s %q (%s)", w.what, word, strictyaml.Suggest(word, known)))
		}
	}
	if more > 0 {
		list = append(list, fmt.Sprintf("and %d more unknown: %s", more, w.what))
	}
	return list
}

// Split divides a dataset into a part to learn from and a part to evaluate on. Queries of one cluster stay
// together. In each category, clusters are drawn at random, by the seed, until the first part has its share.
// Both parts keep the tools and the order of queries. It returns an error if a part would be empty.
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
