package text

import (
	"fmt"
	"strconv"
)

// Undefined is shown in place of a figure that is not defined.
const Undefined = "–"

// Thousands formats a count with at most four digits: 9999, 12k, 34M.
func Thousands(n int) string {
	switch {
	case n < 10_000:
		return strconv.Itoa(n)
	case n < 10_000_000:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	default:
		return fmt.Sprintf("%.0fM", float64(n)/1e6)
	}
}

// Decimal formats a number with the given decimals. It returns Undefined for nil.
func Decimal(x *float64, decimals int) string {
	if x == nil {
		return Undefined
	}
	return strconv.FormatFloat(*x, 'f', decimals, 64)
}

// Share formats a share in per cent. It returns Undefined for nil.
func Share(x *float64) string {
	if x == nil {
		return Undefined
	}
	return Percent(*x, 0) + " %"
}

// Dollars formats an amount. Below one dollar it has two significant digits. It returns Undefined for nil.
func Dollars(x *float64) string {
	switch {
	case x == nil:
		return Undefined
	case *x >= 1 || *x == 0:
		return fmt.Sprintf("$%.2f", *x)
	case *x < 1e-4:
		return "<$0.0001"
	default:
		return "$" + strconv.FormatFloat(*x, 'g', 2, 64)
	}
}
