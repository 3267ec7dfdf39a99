package stats

import "math"

// CorrectDifference estimates the difference D of two rates of right answers. d is the difference of the rates
// at which one judge passed the answers (now minus before), and ci is the interval [l, u] of d.
//
//  1. D = d/J, where J is the judge's Slope. [J_l, J_u] is the interval of J, from Wilson's intervals of
//     sensitivity and specificity.
//  2. end±(x, j) = (dJ ± √(d²J² - x·j(2d - x)(2J - j))) / (j(2J - j)).
//  3. For d >= 0 the interval of D is from end-(l, J_u), or end-(l, J_l) if l < 0, to end+(u, J_l). For d < 0
//     it is the mirror image. It is within [-1, 1].
//
// The interval allows for the errors of the calibration. These errors affect the size of D, but not its sign.
// The judge must make the same errors in both rows.
//
// ok is false if J_l is not above 0, because the judge's errors are then not known well enough. It is also
// false if the interval ci does not contain d, and if a value is outside its range. least is J_l. Sources: A.
// Donner and G. Y. Zou, Stat. Methods Med. Res. 21 (2012) 347-359 (MOVER-R); R. G. Newcombe, Stat. Methods Med.
// Res. 25 (2016) 1774-1778.
func CorrectDifference(
	d float64, ci Interval, j JudgeErrors, level float64,
) (difference float64, corrected Interval, least float64, ok bool) {
	slope, ok := j.slopes(level)
	if !ok || !(-1 <= ci.Low && ci.Low <= d && d <= ci.High && ci.High <= 1) {
		return 0, corrected, slope.Low, false
	}
	at := j.Slope()
	ends := func(d, l, u float64) Interval {
		bound := func(x, s, sign float64) float64 {
			root := math.Sqrt(max(0, square(d*at)-x*s*(2*d-x)*(2*at-s)))
			return (d*at + sign*root) / (s * (2*at - s))
		}
		far := slope.Low
		if l >= 0 {
			far = slope.High
		}
		return Interval{bound(l, far, -1), bound(u, slope.Low, 1)}
	}
	if d >= 0 {
		corrected = ends(d, ci.Low, ci.High)
	} else {
		mirror := ends(-d, -ci.High, -ci.Low)
		corrected = Interval{-mirror.High, -mirror.Low}
	}
	limit := func(v float64) float64 { return max(-1, min(1, v)) }
	return limit(d / at), Interval{limit(corrected.Low), limit(corrected.High)}, slope.Low, true
}

// slopes returns the interval of Slope, from Wilson's intervals of sensitivity and specificity. ok is false
// unless the whole interval is above 0.
func (j JudgeErrors) slopes(level float64) (Interval, bool) {
	if !j.valid() || !open(level) {
		return Interval{}, false
	}
	z := twoSided(level)
	a, e := wilsonAt(j.Sensitivity, j.Right, z), wilsonAt(j.Specificity, j.Wrong, z)
	s := j.Slope()
	out := Interval{
		s - math.Hypot(j.Sensitivity-a.Low, j.Specificity-e.Low),
		s + math.Hypot(a.High-j.Sensitivity, e.High-j.Specificity),
	}
	return out, out.Low > 0
}

// AuditedDifference is a query for which people labelled the answers of both rows. Judged is the judge's
// verdict (1 or 0) on the answer of the second row minus the verdict on the answer of the first row. Right is
// the same difference of the people's labels. Both are -1, 0 or 1.
type AuditedDifference struct{ Judged, Right float64 }

// PPIDifference estimates the difference of the rates of right answers of two rows, with the method that PPI
// uses for one rate. judged has the judged differences of all queries. labels has the queries that people
// labelled in both rows; they must be a random part. ok is false for fewer than two labels, more labels than
// queries, and a difference outside [-1, 1].
func PPIDifference(labels []AuditedDifference, judged []float64) (e Estimate, ok bool) {
	m, n := len(labels), len(judged)
	ok = m >= 2 && m <= n
	y, f := make([]float64, m), make([]float64, m)
	for i, l := range labels {
		y[i], f[i] = l.Right, l.Judged
	}
	for _, list := range [][]float64{y, f, judged} {
		for _, v := range list {
			ok = ok && math.Abs(v) <= 1
		}
	}
	if !ok {
		return e, false
	}
	mean, _ := Mean(judged)
	spread := sumSquares(judged, mean) / float64(n-1)
	lambda := 0.0
	if spread > 0 {
		lambda = within01(covariance(y, f) / ((1 + float64(m)/float64(n)) * spread))
	}
	rest := make([]float64, m)
	for i := range rest {
		rest[i] = y[i] - lambda*f[i]
	}
	missed, _ := Mean(rest)
	e.Value = lambda*mean + missed
	e.Overlap = max(0, 2*lambda*covariance(rest, f)/float64(n))
	e.SE = math.Sqrt(covariance(rest, rest)/float64(m) + square(lambda)*spread/float64(n) + e.Overlap)
	return e, true
}

// CautiousDifference returns the interval of an estimate of PPIDifference, within [-1, 1]. m is the number of
// labels. The interval is Student's, with the squared error SE² + 1/(m(m-1)). The added term is one more answer
// on which judge and people disagree, because few labels may have shown no error. same is the p-value for the
// hypothesis that the rates differ by the margin or more: the larger of the one-sided p-values in both
// directions.
func CautiousDifference(e Estimate, labels int, level, margin float64) (ci Interval, same float64, ok bool) {
	if labels < 2 || !open(level) || !open(margin) || !(math.Abs(e.Value) <= 1) || !(e.SE >= 0) {
		return ci, 0, false
	}
	m := float64(labels)
	se := math.Sqrt(square(e.SE) + 1/(m*(m-1)))
	half := tQuantile(level, m-1) * se
	ci = Interval{max(-1, e.Value-half), min(1, e.Value+half)}
	return ci, tAbove((margin-math.Abs(e.Value))/se, m-1), true
}
