package stats

import "math"

// CorrectRate corrects the rate at which a judge passes answers by its sensitivity and specificity on a
// calibration set, to (p + spec - 1)/(sens + spec - 1) within 0 and 1. The judge passed the share p of
// n answers, and on the calibration set the share sens of the right answers, and refused the share spec
// of the wrong ones; of weighted answers their numbers are the effective ones. The interval allows for
// the errors of all three. ok is false for shares outside [0, 1], without answers of a kind, and for
// sens + spec at most 1: a judge that is no better than chance.
// Sources: W. J. Rogan and B. Gladen, Am. J. Epidemiol. 107 (1978) 71-76; Z. Lang and
// J. Reiczigel, Prev. Vet. Med. 113 (2014) 13-22; methods.md §7.5.
func CorrectRate[N int | float64](p float64, answers int, sens float64, positives N, spec float64, negatives N, level float64) (rate float64, ci Interval, ok bool) {
	if !isRate(p) || !isRate(sens) || !isRate(spec) || answers < 1 || positives < 1 || negatives < 1 || !open(level) || sens+spec <= 1 {
		return 0, ci, false
	}
	n, m1, m0 := float64(answers), float64(positives), float64(negatives)
	rate = within01((p + spec - 1) / (sens + spec - 1))
	z := twoSided(level)
	z2 := z * z
	// Each rate is moved towards one half, as the interval's method says.
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

// Audited is an item that a judge passed or not and a person labelled.
type Audited struct {
	Judged, Right bool
	Chance        float64 // with which the item was drawn for a label, above 0 and at most 1
}

// Estimate is a rate with its standard error.
type Estimate struct {
	Value, SE float64
	// Overlap is the further variance of PPI where the labelled items are among the n items, as labels of a
	// run are: twice the covariance of its two means. The published formula takes them from two samples.
	Overlap float64
}

// Interval is the estimate's, by the normal distribution, within 0 and 1.
func (e Estimate) Interval(level float64) Interval {
	half := twoSided(level) * e.SE
	return Interval{within01(e.Value - half), within01(e.Value + half)}
}

// PPI estimates the rate of right items among n, of which a judge passed the given number, from labels
// on a random part of them, all with the same chance (prediction-powered inference, its power tuned).
// ok is false with fewer than two labels, more labels than items, and more passed than items.
// Source: A. N. Angelopoulos, J. C. Duchi and T. Zrnic, arXiv 2311.01453 (PPI++); methods.md §7.5.
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

// HorvitzThompson estimates the rate of right items among n, of which a judge passed the given number, from labels
// on items that were drawn independently, each with its own chance: the judge's rate plus the mean of its errors,
// each weighed by 1/chance, which is unbiased. ok is false without labels, and for a chance outside (0, 1].
// Source: D. G. Horvitz and D. J. Thompson, JASA 47 (1952) 663-685; methods.md §7.5.
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

// Bit is 1 for true and 0 for false.
func Bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// covariance divides by n-1.
func covariance(a, b []float64) float64 {
	ma, _ := Mean(a)
	mb, _ := Mean(b)
	sum := 0.0
	for i := range a {
		sum += (a[i] - ma) * (b[i] - mb)
	}
	return sum / float64(len(a)-1)
}

// CautiousInterval is the interval of an estimate by PPI or HorvitzThompson whose standard error allows
// for errors of the judge that no label has shown yet: it is that of the labels with two more, one of
// each kind of error, at the mean chance (after A. Agresti and B. A. Coull, Am. Stat. 52 (1998)
// 119-126; its coverage is measured by BenchmarkCorrectedRates in ablations/result). more is a further
// variance: for HorvitzThompson, whose error is that of the n items alone, that of drawing these.
func CautiousInterval(e Estimate, labels []Audited, passed, n int, level, more float64, estimate func([]Audited, int, int) (Estimate, bool)) Interval {
	mean := 0.0
	for _, l := range labels {
		mean += l.Chance / float64(len(labels))
	}
	added := append(append([]Audited{}, labels...), Audited{Judged: true, Chance: mean}, Audited{Right: true, Chance: mean})
	if with, ok := estimate(added, passed, max(n, len(added))); ok {
		e.SE = max(e.SE, with.SE)
	}
	e.SE = math.Sqrt(square(e.SE) + e.Overlap + more)
	return e.Interval(level)
}
