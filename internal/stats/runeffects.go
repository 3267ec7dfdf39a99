package stats

import (
	"math"
	"math/rand/v2"
)

// Phi is the variance of the run means divided by the variance that independent traces explain. It is 1 if runs
// differ only by chance, and more if the traces of a run share an influence. Low and High are its 95 %
// interval. P is the probability of a phi at least this large if traces are independent: P(X >= (R-1)·phi),
// where X is chi-square with R-1 degrees of freedom and R is the number of runs.
type Phi struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	P     float64 `json:"p"`
}

const phiLevel = 0.95

// Dispersion returns phi from runs over the same items. In a run, an item has of[run][item] valid traces, of
// which right[run][item] are right.
//
//	phi = Var_runs(run mean) / (Σ p_i(1-p_i)/(n²K))
//
// p_i is the rate of item i over all runs, and p_i(1-p_i) is estimated without bias. If the numbers of traces
// differ, the mean of a run is the mean of (rate of the item in the run - p_i) over the items that the run has,
// and the runs are weighted by the inverse of the variance of this mean. For the interval, (R-1)·phi has a
// chi-square distribution with R-1 degrees of freedom, where R is the number of runs. If all runs agree
// exactly, High is computed as if they differed by one trace.
//
// ok is false in three cases: fewer than two runs have traces of an item whose outcomes differ; runs have
// different lengths; a count is outside 0 <= right <= of <= 10^7. Source: docs/method.md §6.2.
func Dispersion(right, of [][]int) (Phi, bool) {
	rates, ok := itemRates(right, of)
	if !ok {
		return Phi{}, false
	}
	var runs []runMean
	for r := range right {
		if m := newRunMean(right[r], of[r], rates); m.variance > 0 { // a run without traces has no variance
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
		P:     chiSquareTail(seen, df),
	}, true
}

// itemRate is the pooled rate of an item over all runs.
type itemRate struct {
	p, variance float64 // variance of a single trace
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

// runMean has the mean of a run's deviations from the items' rates, and the variance of this mean if traces are
// independent. step is the largest change of the mean that a single trace can cause.
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

// squares returns the weighted sum of squares of the run means around their mean (seen). least is the smallest
// value that this sum would have if one trace differed.
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

// Concordance tests whether the traces of one item agree more often within a run than across runs. This is so
// if a run serves copies of a reply, or if a disturbance affects the whole run. outcomes[run][item] lists
// whether each trace is right.
//
// The statistic is the number of agreeing pairs of traces of one item in one run. Under the hypothesis, all
// orders of the outcomes of an item over its runs are equally likely, for any difficulty of the item. Orders
// are drawn with a seed, and p = (1 + number of draws with at least as many agreeing pairs)/(1 + draws).
//
// ok is false with fewer than two runs, runs of different length, and without draws. Source: docs/method.md
// §6.2, dependent runs.
func Concordance(outcomes [][][]bool, seed int64, draws int) (p float64, ok bool) {
	items, ok := newMixedItems(outcomes)
	if !ok || draws < 1 {
		return 0, false
	}
	seen := 0
	for _, it := range items {
		seen += it.disagreeing()
	}
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	hits := 0
	for range draws {
		disagreeing := 0
		for _, it := range items {
			it.deal(random)
			disagreeing += it.disagreeing()
		}
		// The total number of pairs is constant. So fewer disagreeing pairs mean more agreeing pairs.
		if disagreeing <= seen {
			hits++
		}
	}
	return float64(1+hits) / float64(1+draws), true
}

// mixedItem is an item with both right and wrong outcomes.
type mixedItem struct {
	traces []int // in each run
	one    []int // traces with one of the outcomes, in each run
	places []int // the run of each trace
	deals  int   // number of traces with the rarer outcome
}

// newMixedItems returns the items that have right and wrong traces. The order of other items has no effect on
// the test.
func newMixedItems(outcomes [][][]bool) (items []mixedItem, ok bool) {
	if len(outcomes) < 2 {
		return nil, false
	}
	for i := range outcomes[0] {
		it := mixedItem{traces: make([]int, len(outcomes)), one: make([]int, len(outcomes))}
		right := 0
		for run, of := range outcomes {
			if len(of) != len(outcomes[0]) {
				return nil, false
			}
			it.traces[run] = len(of[i])
			for _, r := range of[i] {
				it.places = append(it.places, run)
				if r {
					it.one[run]++
					right++
				}
			}
		}
		if it.deals = min(right, len(it.places)-right); it.deals > 0 {
			items = append(items, it)
		}
	}
	return items, true
}

// disagreeing counts the pairs with different outcomes within a run.
func (it mixedItem) disagreeing() (n int) {
	for run, one := range it.one {
		n += one * (it.traces[run] - one)
	}
	return n
}

// deal gives the rarer outcome to random traces, without replacement.
func (it mixedItem) deal(random *rand.Rand) {
	clear(it.one)
	for i := range it.deals {
		j := i + random.IntN(len(it.places)-i)
		it.places[i], it.places[j] = it.places[j], it.places[i]
		it.one[it.places[i]]++
	}
}
