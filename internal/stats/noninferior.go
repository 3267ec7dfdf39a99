package stats

// NonInferior reports whether the new configuration is shown to be worse by less than
// margin: lower is the one-sided lower bound, at level, of the difference (gain-loss)/n
// on the same n items, and shown is lower > -margin. See Tango, whose bound it is, and
// McNemar for loss and gain.
//
// Without items lower is -1. With 29 items that agree it is -0.085, too wide for a margin of
// 5 points. ok is false outside the domain of Tango, for
// a level outside (0.5, 1) and a margin outside [0, 1].
//
// Source: methods.md §6.2, PASS-NI.
func NonInferior(n, loss, gain int, margin, level float64) (lower float64, shown, ok bool) {
	if !isRate(margin) {
		return 0, false, false
	}
	i, ok := Tango(n, loss, gain, 2*level-1)
	if !ok {
		return 0, false, false
	}
	return i.Low, i.Low > -margin, true
}
