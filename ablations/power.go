package ablations

import (
	"encoding/binary"
	"math"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/ablations/sizing"
	"github.com/seed-5817661a/concur/internal/stats"
)

// toDetect is the drop in rate for which an inconclusive comparison states how many queries or traces are
// needed.
const toDetect = 0.10

// powers caches laws and minimum detectable effects, because most rows of a table have the same baseline and
// queries.
type powers struct {
	laws map[string]*stats.Law
	mdes map[effectKey]*float64
}

type effectKey struct {
	mean, between, floor float64 // fields of a stats.Law
	design               stats.Design
	votes                bool
}

func newPowers() powers {
	return powers{map[string]*stats.Law{}, map[effectKey]*float64{}}
}

// law fits a distribution to the true rates of the baseline's queries. k is the harmonic mean, over queries, of
// the number of traces with a verdict. law is nil if no trace has a verdict, or if no distribution fits.
func (w powers) law(pairs [][2]*Query, floor float64) (law *stats.Law, k float64) {
	var right, traces []int
	var counted stats.Traces
	key := binary.LittleEndian.AppendUint64(nil, math.Float64bits(floor))
	for _, p := range pairs {
		if n := p[0].Rights; n.Ruled > 0 {
			right, traces = append(right, n.Right), append(traces, n.Ruled)
			counted.Add(n.Ruled, 1)
			key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(n.Right)), uint64(n.Ruled))
		}
	}
	if len(right) == 0 {
		return nil, 0
	}
	if _, known := w.laws[string(key)]; !known {
		w.laws[string(key)] = nil
		if l, ok := stats.NewLaw(right, traces); ok {
			l.Floor = floor
			w.laws[string(key)] = &l
		}
	}
	return w.laws[string(key)], counted.Harmonic()
}

// mde returns the minimum detectable effect of single traces or of votes.
func (w powers) mde(l *stats.Law, d stats.Design, votes bool) *float64 {
	key := effectKey{l.Mean, l.Between, l.Floor, d, votes}
	if _, known := w.mdes[key]; !known {
		of := l.SingleMDE
		if votes {
			of = l.VoteMDE
		}
		w.mdes[key] = stats.Defined(of(d))
	}
	return w.mdes[key]
}

// ofVerdicts returns tally.mde, cached.
func (w powers) ofVerdicts(t tally, level float64) *float64 {
	d := stats.Design{Queries: float64(t.n), K: [2]float64{float64(t.nBase), stats.Bit(t.paired)}, Level: level}
	key := effectKey{mean: float64(t.xBase), design: d, votes: true}
	if t.refused() {
		return nil
	}
	if _, known := w.mdes[key]; !known {
		w.mdes[key] = t.mde(level)
	}
	return w.mdes[key]
}

// design returns a design with the effective number of queries. Clusters make it smaller than the number of
// queries.
func design(queries int, c *stats.PairedDifference, k [2]float64, level float64) stats.Design {
	d := stats.Design{Queries: float64(queries), K: k, Level: level}
	if c == nil || !c.Together() {
		return d
	}
	if c.SE > 0 && c.Alone > 0 {
		d.Queries *= min(1, c.Alone*c.Alone/(c.SE*c.SE))
	}
	d.DF = c.Effective - 1
	return d
}

// describe sets the smallest drops that votes and single traces of a comparison could have detected: as a
// single comparison, and as the comparison with the smallest p of the table.
func (w powers) describe(c *result.Comparison, m match, t tally, s singles, right correction, rows int) {
	level := alpha / float64(rows)
	defer right.effects(c)
	law, k := w.law(m.pairs, right.floor())
	if !t.paired || law == nil {
		c.MDE, c.MDEHolm = w.ofVerdicts(t, alpha), w.ofVerdicts(t, level)
		c.MDEAtMost = t.paired && c.MDE != nil
		return
	}
	if t.xBase == 0 || t.refused() {
		return
	}
	whole := math.Round(k)
	votes := func(level float64) *float64 {
		return w.mde(law, design(t.n, t.clustered, [2]float64{whole, whole}, level), true)
	}
	c.MDE, c.MDEHolm, c.MDEAtMost = votes(alpha), votes(level), law.AtMost
	if s.difference == nil || !s.difference.Enough() {
		return
	}
	now := ruled(m.pairs).Harmonic()
	at := func(level, kBase, kNow float64) stats.Design {
		return design(s.shown.Queries, s.difference, [2]float64{kBase, kNow}, level)
	}
	s.shown.MDE, s.shown.MDEHolm = w.mde(law, at(alpha, k, now), false), w.mde(law, at(level, k, now), false)
	if s.shown.Call == result.Undetermined && (s.shown.MDEHolm == nil || *s.shown.MDEHolm > toDetect*right.slope()) {
		s.shown.ToDetect = w.toDetect(law, at, level, min(k, now), s.shown.Queries, toDetect*right.slope())
	}
}

// ruled sums up the numbers of the other side's traces with a verdict, over the queries that have such traces.
func ruled(pairs [][2]*Query) (out stats.Traces) {
	for _, p := range pairs {
		if n := p[1].Rights.Ruled; n > 0 {
			out.Add(n, 1)
		}
	}
	return out
}

func (w powers) toDetect(law *stats.Law, at func(level, kBase, kNow float64) stats.Design, level, k float64,
	queries int, drop float64) *result.ToDetect {
	out := &result.ToDetect{Drop: toDetect}
	if n, ok := law.SingleQueries(drop, max(1, int(math.Round(k))), level); ok {
		// With clusters, more queries are needed.
		needed := int(math.Ceil(float64(n) * float64(queries) / at(level, k, k).Queries))
		out.Queries = &needed
	}
	for _, more := range sizing.Ks() {
		if float64(more) <= k {
			continue
		}
		if mde := w.mde(law, at(level, float64(more), float64(more)), false); mde != nil && *mde <= drop {
			out.K = &more
			break
		}
	}
	if out.Queries == nil && out.K == nil {
		return nil
	}
	return out
}
