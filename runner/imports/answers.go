package imports

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"sort"

	"github.com/seed-5817661a/concur/runner/imports/otlp"
)

// answered is a conversation of spans. Its content is read again when the trace is needed.
type answered struct {
	ref     otlp.Ref
	start   int64 // in nanoseconds
	seconds float64
	place   int   // among the traces of its query; before placed, the recorded index, and math.MaxInt without one
	row     int32 // its number
	query   int32 // its number
	failed  bool
}

// answers are the conversations of a row, by query and place.
type answers struct {
	list    []answered
	numbers map[digest]int32 // of queries, by the digest of their ids
}

// of returns the conversations of a query.
func (a *answers) of(query string) []answered {
	number, known := a.numbers[digestOf(query)]
	if !known {
		return nil
	}
	first, _ := sort.Find(len(a.list), func(i int) int { return cmp.Compare(number, a.list[i].query) })
	end := first
	for end < len(a.list) && a.list[end].query == number {
		end++
	}
	return a.list[first:end]
}

// at returns the conversation at a place of a query.
func (a *answers) at(query string, place int) (answered, bool) {
	group := a.of(query)
	i, found := slices.BinarySearchFunc(group, place, func(a answered, n int) int { return cmp.Compare(a.place, n) })
	if !found {
		return answered{}, false
	}
	return group[i], true
}

// groups gives the conversations of each query.
func (a *answers) groups() iter.Seq[[]answered] {
	return chunked(a.list, func(x, y answered) bool { return x.query == y.query })
}

// chunked gives the parts of a list in which elements next to each other are alike.
func chunked(list []answered, alike func(x, y answered) bool) iter.Seq[[]answered] {
	return func(yield func([]answered) bool) {
		for from := 0; from < len(list); {
			to := from + 1
			for to < len(list) && alike(list[to-1], list[to]) {
				to++
			}
			if !yield(list[from:to]) {
				return
			}
			from = to
		}
	}
}

// repeats returns the number of traces of a query, with those that are missing before the last one.
func repeats(group []answered) int {
	if len(group) == 0 {
		return 0
	}
	return group[len(group)-1].place + 1
}

// losses counts the conversations that failed, and those that are missing.
func (a *answers) losses() (n int) {
	for group := range a.groups() {
		n += repeats(group) - len(group)
		for _, one := range group {
			if one.failed {
				n++
			}
		}
	}
	return n
}

// placed gives each conversation its place among those of its query and row: that of its index or, without indexes,
// that of its time. Places that no conversation has are lost traces. It returns the conversations by row, query and
// place, and counts those after the most of a query.
func placed(all []answered) (out []answered, many int) {
	slices.SortStableFunc(all, func(a, b answered) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.query, b.query))
	})
	out = all[:0]
	for group := range chunked(all, func(x, y answered) bool { return x.row == y.row && x.query == y.query }) {
		many += max(0, len(group)-maxRepeats)
		group = group[:min(len(group), maxRepeats)]
		slices.SortStableFunc(group, func(a, b answered) int {
			return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.start, b.start))
		})
		distinct := true
		for i := 1; i < len(group); i++ {
			distinct = distinct && (group[i].place != group[i-1].place || group[i].place == math.MaxInt)
		}
		next := 0
		for _, a := range group {
			if distinct && a.place < maxRepeats {
				next = a.place // not below, because places are distinct and in order
			}
			a.place = next
			out = append(out, a)
			next++
		}
	}
	return out, many
}
