package stats

import "math"

// Values has the value of each item, such as a query, and the cluster of items that depend on each other. Equal values
// that are added one after the other take 16 bytes together, so that sorted values of many items are small. The zero
// value is empty.
type Values struct {
	runs     []run
	items    int
	clusters map[string]int32 // numbers of the clusters, by name
	together bool             // two items are of one cluster
}

// run has the items in succession that have one value and one cluster.
type run struct {
	value   float64
	items   int32
	cluster int32 // alone: each item is a cluster of its own
}

const alone = -1

// ValuesOf returns the values of items that do not depend on each other.
func ValuesOf(values ...float64) *Values {
	v := &Values{}
	for _, value := range values {
		v.Add(value, "", 1)
	}
	return v
}

// Add adds a value for each of so many items of a cluster. Without a name of the cluster, each item is a cluster of its
// own.
func (v *Values) Add(value float64, cluster string, items int) {
	if items < 1 {
		return
	}
	v.items += items
	of := int32(alone)
	if cluster != "" {
		if v.clusters == nil {
			v.clusters = map[string]int32{}
		}
		known := false
		if of, known = v.clusters[cluster]; !known {
			of = int32(len(v.clusters))
			v.clusters[cluster] = of
		}
		v.together = v.together || known || items > 1
	}
	if n := len(v.runs); n > 0 && v.runs[n-1].cluster == of &&
		math.Float64bits(v.runs[n-1].value) == math.Float64bits(value) {
		v.runs[n-1].items += int32(items)
		return
	}
	v.runs = append(v.runs, run{value, int32(items), of})
}

// Len is the number of items.
func (v *Values) Len() int { return v.items }

// Count is the number of items that have a value.
func (v *Values) Count(value float64) (n int) {
	for _, r := range v.runs {
		if r.value == value {
			n += int(r.items)
		}
	}
	return n
}

// Together reports whether at least two items are of one cluster.
func (v *Values) Together() bool { return v.together }

// Mean is Mean of the values.
func (v *Values) Mean() (float64, bool) {
	if v.items == 0 {
		return 0, false
	}
	first, sum := v.runs[0].value, 0.0
	for _, r := range v.runs {
		for range r.items { // one by one, because a product would be rounded otherwise
			sum += r.value - first
		}
	}
	mean := first + sum/float64(v.items)
	return mean, finite(mean)
}

// all reports whether a condition holds for every value.
func (v *Values) all(holds func(float64) bool) bool {
	for _, r := range v.runs {
		if !holds(r.value) {
			return false
		}
	}
	return true
}

// Traces sums up the numbers of traces of queries. The zero value is empty.
type Traces struct {
	queries, sum int
	inverse      float64
	invalid      bool // a number is below 1
}

// Add adds the number of traces that each of so many queries has.
func (t *Traces) Add(traces, queries int) {
	t.queries += queries
	t.sum += traces * queries
	t.invalid = t.invalid || traces < 1 || traces > maxCount
	for range queries {
		t.inverse += 1 / float64(traces)
	}
}

// Harmonic returns the harmonic mean of the numbers, which must be above 0; NaN without queries.
func (t Traces) Harmonic() float64 { return float64(t.queries) / t.inverse }
