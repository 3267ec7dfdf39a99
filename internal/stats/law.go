package stats

import "math"

// lawPoints is the number of quantiles by which a Law is stored (docs/method.md §5.6).
const lawPoints = 400

// Law describes how the true rates of queries are distributed. The true rate of a query is the probability that
// a single trace is right. The law determines which effects a comparison can detect. Points are equally likely
// rates.
type Law struct {
	Mean    float64
	Between float64 // standard deviation of the rates
	Points  []float64
	// AtMost is true if no query has two traces. All queries are then assumed to have the same rate, and
	// minimum detectable effects are up to 1.4 times too large.
	AtMost bool
	// Floor is the lowest possible rate of a query. A judge passes wrong answers at this rate, 1 - specificity.
	// Floor is 0 without a judge.
	Floor float64
}

// NewLaw fits a Beta law by moments to queries. Query i has traces[i] = k valid traces, of which right[i] are
// right:
//
//  1. m is the mean of s = right/k over the queries.
//  2. σ² is the mean of k/(k-1)·s(1-s) over the queries with k >= 2: the variance within a query.
//  3. ω² = max(0, var(s) - σ²·mean(1/k)) is the variance between queries.
//  4. The law is Beta(mν, (1-m)ν) with ν = max(.001, m(1-m)/ω² - 1).
//
// All queries have the rate m in three cases: ω = 0; m is 0 or 1; no query has two traces. ok is false without
// queries and for a count outside 0 <= right <= traces, traces >= 1. Source: docs/method.md §5.6.
func NewLaw(right, traces []int) (Law, bool) {
	var counted Traces
	for _, k := range traces {
		counted.Add(k, 1)
	}
	if counted.invalid || len(right) == 0 || len(right) != len(traces) {
		return Law{}, false
	}
	shares, within, several := make([]float64, len(right)), 0.0, 0.0
	for i, x := range right {
		if !isCount(x, traces[i]) {
			return Law{}, false
		}
		k := float64(traces[i])
		shares[i] = float64(x) / k
		if k >= 2 {
			within += k / (k - 1) * shares[i] * (1 - shares[i])
			several++
		}
	}
	m, _ := Mean(shares)
	if several == 0 || len(shares) < 2 {
		return Law{Mean: m, Points: []float64{m}, AtMost: several == 0}, true
	}
	variance := sumSquares(shares, m)/float64(len(shares)-1) - within/several/counted.Harmonic()
	return lawOf(m, math.Sqrt(max(0, variance))), true
}

// StatedLaw returns the law of queries with this mean rate and standard deviation of rates. ok is false for a
// mean outside (0, 1) and for an impossible deviation: it must be at least 0 and below sqrt(mean·(1-mean)).
func StatedLaw(mean, between float64) (Law, bool) {
	if !open(mean) || !(between >= 0 && between*between < mean*(1-mean)) {
		return Law{}, false
	}
	return lawOf(mean, between), true
}

func lawOf(mean, between float64) Law {
	l := Law{Mean: mean, Between: between, Points: []float64{mean}}
	if between*between <= 1e-9 || !open(mean) {
		return l
	}
	nu := max(1e-3, mean*(1-mean)/(between*between)-1)
	l.Points = make([]float64, lawPoints)
	for i := range l.Points {
		l.Points[i] = betaQuantile(mean*nu, (1-mean)*nu, (float64(i)+0.5)/lawPoints)
	}
	return l
}

// after returns the rates after each has fallen by drop, but not below Floor. A rate that is already below
// Floor does not change.
func (l Law) after(drop float64) []float64 {
	out := make([]float64, len(l.Points))
	for i, p := range l.Points {
		out[i] = min(p, max(l.Floor, p-drop))
	}
	return out
}

// fall returns how much the mean rate of single traces falls if every rate falls by drop.
func (l Law) fall(drop float64) float64 {
	was, _ := Mean(l.Points)
	now, _ := Mean(l.after(drop))
	return was - now
}

// voteRight returns the probability that the majority of k traces is right, if each trace is right with
// probability p; a tie counts half.
func voteRight(p float64, k int) float64 {
	sum := 0.0
	for x := k/2 + 1; x <= k; x++ {
		sum += binomialPMF(x, k, p)
	}
	if k%2 == 0 {
		sum += binomialPMF(k/2, k, p) / 2
	}
	return min(1, sum) // rounding may exceed 1
}

// votes computes the effect on votes of k traces if each rate falls by drop. loss is the probability that a
// query whose vote was right now has a wrong vote, and gain the opposite. fall is the fall of the rate of right
// votes.
func (l Law) votes(drop float64, k int) (loss, gain, fall float64) {
	for i, q := range l.after(drop) {
		was, now := voteRight(l.Points[i], k), voteRight(q, k)
		loss += was * (1 - now)
		gain += (1 - was) * now
		fall += was - now
	}
	n := float64(len(l.Points))
	return loss / n, gain / n, fall / n
}
