package stats

import "math"

// Share is a rate with the data for its interval. Size is the number of independent answers. Critical is the
// critical value: of Student's t if there are clusters or several traces, and otherwise of the normal
// distribution.
type Share struct{ Rate, Size, Critical float64 }

// JudgeErrors describes how often a judge errs, measured on answers that people labelled. The judge passed the
// share Sensitivity of the right answers, and refused the share Specificity of the wrong answers. Right and
// Wrong are the numbers of right and of wrong answers. If answers are weighted, these are effective numbers.
type JudgeErrors struct{ Sensitivity, Right, Specificity, Wrong float64 }

// Slope says how much the judged rate changes when the true rate of right answers changes by one. It is 0 for a
// judge that passes right and wrong answers equally often, and below 0 for a judge that is worse than chance.
func (j JudgeErrors) Slope() float64 { return j.Sensitivity + j.Specificity - 1 }

func (j JudgeErrors) valid() bool {
	return isRate(j.Sensitivity) && isRate(j.Specificity) && j.Right >= 1 && j.Wrong >= 1 && finite(j.Right) &&
		finite(j.Wrong)
}

// CorrectShare corrects the rate at which a judge passes answers. It uses the judge's errors on a calibration
// set:
//
//	(p + spec - 1) / (sens + spec - 1), within 0 and 1
//
// The judge passed the share p of the answers. On the calibration set it passed the share sens of the right
// answers, and refused the share spec of the wrong ones. If answers are weighted, their numbers are effective
// numbers. The interval allows for the sampling errors of p, sens and spec.
//
// ok is false if a share is outside [0, 1], if the calibration set has no right or no wrong answers, or if sens
// + spec is at most 1. In the last case the judge is no better than chance. Sources: W. J. Rogan and B. Gladen,
// Am. J. Epidemiol. 107 (1978) 71-76; Z. Lang and J. Reiczigel, Prev. Vet. Med. 113 (2014) 13-22.
func CorrectShare(s Share, j JudgeErrors) (rate float64, ci Interval, ok bool) {
	if !isRate(s.Rate) || !(s.Size >= 1) || !finite(s.Size) || !(s.Critical > 0) || !finite(s.Critical) ||
		!j.valid() || j.Slope() <= 0 {
		return 0, ci, false
	}
	p, n, sens, m1, spec, m0 := s.Rate, s.Size, j.Sensitivity, j.Right, j.Specificity, j.Wrong
	rate = within01((p + spec - 1) / j.Slope())
	z := s.Critical
	z2 := z * z
	// The method of the interval moves each rate towards one half.
	p, n = (n*p+z2/2)/(n+z2), n+z2
	spec, m0 = (m0*spec+1)/(m0+2), m0+2
	sens, m1 = (m1*sens+1)/(m1+2), m1+2
	slope := sens + spec - 1
	if slope <= 0 {
		return 0, ci, false
	}
	theta := (p + spec - 1) / slope
	varSens, varSpec := sens*(1-sens)/m1, spec*(1-spec)/m0
	shift := 2 * z2 * (theta*varSens - (1-theta)*varSpec)
	half := z * math.Sqrt(p*(1-p)/n+square(1-theta)*varSpec+square(theta)*varSens) / slope
	return rate, Interval{within01(theta + shift - half), within01(theta + shift + half)}, true
}

func within01(v float64) float64 { return min(1, max(0, v)) }

// Audited is an item with a judge's verdict and a person's label.
type Audited struct {
	Judged, Right bool
	Chance        float64 // with which the item was drawn for a label, above 0 and at most 1
}

// Estimate is a rate, or a difference of rates, with its standard error.
type Estimate struct {
	Value, SE float64
	// Overlap is an additional variance of PPI. It is needed if the labelled items are among the n items, as
	// for labels of a run. It is twice the covariance of the two means; the published formula does not have it,
	// because there the two means come from different samples.
	Overlap float64
}

