package result

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/internal/stats"
)

// Pattern is the outcome of a query's traces in numbers. Queries with equal patterns have
// equal statistics, which are computed once.
type Pattern struct {
	// Item groups the traces as the vote did; all traces of a class are as right as its
	// representative.
	Item stats.Item
	// Ruled counts the traces with a verdict of the gold, Right those that it finds correct.
	Ruled, Right int
	Queries      int
}

// Patterns counts queries by pattern. The zero value has none.
type Patterns struct {
	known map[string]*Pattern // by their numbers
	key   []byte
}

// Add counts one query, whatever p.Queries says. It sorts p.Item.Classes and keeps no
// reference to them.
func (ps *Patterns) Add(p Pattern) {
	slices.SortFunc(p.Item.Classes, func(a, b stats.Class) int {
		return cmp.Or(cmp.Compare(b.Votes, a.Votes), cmp.Compare(number(b), number(a)))
	})
	ps.key = ps.key[:0]
	for _, n := range []int{p.Item.Empty, p.Ruled, p.Right} {
		ps.key = binary.AppendUvarint(ps.key, uint64(n))
	}
	for _, c := range p.Item.Classes {
		ps.key = binary.AppendUvarint(ps.key, number(c))
	}
	known, ok := ps.known[string(ps.key)]
	if !ok {
		p.Item.Classes, p.Queries = slices.Clone(p.Item.Classes), 0
		known = &p
		if ps.known == nil {
			ps.known = map[string]*Pattern{}
		}
		ps.known[string(ps.key)] = known
	}
	known.Queries++
}

// number is unique for each class.
func number(c stats.Class) uint64 {
	n := uint64(c.Votes) << 1
	if c.Correct {
		n++
	}
	return n
}

// All lists the patterns in an order that depends only on the patterns.
func (ps *Patterns) All() []Pattern {
	out := make([]Pattern, 0, len(ps.known))
	for _, key := range slices.Sorted(maps.Keys(ps.known)) {
		out = append(out, *ps.known[key])
	}
	return out
}

// Point returns the k of the curve, without costs, over the queries with at least k traces.
func (ps *Patterns) Point(k int, rule stats.Vote) KPoint { return pointOf(ps.All(), k, rule) }

// ICC is that of Reliability, over the queries with k traces that have a verdict.
func (ps *Patterns) ICC(k int) *float64 {
	var scores [][]float64
	for _, p := range ps.All() {
		if p.Ruled != k {
			continue
		}
		rights := make([]float64, k)
		for i := range p.Right {
			rights[i] = 1
		}
		for range p.Queries {
			scores = append(scores, rights)
		}
	}
	icc, ok := stats.ICC(scores)
	if !ok {
		return nil
	}
	icc = math.Round(icc*1e12)/1e12 + 0 // turns a rounding error into 0, and -0 too
	return &icc
}
