package stats

import "gonum.org/v1/gonum/mathext"

// MajorityRight returns the probability that more than half of k traces are right when
// each is right with probability p: an item's chance to pass by vote if all wrong answers
// are the same, which is the worst case. A tie is wrong. It is I_p(a, k-a+1) with
// a = floor(k/2)+1. ok is false for p outside [0, 1] and k outside 1..10^7.
func MajorityRight(p float64, k int) (float64, bool) {
	if !isRate(p) || k < 1 || k > maxCount {
		return 0, false
	}
	if p == 0 || p == 1 {
		return p, true
	}
	need := k/2 + 1
	return min(1, mathext.RegIncBeta(float64(need), float64(k-need+1), p)), true
}
