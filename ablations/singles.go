package ablations

import (
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
)

// singles compares the means of single traces of two sides. It also has the data for its row of the table.
type singles struct {
	shown      *result.SinglesComparison // nil if there is nothing to compare
	difference *stats.PairedDifference   // nil if only the counts in shown are known
}

// fewQueries and manyTraces describe the case in which the comparison may miss a change that breaks only few
// queries: docs/method.md §5.4.
const fewQueries, manyTraces = 60, 5

func (m match) singles(margin float64, right correction) singles {
	out := result.SinglesComparison{}
	var before, now, d stats.Values
	var traces [2]stats.Traces
	var valid, unruled [2]int
	for _, p := range m.pairs {
		for side, q := range p {
			valid[side] += q.Rights.Valid
			unruled[side] += q.Rights.Valid - q.Rights.Ruled
		}
		a, b := p[0].Rights, p[1].Rights
		if a.Ruled == 0 || b.Ruled == 0 {
			out.Dropped++
			continue
		}
		before.Add(a.Share(), "", 1)
		now.Add(b.Share(), "", 1)
		d.Add(b.Share()-a.Share(), clusterOf(p), 1)
		traces[0].Add(a.Ruled, 1)
		traces[1].Add(b.Ruled, 1)
	}
	out.Queries, out.Unruled = d.Len(), unruled[0]+unruled[1]
	if d.Len() == 0 {
		return singles{}
	}
	for side := range valid {
		if float64(unruled[side]) > result.MaxUnruled*float64(valid[side]) {
			return singles{shown: &out}
		}
	}
	k := min(traces[0].Harmonic(), traces[1].Harmonic())
	found, ok := stats.NewPairedDifference(&d, k)
	if !ok {
		return singles{shown: &out}
	}
	was, _ := before.Mean()
	is, _ := now.Mean()
	out.Before, out.Now, out.Difference, out.Method = &was, &is, &found.Mean, "score-t"
	if found.Together() {
		out.Method = "sign-flip"
	}
	if i, ok := found.Interval(result.Level); ok {
		out.CI = &result.Interval{Method: "tango-cr2", Level: result.Level, Low: i.Low, High: i.High}
	}
	out.PT = stats.Defined(found.P())
	out.PSignFlip = stats.Defined(found.SignFlip(seed, stats.DefaultDraws))
	slope := 1.0
	out.Corrected, slope = right.ofSingles(out.Difference, out.CI)
	if notWorse, equal, ok := found.Within(margin * slope); ok {
		out.PNotWorse, out.PEqual = &notWorse, &equal
	}
	out.MayMiss = d.Len() < fewQueries && k >= manyTraces && was >= 0.95
	return singles{&out, &found}
}

// callSingles adjusts the p-values of the rows of a table as one family, and sets the calls. A row without a
// p-value counts as a row with p = 1.
func callSingles(rows []singles, o Options) {
	p, equal, notWorse := make([]float64, len(rows)), make([]float64, len(rows)), make([]float64, len(rows))
	for i, s := range rows {
		p[i], equal[i], notWorse[i] = 1, 1, 1
		if s.difference != nil {
			if own := s.shown.P(); own != nil {
				p[i] = *own
			}
			if s.shown.PEqual != nil {
				equal[i], notWorse[i] = *s.shown.PEqual, *s.shown.PNotWorse
			}
		}
	}
	adjusted, _ := stats.Holm(p)
	adjustedEqual, _ := stats.Holm(equal)
	adjustedNotWorse, _ := stats.Holm(notWorse)
	for i, s := range rows {
		if s.difference == nil {
			continue
		}
		s.shown.Call = result.Undetermined
		if s.shown.P() == nil {
			continue
		}
		s.shown.PHolm, s.shown.PEqualHolm, s.shown.PNotWorseHolm = &adjusted[i], &adjustedEqual[i], &adjustedNotWorse[i]
		differs := adjusted[i]
		if s.difference.Differing < stats.MinDiffering {
			differs = 1
		}
		s.shown.Call = o.call(differs, adjustedEqual[i], adjustedNotWorse[i], s.difference.Mean)
	}
}
