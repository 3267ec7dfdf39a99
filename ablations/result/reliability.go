package result

import (
	"math"

	"github.com/seed-5817661a/concur/internal/stats"
)

// reliability leaves everything undefined for an incomplete run: missing queries would
// change the rates.
func (v *votes) reliability(k int, c Counts) Reliability {
	var out Reliability
	if c.Missing > 0 {
		return out
	}
	var queries, some, all int
	var scores [][]float64
	for _, p := range v.all() {
		if p.ruled != k {
			continue
		}
		queries += p.queries
		if p.right > 0 {
			some += p.queries
		}
		if p.right == k {
			all += p.queries
		}
		rights := ones(p.right, k)
		for range p.queries {
			scores = append(scores, rights)
		}
	}
	out.PassAtK = estimate(some, queries, c.Queries)
	out.PassHatK = estimate(all, queries, c.Queries)
	if k == 1 {
		return out
	}
	unanimous, correct := v.unanimous, v.unanimousCorrect
	out.Unanimous, out.UnanimousCorrect = &unanimous, &correct
	out.AccuracyIfUnanimous = rate(correct, unanimous)
	if icc, ok := stats.ICC(scores); ok {
		icc = math.Round(icc*1e12) / 1e12 // turns a rounding error into 0
		out.ICC = &icc
	}
	return out
}

// ones are the scores of k traces.
func ones(right, k int) []float64 {
	out := make([]float64, k)
	for i := range right {
		out[i] = 1
	}
	return out
}

// estimate is the estimate of a share over those queries of a run that define it.
func estimate(part, queries, of int) Estimate {
	e := Estimate{Queries: queries, Dropped: of - queries}
	if r := rate(part, queries); r != nil {
		e.Value, e.CI = &r.Value, &r.CI
	}
	return e
}

// rate is nil if of is 0.
func rate(part, of int) *Rate {
	value := share(part, of)
	if value == nil {
		return nil
	}
	return &Rate{*value, wilson(part, of)}
}

func wilson(part, of int) Interval {
	low, high := stats.Wilson(part, of, Level)
	return Interval{"wilson", Level, low, high}
}
