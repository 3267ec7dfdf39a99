package text

import (
	"math"
	"strconv"
	"strings"
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

// mostEnds is the maximum number of decimals of the ends of an interval.
const mostEnds = 10

// Ends returns the ends of an interval of rates in per cent, with the given number of decimals. It uses more decimals
// if different ends would otherwise look equal: an interval from 0.999996 to 1 is 99.9996 to 100.0000.
func Ends(low, high float64, decimals int) (from, to string) {
	for {
		from = strconv.FormatFloat(low*100, 'f', decimals, 64)
		to = strconv.FormatFloat(high*100, 'f', decimals, 64)
		if from != to || low == high || decimals >= mostEnds {
			return from, to
		}
		decimals++
	}
}

// Bracketed returns an interval of rates in per cent as [48, 84]: see Ends.
func Bracketed(low, high float64, decimals int) string {
	from, to := Ends(low, high, decimals)
	return "[" + from + ", " + to + "]"
}

// Signed returns a difference with its sign and the given decimals. Zero has no sign.
func Signed(x float64, decimals int) string {
	out := strconv.FormatFloat(x, 'f', decimals, 64)
	switch {
	case strings.Trim(out, "-0.") == "":
		return strings.TrimPrefix(out, "-")
	case x < 0:
		return strings.Replace(out, "-", "−", 1)
	}
	return "+" + out
}

// SignedEnds returns the ends of an interval of differences with their signs, with the given decimals. It uses more
// decimals if different ends would otherwise look equal: an interval from 0.3 to 0.4 is +0.3 to +0.4 and not 0 to 0.
func SignedEnds(low, high float64, decimals int) (from, to string) {
	for {
		from, to = Signed(low, decimals), Signed(high, decimals)
		if from != to || low == high || decimals >= mostEnds {
			return from, to
		}
		decimals++
	}
}
