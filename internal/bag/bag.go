package bag

import (
	"cmp"
	"iter"
	"maps"
	"slices"
)

// Bag counts values. It must be made: Bag[T]{}.
type Bag[T comparable] map[T]int

// Add adds a value.
func (b Bag[T]) Add(v T) { b[v]++ }

// Merge adds the values of another bag.
func (b Bag[T]) Merge(other Bag[T]) {
	for v, n := range other {
		b[v] += n
	}
}

// Len is the number of values, equal ones included.
func (b Bag[T]) Len() (n int) {
	for _, times := range b {
		n += times
	}
	return n
}

// Counts gives every different value in the order of compare, and the number of times that it was added.
func (b Bag[T]) Counts(compare func(a, b T) int) iter.Seq2[T, int] {
	return func(yield func(T, int) bool) {
		for _, v := range slices.SortedFunc(maps.Keys(b), compare) {
			if !yield(v, b[v]) {
				return
			}
		}
	}
}

// Each gives every value in the order of compare, equal ones as often as they were added.
func (b Bag[T]) Each(compare func(a, b T) int) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v, times := range b.Counts(compare) {
			for range times {
				if !yield(v) {
					return
				}
			}
		}
	}
}

// Mean returns the mean, summed from the smallest value on; nil without values.
func Mean(b Bag[float64]) *float64 {
	sum, n := 0.0, 0
	for v := range b.Each(cmp.Compare[float64]) {
		sum += v
		n++
	}
	if n == 0 {
		return nil
	}
	sum /= float64(n)
	return &sum
}

// OneIf returns what a condition adds to a count: 1 if it is true, otherwise 0.
func OneIf(is bool) int {
	if is {
		return 1
	}
	return 0
}
