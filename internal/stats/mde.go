package stats

// Design is a comparison of two configurations on the same items, one outcome per item
// and configuration (K = 1, or the consensus of K).
type Design struct {
	// Base is the rate of the baseline, in (0, 1].
	Base  float64
	Alpha float64 // 0.05 if 0
	Power float64 // 0.80 if 0
	Test  PairedTest
	// Nested assumes that the new configuration only loses items. The default assumes
	// independent runs with a common rate of all items, so that some are gained by chance.
	Nested bool
}

func (d Design) withDefaults() Design {
	if d.Alpha == 0 {
		d.Alpha = 0.05
	}
	if d.Power == 0 {
		d.Power = 0.80
	}
	return d
}

func (d Design) valid() bool {
	return d.Base > 0 && d.Base <= 1 && open(d.Alpha) && open(d.Power) && d.Test.valid()
}

// pairs are the probabilities of a loss and a gain when the rate falls by drop.
func (d Design) pairs(drop float64) (loss, gain float64) {
	if d.Nested {
		return drop, 0
	}
	now := max(0, d.Base-drop)
	return d.Base * (1 - now), (1 - d.Base) * now
}

// MDE returns the minimum detectable effect: the smallest drop of the rate that the test
// detects on n items with the stated power, by exact enumeration, to nine digits. A
// comparison without a detected drop says little about smaller drops. ok is false if even
// a drop to 0 is missed too often, for n outside 1..100000, and for a design
// outside its ranges.
//
// Source: methods.md §5.6: n = 29, base 0.96, independent, mid-p two-sided: 0.273.
func (d Design) MDE(n int) (float64, bool) {
	d = d.withDefaults()
	if !d.valid() || n < 1 || n > maxEnumeratedItems {
		return 0, false
	}
	r := newRegion(n, d.Alpha, d.Test)
	enough := func(drop float64) bool { return r.rate(d.pairs(drop)) >= d.Power }
	if !enough(d.Base) {
		return 0, false
	}
	low, high := 0.0, d.Base
	for high-low > 1e-10 {
		mid := (low + high) / 2
		if enough(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high, true
}
