package stats

import "math"

// Phi is the variance of the run means relative to the variance that independent traces explain: 1 if runs differ by
// chance only, more if the traces of a run share an influence. Low and High are its 95 % interval; Line, the 95 %
// point of chi-square with R-1 degrees of freedom over R-1, is exceeded in 5 % of cases by chance.
type Phi struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Line  float64 `json:"line"`
}

const phiLevel = 0.95

// Dispersion returns phi from runs over the same items, right[run][item] of of[run][item] valid traces:
//
//	phi = Var_runs(run mean) / (Σ p_i(1-p_i)/(n²K))
//
// with p_i(1-p_i) estimated without bias from all runs. Numbers of traces may differ: a run's mean is
// that of its items' deviations from p_i, over the items that it has, weighed by the inverse of its
// variance. The interval takes ·phi as chi-square with R-1 degrees of freedom for R runs; High
// allows for a difference of one trace, even if the runs agree exactly.
//
// ok is false with fewer than two runs that have traces of an item whose outcomes differ, with runs of
// different length, and for a count outside 0 <= right <= of <= 10^7. Source: methods.md §6.2.
func Dispersion(right, of [][]int) (Phi, bool) {
	rates, ok := itemRates(right, of)
	if !ok {
		return Phi{}, false
	}
	var runs []runMean
	for r := range right {
		if m := newRunMean(right[r], of[r], rates); m.variance > 0 { // not for a run without traces
			runs = append(runs, m)
		}
	}
	if len(runs) < 2 {
		return Phi{}, false
	}
	df := float64(len(runs) - 1)
	seen, least := squares(runs)
	tail := (1 - phiLevel) / 2
	return Phi{
		Value: seen / df,
		Low:   seen / chiSquareQuantile(1-tail, df),
		High:  max(seen, least) / chiSquareQuantile(tail, df),
		Line:  chiSquareQuantile(phiLevel, df) / df,
	}, true
}

// itemRate is the pooled rate of an item over all runs.
type itemRate struct {
	p, variance float64 // of a trace
}

// itemRates pools the runs; an item without traces keeps the zero value.
func itemRates(right, of [][]int) ([]itemRate, bool) {
	if len(right) == 0 || len(right) != len(of) {
		return nil, false
	}
	rates := make([]itemRate, len(right[0]))
	traces := make([]float64, len(rates))
	for r := range right {
		if len(right[r]) != len(rates) || len(of[r]) != len(rates) {
			return nil, false
		}
		for i, x := range right[r] {
			if !isCount(x, of[r][i]) || of[r][i] > maxCount {
				return nil, false
			}
			rates[i].p += float64(x)
			traces[i] += float64(of[r][i])
		}
	}
	for i, n := range traces {
		if n > 0 {
			rates[i].p /= n
		}
		if n > 1 {
			rates[i].variance = rates[i].p * (1 - rates[i].p) * n / (n - 1)
		}
	}
	return rates, true
}

// runMean is the mean of a run's deviations from the items' rates, and its variance if
// traces are independent. step is the most that a single trace moves it.
type runMean struct {
	deviation, variance, step float64
}

func newRunMean(right, of []int, rates []itemRate) (m runMean) {
	n := 0.0
	for i, rate := range rates {
		if of[i] == 0 {
			continue
		}
		n++
		k := float64(of[i])
		m.deviation += float64(right[i])/k - rate.p
		m.variance += rate.variance / k
		if rate.variance > 0 {
			m.step = max(m.step, 1/k)
		}
	}
	return runMean{m.deviation / n, m.variance / (n * n), m.step / n}
}

// squares is the weighted sum of squares of the run means around their mean, and the least
// value that a single differing trace would give.
func squares(runs []runMean) (seen, least float64) {
	weight, mean := 0.0, 0.0
	for _, r := range runs {
		weight += 1 / r.variance
		mean += r.deviation / r.variance
	}
	mean /= weight
	for _, r := range runs {
		d := r.deviation - mean
		if math.Abs(d) > 1e-12 { // ignore rounding errors
			seen += d * d / r.variance
		}
		least = max(least, r.step*r.step/r.variance*(1-1/(r.variance*weight)))
	}
	return seen, least
}
