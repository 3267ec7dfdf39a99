package stats

// CoverageAt returns the probability, by enumeration of x = 0..n, that an interval for a
// rate contains the true rate p when n independent trials have it. It is what a level
// promises and an interval holds more or less: Wilson's of 0.95 covers 0.924 at n = 29,
// p = 0.88. ok is false for p outside [0, 1], n outside 0..100000 and where the interval
// is undefined for an x. See methods.md §5.2.
func CoverageAt(n int, p float64, interval func(x, n int) (Interval, bool)) (float64, bool) {
	if n < 0 || n > maxEnumeratedItems || !isRate(p) {
		return 0, false
	}
	sum := 0.0
	for x := range n + 1 {
		i, ok := interval(x, n)
		if !ok {
			return 0, false
		}
		if i.Contains(p) {
			sum += binomialPMF(x, n, p)
		}
	}
	return min(1, sum), true
}
