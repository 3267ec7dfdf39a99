package votes

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/bag"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Tally sums up the votes of a configuration. The zero value is empty.
type Tally struct {
	Patterns Patterns
	Judged   int // queries with the verdict of a judge, not of the gold
	NoGold   int // queries without a verdict by the gold
	Unclear  int // queries whose votes do not define the decision of fewer traces

	classes []stats.Class // of the current record
}

// Add counts a record, and returns its pattern.
func (v *Tally) Add(r store.Record) *Pattern {
	p, valid, d := v.read(r), Valid(r), r.Consensus
	lost := r.Verdict.By == judge.ByInfra && d.Unscored
	v.Unclear += bag.OneIf(d.Unscored && d.Representative != nil || !d.KCurve || p.Item.Traces() != valid)
	v.Judged += bag.OneIf(r.Verdict.By != judge.ByGold && r.Verdict.By != judge.ByChecks && !lost)
	v.NoGold += bag.OneIf(p.Ruled < valid)
	return v.Patterns.Add(p)
}

// Merge adds the counts of other records.
func (v *Tally) Merge(o Tally) {
	v.Patterns.Merge(&o.Patterns)
	v.Judged += o.Judged
	v.NoGold += o.NoGold
	v.Unclear += o.Unclear
}

// read returns the pattern of a record. The next call overwrites the pattern's classes.
func (v *Tally) read(r store.Record) (p Pattern) {
	for _, a := range r.Answers {
		if a.Outcome != trace.Infra {
			p.Item.Empty += bag.OneIf(a.Outcome == trace.NoAnswer)
			p.Ruled += bag.OneIf(a.Verdict != judge.Unscored)
			p.Right += bag.OneIf(a.Verdict == judge.Correct)
		}
	}
	v.classes = v.classes[:0]
	for _, vote := range r.Consensus.Votes {
		class := stats.Class{Votes: len(vote.Traces)}
		if representativeOf(r, vote).Verdict == judge.Correct {
			class.Right = class.Votes
		}
		v.classes = append(v.classes, class)
	}
	p.Item.Classes = v.classes
	return p
}

// representativeOf returns the trace by which a class is judged. This is the trace that represents the
// decision, if it is in the class. Otherwise it is the first trace whose answer has the class's key.
func representativeOf(r store.Record, vote consensus.Class) store.Answer {
	d := r.Consensus.Representative
	decides := d != nil && slices.Contains(vote.Traces, *d)
	for _, a := range r.Answers { // the index in Answers is not the number: fresh traces start above 0
		if slices.Contains(vote.Traces, a.Trace) &&
			(decides && a.Trace == *d || !decides && a.Key != nil && *a.Key == vote.Key) {
			return a
		}
	}
	return store.Answer{}
}

// Pattern is the result of a query's traces in numbers. Queries with equal patterns have equal statistics,
// which are computed only once.
type Pattern struct {
	// Item has the traces in the classes of the vote. In a run, all traces of a class get the verdict of the
	// trace that represents the class.
	Item         stats.Item
	Ruled, Right int // traces with a verdict by the gold, and those with a correct one
	Queries      int

	Key string // of the numbers; Patterns.Add sets it
}

// Patterns counts queries by pattern. The zero value is empty.
type Patterns struct {
	known map[string]*Pattern // by a key of their numbers
	key   []byte
}

// Add counts one query with this pattern; p.Queries is ignored. It returns the stored pattern of all queries
// that have an equal one. It sorts p.Item.Classes and does not keep the slice.
func (ps *Patterns) Add(p Pattern) *Pattern {
	slices.SortFunc(p.Item.Classes, func(a, b stats.Class) int {
		return cmp.Or(cmp.Compare(b.Votes, a.Votes), cmp.Compare(b.Right, a.Right))
	})
	ps.key = ps.key[:0]
	for _, n := range []int{p.Item.Empty, p.Ruled, p.Right} {
		ps.key = binary.AppendUvarint(ps.key, uint64(n))
	}
	for _, c := range p.Item.Classes {
		ps.key = binary.AppendUvarint(binary.AppendUvarint(ps.key, uint64(c.Votes)), uint64(c.Right))
	}
	known, ok := ps.known[string(ps.key)]
	if !ok {
		p.Item.Classes, p.Queries = slices.Clone(p.Item.Classes), 0
		p.Key = string(ps.key)
		known = &p
		if ps.known == nil {
			ps.known = map[string]*Pattern{}
		}
		ps.known[p.Key] = known
	}
	known.Queries++
	return known
}

// Merge adds the counts of other queries.
func (ps *Patterns) Merge(other *Patterns) {
	for key, p := range other.known {
		if known := ps.known[key]; known != nil {
			known.Queries += p.Queries
			continue
		}
		if ps.known == nil {
			ps.known = map[string]*Pattern{}
		}
		same := *p
		ps.known[key] = &same
	}
}

// Of returns the pattern with a key; nil if no query has it.
func (ps *Patterns) Of(key string) *Pattern { return ps.known[key] }

// All returns the patterns in an order that does not depend on the order in which they were added.
func (ps *Patterns) All() []Pattern {
	out := make([]Pattern, 0, len(ps.known))
	for _, key := range slices.Sorted(maps.Keys(ps.known)) {
		out = append(out, *ps.known[key])
	}
	return out
}

// ICC returns result.Reliability.ICC for the queries with k traces that have a verdict.
func (ps *Patterns) ICC(k int) *float64 {
	queries := make([]int, k+1) // by number of right traces
	for _, p := range ps.known {
		if p.Ruled == k {
			queries[p.Right] += p.Queries
		}
	}
	icc, ok := stats.RightICC(queries)
	return stats.Defined(math.Round(icc*1e12)/1e12+0, ok) // without floating-point errors and -0
}

// Valid counts the traces of a record that were not lost to the infrastructure.
func Valid(r store.Record) (valid int) {
	for _, a := range r.Answers {
		valid += bag.OneIf(a.Outcome != trace.Infra)
	}
	return valid
}
