package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// normalQuantile returns z with Φ(z) = p, the quantile of the standard normal distribution,
// for 0 < p < 1.
//
// Source: M. J. Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988) 477-484;
// relative error about 1e-15 for every p in float64. math.Erfinv uses the same approximation
// but takes 2p-1, which loses digits of a small p (at p = 1e-10 the result is off by 1e-8).
func normalQuantile(p float64) float64 {
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - q*q
		return q * horner(centreNum, r) / horner(centreDen, r)
	}
	tail := p
	if q > 0 {
		tail = 1 - p
	}
	z := upperTail(tail)
	if q < 0 {
		return -z
	}
	return z
}

// upperTail returns z > 0 with 1-Φ(z) = tail, for tail < 0.075.
func upperTail(tail float64) float64 {
	r := math.Sqrt(-math.Log(tail))
	if r <= 5 {
		return horner(tailNum, r-1.6) / horner(tailDen, r-1.6)
	}
	return horner(farNum, r-5) / horner(farDen, r-5)
}

// horner evaluates the polynomial with coefficients c, constant term first.
func horner(c [8]float64, x float64) float64 {
	sum := 0.0
	for i := len(c) - 1; i >= 0; i-- {
		sum = sum*x + c[i]
	}
	return sum
}

// Coefficients of AS 241: |p-1/2| <= 0.425, then tails down to exp(-25), then
// the rest.
var (
	centreNum = [8]float64{
		3.3871328727963666080, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
		4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3,
	}
	centreDen = [8]float64{
		1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
		2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3,
	}
	tailNum = [8]float64{
		1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
		1.27045825245236838258, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4,
	}
	tailDen = [8]float64{
		1, 2.05319162663775882187, 1.67638483018380384940, 6.89767334985100004550e-1,
		1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
	}
	farNum = [8]float64{
		6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
	}
	farDen = [8]float64{
		1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
		7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15,
	}
)

// betaQuantile returns x with I_x(a, b) = p, for a, b > 0 and p in (0, 1). Unlike the
// library's inverse, bisection always converges.
func betaQuantile(a, b, p float64) float64 {
	low, high := 0.0, 1.0
	for range 200 {
		mid := low + (high-low)/2
		if mid == low || mid == high {
			break
		}
		if mathext.RegIncBeta(a, b, mid) < p {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// tQuantile returns t with a mass of level between -t and t, for Student's distribution
// with df > 0 degrees of freedom: P(|T| > t) = I_{df/(df+t²)}(df/2, 1/2).
func tQuantile(level, df float64) float64 {
	x := betaQuantile(df/2, 0.5, 1-level)
	return math.Sqrt(df * (1 - x) / x)
}

// binomialCDF is P(X <= k) for X ~ Bin(n, p).
func binomialCDF(k, n int, p float64) float64 {
	switch {
	case k < 0:
		return 0
	case k >= n || p <= 0:
		return 1
	case p >= 1:
		return 0
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 1-p)
}

// chiSquareQuantile returns x with P(X <= x) = p for a chi-square variable with df > 0
// degrees of freedom and p in (0, 1), by bisection.
func chiSquareQuantile(p, df float64) float64 {
	below := func(x float64) bool { return mathext.GammaIncReg(df/2, x/2) < p }
	low, high := 0.0, df
	for below(high) && finite(2*high) {
		low, high = high, 2*high
	}
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
