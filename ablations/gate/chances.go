package gate

import (
	"math"

	"github.com/seed-5817661a/concur/internal/stats"
)

// posterior is the mean of a query's rate of right traces given its history, from Jeffreys'
// prior: (h+½)/(m+1). Where all of a short history is right it errs towards noise.
func (t Traces) posterior() float64 {
	return (float64(t.Right) + 0.5) / float64(t.Scored()+1)
}

// passes are the chances of the queries to pass by majority in an unchanged run. ok is
// false without a history of each.
func (e Evidence) passes(of func(Item) bool) (p []float64, ok bool) {
	for _, it := range e.Items {
		if !of(it) {
			continue
		}
		if it.History.Scored() == 0 {
			return nil, false
		}
		pass, ok := stats.MajorityRight(it.History.posterior(), e.k())
		if !ok {
			return nil, false
		}
		p = append(p, pass)
	}
	return p, true
}

// chanceBelow is the chance that an unchanged system has fewer than need queries right; nil
// where the history does not cover the queries.
func (e Evidence) chanceBelow(need int) *float64 {
	p, ok := e.passes(func(Item) bool { return true })
	if !ok || len(p) != e.Consensus.Queries {
		return nil
	}
	return mass(p, func(right int) bool { return right < need })
}

// chanceLosing is the chance that an unchanged system loses more than most of the queries
// that the last accepted run had right.
func (e Evidence) chanceLosing(most int) *float64 {
	p, ok := e.passes(func(it Item) bool { return it.Last != nil && it.Last.Majority() })
	if !ok {
		return nil
	}
	return mass(p, func(right int) bool { return len(p)-right > most })
}

func mass(p []float64, of func(successes int) bool) *float64 {
	distribution, ok := stats.PoissonBinomial(p)
	if !ok {
		return nil
	}
	sum := 0.0
	for x, at := range distribution {
		if of(x) {
			sum += at
		}
	}
	sum = min(1, sum)
	return &sum
}

// fewestSpread is the number of pool runs from which their spread says something.
const fewestSpread = 5

// chanceAbove is the chance that the next run lies above the limit, from the spread of the
// pool's runs: Student's predictive distribution of their logarithms, since costs and
// times multiply. nil with fewer than five runs, or values that have no logarithm.
func chanceAbove(limit float64, pool []float64) *float64 {
	if len(pool) < fewestSpread {
		return nil
	}
	logs := make([]float64, len(pool))
	for i, v := range pool {
		if !(v > 0) || math.IsInf(v, 0) {
			return nil
		}
		logs[i] = math.Log(v)
	}
	mean, _ := stats.Mean(logs)
	se, ok := stats.StandardError(logs)
	if !ok {
		return nil
	}
	// Of n runs the mean errs by s/√n, and a new value by s·√(1+1/n).
	chance := upperT(math.Log(limit)-mean, se*math.Sqrt(float64(len(pool)+1)), len(pool)-1)
	return &chance
}

// upperT is P(scale·T > t) for Student's T.
func upperT(t, scale float64, df int) float64 {
	if scale == 0 || math.IsInf(t, 0) {
		if t >= 0 {
			return 0
		}
		return 1
	}
	// The two-sided level whose interval ends at |t|.
	low, high := 0.0, 1.0
	for range 60 {
		level := (low + high) / 2
		if i, ok := stats.TInterval(0, scale, df, level); ok && i.High < math.Abs(t) {
			low = level
		} else {
			high = level
		}
	}
	tail := (1 - low) / 2
	if t < 0 {
		return 1 - tail
	}
	return tail
}
