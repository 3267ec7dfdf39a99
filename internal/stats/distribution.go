package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// bisect returns the smallest x in [low, high] at which below is false, to the last digit. below must be true
// up to some x, and false above that x.
func bisect(low, high float64, below func(x float64) bool) float64 {
	for range 200 {
		mid := low + (high-low)/2
		if mid == low || mid == high {
			break
		}
		if below(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// Defined returns a pointer to a figure, or nil if ok is false.
func Defined(v float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &v
}

// betaQuantile returns the x with I_x(a, b) = p, for a, b > 0 and p in (0, 1). It uses bisection, because that
// always converges, and the library's inverse does not.
func betaQuantile(a, b, p float64) float64 {
	return bisect(0, 1, func(x float64) bool { return mathext.RegIncBeta(a, b, x) < p })
}

// tQuantile returns the t for which the interval from -t to t has the probability level, for Student's
// distribution with df > 0 degrees of freedom: P(|T| > t) = I_{df/(df+t²)}(df/2, 1/2).
func tQuantile(level, df float64) float64 {
	x := betaQuantile(df/2, 0.5, 1-level)
	return math.Sqrt(df * (1 - x) / x)
}

// tAbove returns P(T > t) for Student's distribution with df > 0 degrees of freedom.
func tAbove(t, df float64) float64 {
	half := mathext.RegIncBeta(df/2, 0.5, df/(df+t*t)) / 2
	if t < 0 {
		return 1 - half
	}
	return half
}

// noncentralSteps is the number of steps in which the integral is computed. The error is then below 1e-9.
const noncentralSteps = 1000

// noncentralT returns P(T <= t) for the noncentral t distribution with df >= 2 degrees of freedom. It is the
// mean of Φ(t·s - shift) over s = sqrt(χ²/df). The integral is computed by Simpson's rule in u = sqrt(s),
// because the density is smooth at u = 0.
func noncentralT(t, df, shift float64) float64 {
	scale, _ := math.Lgamma(df / 2)
	scale = df/2*math.Log(df/2) - scale + 2*math.Ln2 // 2 of the density of s, 2 of ds = 2u du
	reach := 10 / math.Sqrt(2*df)
	low, high := math.Sqrt(max(0, 1-reach)), math.Sqrt(1+reach)
	h, sum := (high-low)/noncentralSteps, 0.0
	for i := range noncentralSteps + 1 {
		u := low + float64(i)*h
		if u == 0 {
			continue
		}
		weight := 2 + 2*float64(i%2)
		if i == 0 || i == noncentralSteps {
			weight = 1
		}
		s := u * u
		density := math.Exp(scale + (2*df-1)*math.Log(u) - df*s*s/2)
		sum += weight * density * normalBelow(t*s-shift)
	}
	return min(1, max(0, sum*h/3))
}

// normalBelow returns Φ(z).
func normalBelow(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// chiSquareQuantile returns x with P(X <= x) = p for a chi-square variable with df > 0
// degrees of freedom and p in (0, 1).
func chiSquareQuantile(p, df float64) float64 { return 2 * mathext.GammaIncRegInv(df/2, p) }

// chiSquareTail returns P(X >= x) for a chi-square variable with df > 0 degrees of freedom and x >= 0:
// Q(df/2, x/2), the upper regularized incomplete gamma function (Abramowitz and Stegun, 26.4.19).
func chiSquareTail(x, df float64) float64 { return mathext.GammaIncRegComp(df/2, x/2) }
