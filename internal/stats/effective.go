package stats

// Effective holds intervals for a mean of scores in [0, 1] that is no plain x of n.
type Effective struct {
	// Size is the number of independent yes-or-no trials that would have this error.
	Size           float64
	Wilson         Interval
	ClopperPearson Interval
}

// EffectiveIntervals returns intervals for a mean in [0, 1] whose standard error se was
// found otherwise: from fractional scores, or from clusters. They never leave [0, 1].
//
//	n_eff = m(1-m)/se²,  x_eff = m·n_eff,  then Wilson and Clopper-Pearson as reals
//
// units is the number of items, or of clusters where se is a clustered error; it is
// n_eff where se = 0 or the mean is 0 or 1, since a spread of nothing is no proof of
// certainty. ok is false for a mean outside [0, 1], a negative or infinite se,
// units < 1, an n_eff above 10^7 or a level outside (0, 1).
//
// Source: E. L. Korn and B. I. Graubard, Survey Methodology 24 (1998) 193-201;
// methods.md §5.3.
func EffectiveIntervals(mean, se float64, units int, level float64) (Effective, bool) {
	if !isRate(mean) || !(se >= 0) || !finite(se) || units < 1 {
		return Effective{}, false
	}
	size := mean * (1 - mean) / (se * se)
	if se*se == 0 || mean == 0 || mean == 1 {
		size = float64(units)
	}
	// An error far beyond any that scores in [0, 1] can have leaves no trial at all.
	if !(size > 0 && size <= maxCount) {
		return Effective{}, false
	}
	x := mean * size
	w, ok := wilson(x, size, level)
	if !ok {
		return Effective{}, false
	}
	cp, ok := clopperPearson(x, size, level)
	return Effective{Size: size, Wilson: w, ClopperPearson: cp}, ok
}
