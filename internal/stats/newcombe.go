package stats

import "math"

// Newcombe returns the hybrid score interval for the difference x2/n2 - x1/n1 of two
// independent rates (different items), at the two-sided confidence level. From the
// Wilson intervals [l1, u1] and [l2, u2] and d = p2 - p1:
//
//	low  = d - sqrt((p2-l2)² + (u1-p1)²)
//	high = d + sqrt((u2-p2)² + (p1-l1)²)
//
// It stays in [-1, 1], which it is where n1 or n2 is 0. ok is false for a count outside
// 0 <= x <= n or a level outside (0, 1). For the same items use Tango: ignoring the
// pairing multiplies the variance by two to four.
//
// Source: R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, method 10;
// methods.md §5.4.
func Newcombe(x1, n1, x2, n2 int, level float64) (Interval, bool) {
	i1, ok1 := WilsonInterval(x1, n1, level)
	i2, ok2 := WilsonInterval(x2, n2, level)
	if !ok1 || !ok2 {
		return Interval{}, false
	}
	if n1 == 0 || n2 == 0 {
		return anyDifference, true
	}
	p1, p2 := float64(x1)/float64(n1), float64(x2)/float64(n2)
	d := p2 - p1
	return Interval{
		Low:  max(-1, d-math.Hypot(p2-i2.Low, i1.High-p1)),
		High: min(1, d+math.Hypot(i2.High-p2, p1-i1.Low)),
	}, true
}
