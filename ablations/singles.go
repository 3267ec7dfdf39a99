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
	var before, now, d []float64
	var traces [2][]int
	var names []string
	var valid, unruled [2]int
	all := clusterNames(m.pairs)
	for i, p := range m.pairs {
		for side, q := range p {
			valid[side] += q.Rights.Valid
			unruled[side] += q.Rights.Valid - q.Rights.Ruled
		}
		a, b := p[0].Rights, p[1].Rights
		if a.Ruled == 0 || b.Ruled == 0 {
			out.Dropped++
			continue
		}
		before, now, d = append(before, a.Share()), append(now, b.Share()), append(d, b.Share()-a.Share())
		traces[0], traces[1], names = append(traces[0], a.Ruled), append(traces[1], b.Ruled), append(names, all[i])
	}
	out.Queries, out.Unruled = len(d), unruled[0]+unruled[1]
	if len(d) == 0 {
		return singles{}
	}
	for side := range valid {
		if float64(unruled[side]) > result.MaxUnruled*float64(valid[side]) {
			return singles{shown: &out}
		}
	}
	k := min(harmonic(traces[0]), harmonic(traces[1]))
	found, ok := stats.NewPairedDifference(d, result.Units(names), k)
	if !ok {
		return singles{shown: &out}
	}
	was, _ := stats.Mean(before)
	is, _ := stats.Mean(now)
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
	out.MayMiss = len(d) < fewQueries && k >= manyTraces && was >= 0.95
	return singles{&out, &found}
}

// harmonic returns the harmonic mean of counts, which must be above 0.
func harmonic(counts []int) float64 {
	sum := 0.0
	for _, k := range counts {
		sum += 1 / float64(k)
	}
	return float64(len(counts)) / sum
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
