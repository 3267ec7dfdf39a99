package ablations

import (
	"cmp"
	"fmt"
	"slices"
)

// match holds the queries that two sides share.
type match struct {
	pairs   [][2]Query // in order of their ids
	left    [2]int     // queries of each side without a partner
	changed []string   // ids that both have, with different text or gold
	noHash  []string   // ids that both have, whose hash an older run over another dataset did not record
}

// newMatch pairs queries by id and hash. A hash that an older run did not record counts as
// equal if the datasets are equal or the user vouches for it.
func newMatch(a, b Side, vouched bool) match {
	others := make(map[string]Query, len(b.Queries))
	for _, q := range b.Queries {
		others[q.ID] = q
	}
	var m match
	for _, q := range a.Queries {
		other, ok := others[q.ID]
		switch {
		case !ok:
		case q.Hash == other.Hash && q.Hash != "", (q.Hash == "" || other.Hash == "") && (a.Dataset == b.Dataset || vouched):
			m.pairs = append(m.pairs, [2]Query{q, other})
		case q.Hash == "" || other.Hash == "":
			m.noHash = append(m.noHash, q.ID)
		default:
			m.changed = append(m.changed, q.ID)
		}
	}
	m.left = [2]int{len(a.Queries) - len(m.pairs), len(b.Queries) - len(m.pairs)}
	slices.SortFunc(m.pairs, func(x, y [2]Query) int { return cmp.Compare(x[0].ID, y[0].ID) })
	slices.Sort(m.changed)
	slices.Sort(m.noHash)
	return m
}

// leftOut describes the queries that a paired comparison does not cover; nil if it covers
// all.
func (m match) leftOut(a, b Side) *string {
	if m.left == [2]int{} {
		return nil
	}
	nameA, nameB := a.Name, b.Name
	if nameA == nameB {
		nameA, nameB = a.Run, b.Run
	}
	s := fmt.Sprintf("paired over %s that both have; %d of %s and %d of %s have no partner",
		plural(len(m.pairs), "query", "queries"), m.left[0], nameA, m.left[1], nameB)
	if len(m.changed) > 0 {
		s += "; text or gold is not the same in " + some(m.changed, 5)
	}
	return &s
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
