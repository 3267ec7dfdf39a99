package stats

import "math"

// Concord holds the agreement of two raters who put the same items into the same categories.
type Concord struct {
	Observed float64 // share of items on which they agree
	Expected float64 // by chance, from both raters' shares
	// Kappa is Cohen's; Linear and Quadratic weigh disagreements by their distance, for ordered
	// categories. Each is nil if chance alone would give full agreement, as where both raters use
	// one category.
	Kappa, Linear, Quadratic *float64
	ScottPi                  *float64
	// AC1 is Gwet's, which stays high where nearly all items are of one category and kappa falls.
	AC1 *float64
}

// Kappa compares two raters by the matrix of their counts, which may be sums of weights:
// matrix[i][j] items were put into category i by the first and j by the second. ok is false unless the matrix is square, of two
// categories or more, and has items and no negative count.
//
// Sources: J. Cohen, Educ. Psychol. Meas. 20 (1960) 37-46, and Psychol. Bull. 70 (1968) 213-220
// for the weights; W. A. Scott, Public Opin. Q. 19 (1955) 321-325; K. L. Gwet, Br. J. Math. Stat.
// Psychol. 61 (2008) 29-48; methods.md §7.4.
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
	weighted := func(weight func(distance float64) float64, expected func(i, j int) float64) (observed, chance float64) {
		for i, row := range matrix {
			for j, count := range row {
				w := weight(math.Abs(float64(i-j)) / float64(q-1))
				observed += w * float64(count) / n
				chance += w * expected(i, j)
			}
		}
		return observed, chance
	}
	same := func(d float64) float64 {
		if d == 0 {
			return 1
		}
		return 0
	}
	product := func(i, j int) float64 { return rows[i] * columns[j] / (n * n) }
	pooled := func(i, j int) float64 { return (rows[i] + columns[i]) * (rows[j] + columns[j]) / (4 * n * n) }
	c.Observed, c.Expected = weighted(same, product)
	c.Kappa = beyondChance(c.Observed, c.Expected)
	c.Linear = beyondChance(weighted(func(d float64) float64 { return 1 - d }, product))
	c.Quadratic = beyondChance(weighted(func(d float64) float64 { return 1 - d*d }, product))
	c.ScottPi = beyondChance(weighted(same, pooled))
	gwet := 0.0
	for i := range matrix {
		share := (rows[i] + columns[i]) / (2 * n)
		gwet += share * (1 - share) / float64(q-1)
	}
	c.AC1 = beyondChance(c.Observed, gwet)
	return c, true
}

func beyondChance(observed, chance float64) *float64 {
	if chance >= 1 {
		return nil
	}
	k := (observed - chance) / (1 - chance)
	return &k
}

// Scale is what the distance of two ratings means.
type Scale int

const (
	Nominal Scale = iota
	Ordinal
	Metric
)

// Alpha is Krippendorff's, for any number of raters, of whom some may not have rated a unit:
// units[u] lists the ratings of unit u, in no order. Units with fewer than two ratings do not
// count. ok is false without a pair of ratings, and where all ratings are equal, which leaves
// nothing to agree on.
//
// Source: K. Krippendorff, Content Analysis, 2nd ed. (2004) 211-256; methods.md §7.4.
func Alpha(units [][]float64, scale Scale) (alpha float64, ok bool) {
	counts := map[float64]float64{} // of ratings in pairable units
	n := 0.0
	for _, ratings := range units {
		if len(ratings) < 2 {
			continue
		}
		for _, r := range ratings {
			counts[r]++
			n++
		}
	}
	if n < 2 || len(counts) < 2 {
		return 0, false
	}
	distance := distanceOf(scale, counts)
	observed, expected := 0.0, 0.0
	for _, ratings := range units {
		if len(ratings) < 2 {
			continue
		}
		for i, a := range ratings {
			for j, b := range ratings {
				if i != j {
					observed += distance(a, b) / float64(len(ratings)-1)
				}
			}
		}
	}
	for a, na := range counts {
		for b, nb := range counts {
			expected += na * nb * distance(a, b)
		}
	}
	return 1 - (n-1)*observed/expected, true
}

func distanceOf(scale Scale, counts map[float64]float64) func(a, b float64) float64 {
	switch scale {
	case Metric:
		return func(a, b float64) float64 { return square(a - b) }
	case Ordinal:
		return func(a, b float64) float64 {
			between := -(counts[a] + counts[b]) / 2
			for r, k := range counts {
				if min(a, b) <= r && r <= max(a, b) {
					between += k
				}
			}
			return square(between)
		}
	}
	return func(a, b float64) float64 {
		if a == b {
			return 0
		}
		return 1
	}
}

// EffectiveVotes is the number of independent votes that k dependent series are worth,
// k/(1+(k-1)r), where r is the mean correlation of two of them: five copies of one are worth 1.
// series[i][j] is the value of series i for item j, such as 1 for an error. Values that are
// missing are NaN, and leave the item out of that series' pairs. ok is false for fewer than two
// series, and without a pair whose two series both vary. Below r = 0 the number is k.
//
// Source: L. Kish, Survey Sampling (1965); methods.md §7.3.
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

// Correlation is Pearson's over the items that both series have; NaN is a missing one. ok is
// false if either does not vary.
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
