package stats

// Design is a comparison of two configurations on the same items, one outcome per item
// and configuration (K = 1, or the consensus of K).
type Design struct {
	// Base is the rate of the baseline, in (0, 1].
	Base  float64
	Alpha float64 // 0.05 if 0
	Power float64 // 0.80 if 0
	Test  PairedTest
	// Nested supposes that the new configuration only loses items. The default supposes
	// independent runs, each item at the common rate, so that some are gained by chance:
	// the honest case.
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
// finds on n items with the stated power, by exact enumeration, to nine digits. A
// comparison that found nothing says little about smaller drops. ok is false where even
// a drop to 0 would be missed too often, for n outside 1..100000, and for a design
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

// PowerAt returns the probability that the test on n items finds a drop of the rate, in
// 0..Base. The domain is that of MDE.
func (d Design) PowerAt(n int, drop float64) (float64, bool) {
	d = d.withDefaults()
	if !d.valid() || n < 1 || n > maxEnumeratedItems || !(drop >= 0 && drop <= d.Base) {
		return 0, false
	}
	return newRegion(n, d.Alpha, d.Test).rate(d.pairs(drop)), true
}

// Items returns a number of items on which the test finds the drop with the stated power
// while on one fewer it does not. Power rises with n in steps, so that a few larger n
// may fall just below it again. ok is false where more than maxItems (at most 100000)
// are needed, for a drop outside 0..Base, and for a design outside its ranges.
func (d Design) Items(drop float64, maxItems int) (int, bool) {
	d = d.withDefaults()
	if !d.valid() || !(drop > 0 && drop <= d.Base) || maxItems < 1 || maxItems > maxEnumeratedItems {
		return 0, false
	}
	whole := newRegion(maxItems, d.Alpha, d.Test)
	enough := func(n int) bool {
		r := region{whole.critical[:n+1], whole.twoSided}
		return r.rate(d.pairs(drop)) >= d.Power
	}
	low, high := 0, 1
	for !enough(high) {
		if high == maxItems {
			return 0, false
		}
		low, high = high, min(2*high, maxItems)
	}
	for high-low > 1 {
		if mid := low + (high-low)/2; enough(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high, true
}
