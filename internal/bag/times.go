package bag

import (
	"cmp"
	"math"
	"slices"
)

// Exact is the number of times up to which quantiles of Times are exact.
const Exact = 1 << 17

// Times sums up times in seconds. It keeps up to Exact of them. Beyond that it counts them in classes, each a hundredth
// wider than the one below, so that a quantile is right within half a per cent. The zero value is empty.
// Source: C. Masson, J. E. Rim and H. K. Lee, DDSketch, Proc. VLDB Endowment 12 (2019) 2195-2205.
type Times struct {
	values  []float64
	classes Bag[int32] // nil while values are kept
	sum     Nanoseconds
	n       int
}

// Nanoseconds is a sum of times, exact whatever their order.
type Nanoseconds int64

// mostSeconds bounds one time, so that a damaged one does not overflow the sum.
const mostSeconds = 1e6

// Add adds a time in seconds, to the nanosecond.
func (n *Nanoseconds) Add(seconds float64) {
	*n += Nanoseconds(math.Round(1e9 * max(0, min(seconds, mostSeconds))))
}

// Seconds returns the sum in seconds.
func (n Nanoseconds) Seconds() float64 { return float64(n) / 1e9 }

// Add adds a time in seconds.
func (t *Times) Add(seconds float64) {
	t.n++
	t.sum.Add(seconds)
	if t.classes != nil {
		t.classes.Add(class(seconds))
		return
	}
	if t.values = append(t.values, seconds); t.n > Exact {
		t.classify()
	}
}

// Merge adds other times.
func (t *Times) Merge(other *Times) {
	t.n += other.n
	t.sum += other.sum
	if t.n <= Exact {
		t.values = append(t.values, other.values...)
		return
	}
	t.classify()
	t.classes.Merge(other.classes)
	for _, v := range other.values {
		t.classes.Add(class(v))
	}
}

func (t *Times) classify() {
	if t.classes == nil {
		t.classes = Bag[int32]{}
	}
	for _, v := range t.values {
		t.classes.Add(class(v))
	}
	t.values = nil
}

// width is the ratio of the upper to the lower bound of a class. least is the upper bound of the first class,
// which begins at 0.
const width, least = 1.01, 1e-6

// class returns the number of the class of a time; 0 for the lowest.
func class(seconds float64) int32 {
	if !(seconds > least) {
		return 0
	}
	return 1 + int32(math.Log(min(seconds, mostSeconds)/least)/math.Log(width))
}

// Len is the number of times.
func (t *Times) Len() int { return t.n }

// Sum returns the sum in seconds.
func (t *Times) Sum() float64 {
	if t.classes != nil {
		return t.sum.Seconds()
	}
	slices.Sort(t.values)
	sum := 0.0
	for _, v := range t.values {
		sum += v
	}
	return sum
}

// Quantile returns the smallest time that is at least as large as the share p of them; nil without any.
func (t *Times) Quantile(p float64) *float64 {
	if t.n == 0 {
		return nil
	}
	rank := max(1, int(math.Ceil(p*float64(t.n)-1e-9)))
	if t.classes == nil {
		slices.Sort(t.values)
		return &t.values[rank-1]
	}
	value, at := 0.0, 0
	for of := range t.classes.Each(cmp.Compare[int32]) {
		if at++; at == rank {
			if of > 0 { // the middle of its bounds, in ratio
				value = least * math.Pow(width, float64(of)-0.5)
			}
			break
		}
	}
	return &value
}
