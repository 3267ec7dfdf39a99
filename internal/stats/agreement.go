package stats

import "math"

// Concord holds the agreement of two raters who put the same items into the same categories. Each figure is nil
// if chance alone would give full agreement, for example because both raters use only one category.
//
//   - Kappa is Cohen's.
//   - Quadratic is Cohen's kappa for ordered categories: it weighs a disagreement by its squared distance.
//   - AC1 is Gwet's. If nearly all items are of one category, Kappa falls although the raters agree, and AC1
//     stays high.
type Concord struct {
	Kappa, Quadratic, AC1 *float64
}

// Kappa compares two raters by the matrix of their counts: matrix[i][j] is the number of items that the first
// rater put into category i and the second into category j. Counts may be sums of weights. ok is false unless
// the matrix is square, has two categories or more, has items and has no negative count. Sources: J. Cohen,
// Educ. Psychol. Meas. 20 (1960) 37-46, and Psychol. Bull. 70 (1968) 213-220 for the weights; K. L. Gwet, Br.
// J. Math. Stat. Psychol. 61 (2008) 29-48; docs/method.md §7.4.
func Kappa[N int | float64](matrix [][]N) (c Concord, ok bool) {
	q := len(matrix)
	rows, columns := make([]float64, q), make([]float64, q)
	n := 0.0
	for i, row := range matrix {
		if len(row) != q {
			return c, false
		}
		for j, count := range row {
			if count < 0 {
				return c, false
			}
			rows[i] += float64(count)
			columns[j] += float64(count)
			n += float64(count)
		}
	}
	if q < 2 || n == 0 {
		return c, false
	}
	weighted := func(weight func(distance float64) float64) (observed, chance float64) {
		for i, row := range matrix {
			for j, count := range row {
				w := weight(math.Abs(float64(i-j)) / float64(q-1))
				observed += w * float64(count) / n
				chance += w * rows[i] * columns[j] / (n * n)
			}
		}
		return observed, chance
	}
	observed, chance := weighted(func(d float64) float64 { return Bit(d == 0) })
	c.Kappa = beyondChance(observed, chance)
	c.Quadratic = beyondChance(weighted(func(d float64) float64 { return 1 - d*d }))
	gwet := 0.0
	for i := range matrix {
		share := (rows[i] + columns[i]) / (2 * n)
		gwet += share * (1 - share) / float64(q-1)
	}
	c.AC1 = beyondChance(observed, gwet)
	return c, true
}

func beyondChance(observed, chance float64) *float64 {
	return Defined((observed-chance)/(1-chance), chance < 1)
}

// Alpha returns Krippendorff's alpha of nominal ratings by any number of raters. units[u] lists the ratings of
// unit u, in any order; raters may leave out units. Units with fewer than two ratings do not count. Alpha is
// undefined, and ok is false, if no unit has two ratings, or if all ratings are equal. Source: K. Krippendorff,
// Content Analysis, 2nd ed. (2004) 211-256; docs/method.md §7.4.
func Alpha(units [][]float64) (alpha float64, ok bool) {
	all := map[float64]float64{} // counts of ratings in pairable units
	n, observed := 0.0, 0.0
	for _, ratings := range units {
		if len(ratings) < 2 {
			continue
		}
		unit := map[float64]float64{}
		for _, r := range ratings {
			all[r]++
			unit[r]++
		}
		n += float64(len(ratings))
		observed += unequalPairs(unit) / float64(len(ratings)-1)
	}
	if len(all) < 2 {
		return 0, false
	}
	return 1 - (n-1)*observed/unequalPairs(all), true
}

// unequalPairs returns the number of ordered pairs of ratings that differ.
func unequalPairs(counts map[float64]float64) float64 {
	n, same := 0.0, 0.0
	for _, k := range counts {
		n += k
		same += k * k
	}
	return n*n - same
}

// EffectiveVotes returns how many independent votes give as much information as k dependent series:
// k/(1+(k-1)r), where r is the mean correlation of two series, or 0 if that is negative. For example, the
// result for five copies of one series is 1. series[i][j] is the value of series i for item j, such as 1 for an
// error; NaN is a missing value. ok is false unless at least two series vary. Source: L. Kish, Survey Sampling
// (1965); docs/method.md §7.3.
func EffectiveVotes(series [][]float64) (votes float64, ok bool) {
	k := float64(len(series))
	sum, pairs := 0.0, 0.0
	for i := range series {
		for j := range i {
			if r, defined := Correlation(series[i], series[j]); defined {
				sum += r
				pairs++
			}
		}
	}
	if pairs == 0 {
		return 0, false
	}
	return k / (1 + (k-1)*max(0, sum/pairs)), true
}

// Correlation returns Pearson's correlation of two series. It uses the items for which both series have a
// value; NaN means a missing value. ok is false if one of the series does not vary.
func Correlation(a, b []float64) (r float64, ok bool) {
	var n, ma, mb float64
	for i := range min(len(a), len(b)) {
		if !math.IsNaN(a[i]) && !math.IsNaN(b[i]) {
			n++
			ma += (a[i] - ma) / n
			mb += (b[i] - mb) / n
		}
	}
	var saa, sbb, sab float64
	for i := range min(len(a), len(b)) {
		if !math.IsNaN(a[i]) && !math.IsNaN(b[i]) {
			saa += square(a[i] - ma)
			sbb += square(b[i] - mb)
			sab += (a[i] - ma) * (b[i] - mb)
		}
	}
	if saa == 0 || sbb == 0 {
		return 0, false
	}
	return sab / math.Sqrt(saa*sbb), true
}
