package text

import (
	"math"
	"strconv"
)

// mostDecimals is the maximum number of decimals of a rate that is nearly 0 or 1.
const mostDecimals = 4

// Percent returns a rate in per cent with the given number of decimals. It uses more decimals if the rate would
// otherwise look like 0 or 1: 249 of 250 is 99.6 and not 100.
func Percent(x float64, decimals int) string {
	for x > 0 && x < 1 && decimals < mostDecimals {
		unit := math.Pow10(decimals)
		if rounded := math.Round(x*100*unit) / unit; rounded > 0 && rounded < 100 {
			break
		}
		decimals++
	}
	return strconv.FormatFloat(x*100, 'f', decimals, 64)
}
