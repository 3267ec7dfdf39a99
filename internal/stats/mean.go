package stats

import "math"

// Class is a group of traces of one item that gave the same answer.
type Class struct {
	Votes int
	Right int // number of Votes that are right; if only some are, the class counts as their share
}

// share is the share of right traces in the class, 0 to 1.
func (c Class) share() float64 {
	if c.Votes == 0 {
		return 0
	}
	return float64(c.Right) / float64(c.Votes)
}

// Item holds the answers of a query's traces. Traces that the infrastructure lost are missing data, and are not
// in the counts (docs/method.md §1.1).
type Item struct {
	Classes []Class
	Empty   int // traces that ended without an answer, and agree with no other
}

// maxTraces is the maximum number of traces of an item. It limits the time of counting subsets.
const maxTraces = 256

// valid reports whether no count is negative, no class has more right traces than traces, and the item has at
// most maxTraces traces.
func (it Item) valid() bool {
	possible := isCount(it.Empty, maxTraces)
	for _, c := range it.Classes {
		possible = possible && isCount(c.Votes, maxTraces) && isCount(c.Right, c.Votes)
	}
	return possible && it.Traces() <= maxTraces
}

// Traces returns the number of all traces of the item.
func (it Item) Traces() int {
	n := it.Empty
	for _, c := range it.Classes {
		n += c.Votes
	}
	return n
}

// Unanimity returns two probabilities for k of the item's traces, drawn without replacement (docs/method.md
// §4):
//
//   - same is the probability that all k gave the same answer: Σ C(n_a, k)/C(N, k) over the classes.
//   - right is the probability that all k gave the same answer and it is correct.
//
// ok is false for k < 2, fewer than k traces, negative counts and more than 256 traces.
func (it Item) Unanimity(k int) (same, right float64, ok bool) {
	if !it.valid() || k < 2 || k > it.Traces() {
		return 0, 0, false
	}
	for _, c := range it.Classes {
		share := allOf(it.Traces(), c.Votes, k)
		same += share
		right += share * c.share()
	}
	return min(1, same), min(1, right), true
}

// Mean returns the arithmetic mean. ok is false if there are no scores, and if a score or the sum is not
// finite.
func Mean(scores []float64) (float64, bool) {
	if len(scores) == 0 {
		return 0, false
	}
	// If the differences from the first score are summed, the mean of equal scores is exact.
	first, sum := scores[0], 0.0
	for _, s := range scores {
		sum += s - first
	}
	mean := first + sum/float64(len(scores))
	return mean, finite(mean)
}

// StandardError returns the standard error of the mean of independent scores, one per item:
//
//	sqrt(Σ(s - mean)² / (n(n-1)))
//
// Traces of one item are not independent, so average them first. ok is false for fewer than two scores, and if
// a score is not finite (docs/method.md §1.2, §5.3).
func StandardError(scores *Values) (float64, bool) {
	mean, ok := scores.Mean()
	if !ok || scores.items < 2 {
		return 0, false
	}
	n, sum := float64(scores.items), 0.0
	for _, r := range scores.runs {
		for range r.items {
			sum += (r.value - mean) * (r.value - mean)
		}
	}
	se := math.Sqrt(sum / n / (n - 1))
	return se, finite(se)
}

func sumSquares(scores []float64, mean float64) float64 {
	sum := 0.0
	for _, s := range scores {
		sum += (s - mean) * (s - mean)
	}
	return sum
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}
