package stats

import "math"

// Means is a comparison of mean scores of K traces per item, by the normal
// approximation; for single outcomes Design is exact. Variances come from a pilot.
type Means struct {
	BetweenVariance float64 // ω²_d, of the true differences of the items
	BaseVariance    float64 // σ²_A, mean over items of p(1-p)
	NewVariance     float64 // σ²_B
	BaseTraces      int     // K_A, at least 1
	NewTraces       int     // K_B, at least 1
	Alpha           float64 // two-sided; 0.05 if 0
	Power           float64 // 0.80 if 0
}

// variance is ω²_d + σ²_A/K_A + σ²_B/K_B, and z the sum of the two quantiles.
func (m Means) variance() (variance, z float64, ok bool) {
	d := Design{Base: 1, Alpha: m.Alpha, Power: m.Power}.withDefaults()
	if !d.valid() || m.BaseTraces < 1 || m.NewTraces < 1 ||
		!(m.BetweenVariance >= 0 && m.BaseVariance >= 0 && m.NewVariance >= 0) {
		return 0, 0, false
	}
	variance = m.BetweenVariance + m.BaseVariance/float64(m.BaseTraces) + m.NewVariance/float64(m.NewTraces)
	z = twoSided(1-d.Alpha) + normalQuantile(d.Power)
	return variance, z, finite(variance) && z > 0
}

// Items returns the number of items on which a difference of the means, in (0, 1], is
// found with the stated power: ceil(z²·variance/difference²), z = z_{α/2} + z_β. ok is
// false outside the ranges and above 2^31-1 items.
//
// Source: E. Miller, arXiv 2411.00640; methods.md §5.3: ω² = 1/9 alone needs 969 items
// for 0.03.
func (m Means) Items(difference float64) (int, bool) {
	variance, z, ok := m.variance()
	if !ok || !(difference > 0 && difference <= 1) {
		return 0, false
	}
	n := math.Ceil(square(z/difference)*variance - 1e-9)
	if !(n <= math.MaxInt32) {
		return 0, false
	}
	return max(1, int(n)), true
}

// MDE returns the smallest difference of the means that n items show with the stated
// power: z·sqrt(variance/n). It may exceed 1, which means never. ok is false for n < 1
// and outside the ranges.
//
// Source: as for Items.
func (m Means) MDE(n int) (float64, bool) {
	variance, z, ok := m.variance()
	if !ok || n < 1 {
		return 0, false
	}
	return z * math.Sqrt(variance/float64(n)), true
}
