package figures

import (
	"fmt"
	"math"
	"strconv"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
)

// tellingQueries is the number of queries from which rates have a decimal. With fewer queries, tenths of a per
// cent have no meaning.
const tellingQueries = 300

// Digits returns the number of decimals for a rate over this number of queries.
func Digits(queries int) int {
	if queries >= tellingQueries {
		return 1
	}
	return 0
}

// FormatRate formats a rate in per cent with the given decimals, or more if the value needs them: see
// text.Percent.
func FormatRate(x float64, decimals int) string { return text.Percent(x, decimals) }

// Percent formats a share in whole per cent. It returns document.Undefined for nil.
func Percent(x *float64) string { return text.Share(x) }

// PercentOf formats a rate over a number of queries, which determines the decimals.
func PercentOf(x *float64, queries int) string {
	return document.FormatDefined(x, func(x float64) string { return FormatRate(x, Digits(queries)) + " %" })
}

// Points formats a difference of rates in percentage points, with its sign.
func Points(x float64) string { return Signed(x*100, 1) }

// Signed formats a difference with its sign and the given decimals.
func Signed(x float64, decimals int) string { return text.Signed(x, decimals) }

// PValue formats a p-value with three decimals, because with few queries smaller differences have no meaning.
func PValue(p *float64) string {
	switch {
	case p == nil:
		return document.Undefined
	case *p < 0.001:
		return "<0.001"
	default:
		return strconv.FormatFloat(*p, 'f', 3, 64)
	}
}

// Whole formats an integer.
func Whole(n int) string { return strconv.Itoa(n) }

// UnlessZero formats a count that is usually 0; 0 is shown as undefined.
func UnlessZero(n int) string {
	if n == 0 {
		return document.Undefined
	}
	return Whole(n)
}

// Count formats a count; nil is shown as undefined.
func Count(n *int) string { return document.FormatDefined(n, Whole) }

// Tenths formats a number with one decimal. It returns document.Undefined for nil.
func Tenths(x *float64) string { return Decimal(x, 1) }

// Hundredths formats a number with two decimals. It returns document.Undefined for nil.
func Hundredths(x *float64) string { return Decimal(x, 2) }

// Decimal formats a number with the given decimals. It returns document.Undefined for nil.
func Decimal(x *float64, decimals int) string { return text.Decimal(x, decimals) }

// Seconds formats a duration in seconds as milliseconds, seconds or minutes. It returns document.Undefined for nil.
func Seconds(x *float64) string {
	switch {
	case x == nil:
		return document.Undefined
	case *x < 1:
		return fmt.Sprintf("%.0f ms", *x*1000)
	case *x < 120:
		return fmt.Sprintf("%.1f s", *x)
	default:
		return fmt.Sprintf("%.0f min", *x/60)
	}
}

// Dollars formats an amount in dollars. Below one dollar it has two significant digits. It returns
// document.Undefined for nil.
func Dollars(x *float64) string { return text.Dollars(x) }

// Thousands formats a count with at most four digits: 9999, 12k, 34M.
func Thousands(n int) string { return text.Thousands(n) }

// EffectPoints formats a minimum detectable effect in percentage points.
func EffectPoints(x *float64) string {
	return document.FormatDefined(x, func(x float64) string { return fmt.Sprintf("%.0f", x*100) })
}

// MarginPoints formats a margin in percentage points, with decimals only if the value has some.
func MarginPoints(x float64) string { return strconv.FormatFloat(math.Round(x*1e4)/100, 'f', -1, 64) }