// PPI estimates the rate of right items among n items. passed is the number of these items that a judge passed.
// labels are labels on a random part of the items, all drawn with the same chance. The method is
// prediction-powered inference with a tuned weight of the judge's verdicts (PPI++). ok is false for fewer than
// two labels, more labels than items, and passed > n. Source: A. N. Angelopoulos, J. C. Duchi and T. Zrnic,
// arXiv 2311.01453.
func PPI(labels []Audited, passed, n int) (e Estimate, ok bool) {
	m := len(labels)
	if m < 2 || m > n || !isCount(passed, n) {
		return e, false
	}
	y, f := make([]float64, m), make([]float64, m)
	for i, l := range labels {
		y[i], f[i] = Bit(l.Right), Bit(l.Judged)
	}
	share := float64(passed) / float64(n)
	varF := share * (1 - share) / float64(max(1, n-1)) * float64(n) // of the judge, over all items
	lambda := 0.0
	if varF > 0 {
		lambda = within01(covariance(y, f) / ((1 + float64(m)/float64(n)) * varF))
	}
	rest := make([]float64, m)
	for i := range rest {
		rest[i] = y[i] - lambda*f[i]
	}
	mean, _ := Mean(rest)
	e.Value = within01(lambda*share + mean)
	e.SE = math.Sqrt(covariance(rest, rest)/float64(m) + square(lambda)*varF/float64(n))
	e.Overlap = max(0, 2*lambda*covariance(rest, f)/float64(n))
	return e, true
}

// HorvitzThompson estimates the rate of right items among n items. passed is the number of these items that a
// judge passed. labels are labels on items that were drawn independently, each with its own chance. The
// estimate is the judge's rate plus the mean of the judge's errors, each divided by the chance of its item. It
// is unbiased. ok is false without labels, and for a chance outside (0, 1]. Source: D. G. Horvitz and D. J.
// Thompson, JASA 47 (1952) 663-685.
func HorvitzThompson(labels []Audited, passed, n int) (e Estimate, ok bool) {
	if len(labels) == 0 || len(labels) > n || !isCount(passed, n) {
		return e, false
	}
	sum, variance := 0.0, 0.0
	for _, l := range labels {
		if !(l.Chance > 0 && l.Chance <= 1) {
			return e, false
		}
		miss := Bit(l.Right) - Bit(l.Judged)
		sum += miss / l.Chance
		variance += (1 - l.Chance) * square(miss/l.Chance)
	}
	e.Value = within01(float64(passed)/float64(n) + sum/float64(n))
	e.SE = math.Sqrt(variance) / float64(n)
	return e, true
}

// Bit returns 1 for true and 0 for false.
func Bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// covariance returns the sample covariance, with divisor n-1.
func covariance(a, b []float64) float64 {
	ma, _ := Mean(a)
	mb, _ := Mean(b)
	sum := 0.0
	for i := range a {
		sum += (a[i] - ma) * (b[i] - mb)
	}
	return sum / float64(len(a)-1)
}

// CautiousInterval returns the interval of an estimate v of PPI or HorvitzThompson. Its standard error allows
// for kinds of errors of the judge that no label has shown yet:
//
//  1. The error is at least the error that results after adding two labels with the mean chance, one for each
//     kind of error of the judge (after A. Agresti and B. A. Coull, Am. Stat. 52 (1998) 119-126).
//  2. more is an additional variance. The error of HorvitzThompson allows only for the choice of labels among
//     the n items. There, more is the variance of drawing the n items.
//  3. The interval has Wilson's form with n_e = v(1-v)/SE² in place of n; if v is 0 or 1, n_e is the number of
//     labels. Student's t with labels - 1 degrees of freedom replaces z. The simpler interval v ± t·SE covers
//     too little near 0 and 1.
//
// BenchmarkCorrectedRates in ablations/result measures its coverage.
func CautiousInterval(e Estimate, labels []Audited, passed, n int, level, more float64,
	estimate func([]Audited, int, int) (Estimate, bool),
) Interval {
	mean := 0.0
	for _, l := range labels {
		mean += l.Chance / float64(len(labels))
	}
	added := append(append([]Audited{}, labels...), Audited{Judged: true, Chance: mean},
		Audited{Right: true, Chance: mean})
	if with, ok := estimate(added, passed, max(n, len(added))); ok {
		e.SE = max(e.SE, with.SE)
	}
	variance, size := square(e.SE)+e.Overlap+more, float64(len(labels))
	if open(e.Value) && variance > 0 {
		size = e.Value * (1 - e.Value) / variance
	}
	return wilsonAt(e.Value, size, tQuantile(level, float64(max(1, len(labels)-1))))
}
