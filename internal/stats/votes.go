package stats

import "math"

// TraceCorrelation says how strongly the results of the traces of one query are correlated.
type TraceCorrelation struct {
	Rho float64 // intraclass correlation, see ICC
	// Effective is the number of independent traces that give as much information as K traces:
	// K/(1+(K-1)·max(0, Rho)).
	Effective float64
	// RhoCI and EffectiveCI are nil unless at least ten queries have a wrong trace and at least ten have a
	// right trace. With fewer such queries, the interval covers only .35 to .92.
	RhoCI, EffectiveCI *Interval
}

// minMixed is the minimum number of queries with a right trace, and the minimum number of queries with a wrong
// trace, for an interval of the correlation.
const minMixed = 10

// NewTraceCorrelation returns the correlation of the traces of one query. Each query has k traces, and right[i]
// of the traces of query i are right. The interval is a jackknife of ln F, where F = MSB/MSW =
// (1+(K-1)ρ)/(1-ρ): F is computed again with each query left out once. It uses Student's t(n-1). ok is false if
// ICC is undefined, and for a count outside 0 <= right <= k.
//
// Sources: P. E. Shrout and J. L. Fleiss, Psych. Bulletin 86 (1979) 420-428; R. G. Miller, Biometrika 61 (1974)
// 1-15 for the jackknife; L. Kish, Survey Sampling (1965) for the effective number.
func NewTraceCorrelation(right []int, k int, level float64) (c TraceCorrelation, ok bool) {
	if k < 2 || !open(level) {
		return c, false
	}
	var s rights
	anyRight, anyWrong := 0, 0
	for _, x := range right {
		if !isCount(x, k) {
			return c, false
		}
		s = s.plus(float64(x), 1)
		anyRight += int(Bit(x > 0))
		anyWrong += int(Bit(x < k))
	}
	kk, n := float64(k), float64(len(right))
	if c.Rho, ok = s.icc(kk); !ok {
		return c, false
	}
	worth := func(rho float64) float64 { return kk / (1 + (kk-1)*max(0, rho)) }
	c.Effective = worth(c.Rho)
	if anyRight < minMixed || anyWrong < minMixed {
		return c, true
	}
	logF := func(rho float64) float64 {
		return math.Log((1 + (kk-1)*max(rho, -1/(kk-1)+1e-6)) / (1 - min(rho, 1-1e-6)))
	}
	without := make([]float64, len(right))
	for i, x := range right {
		rho, defined := s.plus(float64(x), -1).icc(kk)
		if !defined {
			return c, true
		}
		without[i] = logF(rho)
	}
	mean, _ := Mean(without)
	half := tQuantile(level, n-1) * math.Sqrt((n-1)/n*sumSquares(without, mean))
	back := func(h float64) float64 { return (math.Exp(h) - 1) / (math.Exp(h) + kk - 1) }
	c.RhoCI = &Interval{back(logF(c.Rho) - half), back(logF(c.Rho) + half)}
	c.EffectiveCI = &Interval{worth(c.RhoCI.High), worth(c.RhoCI.Low)}
	return c, true
}

// rights holds the sums over queries of the numbers of right traces and of their squares.
type rights struct{ n, sum, squares float64 }

func (s rights) plus(x, times float64) rights {
	return rights{s.n + times, s.sum + times*x, s.squares + times*x*x}
}

// RightICC returns the one-way intraclass correlation of right traces: queries[x] queries have x right traces
// of K = len(queries)-1. A right trace is y = 1, a wrong one y = 0; n is the number of queries.
//
//	ICC(1,1) = (MSB - MSW) / (MSB + (K-1)MSW)
//	MSB = K Σ(mean_i - mean)²/(n-1),  MSW = ΣΣ(y - mean_i)²/(n(K-1))
//
// The result is at most 1. It may be negative; read a negative value as 0. ok is false for a negative count,
// for n < 2, for K < 2, and if all traces are equal. Source: P. E. Shrout and J. L. Fleiss, Psych. Bulletin 86
// (1979) 420-428; docs/method.md §4.
func RightICC(queries []int) (icc float64, ok bool) {
	k := len(queries) - 1
	if k < 2 {
		return 0, false
	}
	var s rights
	for x, n := range queries {
		if n < 0 {
			return 0, false
		}
		s = s.plus(float64(x), float64(n))
	}
	return s.icc(float64(k))
}

// icc returns the intraclass correlation computed from these sums. k is the number of traces of a query.
func (s rights) icc(k float64) (float64, bool) {
	if s.n < 2 {
		return 0, false
	}
	between := (s.squares - s.sum*s.sum/s.n) / k / (s.n - 1)
	within := (s.sum - s.squares/k) / s.n / (k - 1)
	spread := between + (k-1)*within
	if !(spread > tiny) {
		return 0, false
	}
	return (between - within) / spread, true
}
