package queries

import (
	"cmp"
	"slices"
)

// Only returns the queries with the ids that keep returns true for, in their order. They may be none. The set that is
// returned reads the queries of s, so that closing one closes both.
func (s *Set) Only(keep func(id string) bool) *Set {
	part := *s
	part.chosen = []int32{}
	for i, id := range s.all() {
		if keep(id) {
			part.chosen = append(part.chosen, int32(i))
		}
	}
	return &part
}

// Sorted returns the queries in the order of their ids. The set that is returned reads the queries of s, so that
// closing one closes both.
func (s *Set) Sorted() *Set {
	sorted := *s
	sorted.chosen = s.byID()
	return &sorted
}

// byID returns the indexes in heads of the queries, in the order of their ids.
func (s *Set) byID() []int32 {
	order := make([]int32, 0, s.Len())
	for i := range s.all() {
		order = append(order, int32(i))
	}
	byID := func(i, j int32) int { return cmp.Compare(s.heads.id(int(i)), s.heads.id(int(j))) }
	if !slices.IsSortedFunc(order, byID) {
		slices.SortFunc(order, byID)
	}
	return order
}

// Shard returns the queries of Only as a shard of this set.
func (s *Set) Shard(keep func(id string) bool) *Set {
	part := s.Only(keep)
	part.Whole = s
	return part
}

// All returns the set that this one is a shard of, and a set that is not a shard itself.
func (s *Set) All() *Set { return cmp.Or(s.Whole, s) }
