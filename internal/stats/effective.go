package stats

// Effective holds intervals for a mean of scores in [0, 1] that is not a simple proportion.
type Effective struct {
	// Size is the number of independent yes-or-no trials that would have this error.
	Size   float64
	Wilson Interval
}

// EffectiveIntervals returns intervals, within [0, 1], for a mean in [0, 1] with a given
// standard error se, from fractional scores or from clusters.
//
//	n_eff = m(1-m)/se²,  x_eff = m·n_eff,  then Wilson with real numbers
//
// units is the number of items, or of clusters if se is a clustered error; it is n_eff if
// se = 0 or the mean is 0 or 1, because zero spread does not prove certainty. ok is false for a mean outside [0, 1], a negative or infinite se,
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
	// An error larger than scores in [0, 1] can have leaves less than one trial.
	if !(size > 0 && size <= maxCount) {
		return Effective{}, false
	}
	x := mean * size
	w, ok := wilson(x, size, level)
	return Effective{Size: size, Wilson: w}, ok
}
