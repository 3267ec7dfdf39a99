package calc

import (
	"math/big"

	"github.com/cockroachdb/apd/v3"
)

// format writes x in full if it is exact and terminates, else rounded half to even to
// SignificantDigits digits, with an exponent where that would need zeros to fill it (six are
// allowed in front), as Python's decimal does.
func format(x value) string {
	if !x.approximate {
		if x.IsInt() {
			return x.Num().String()
		}
		if decimals, ok := x.FloatPrec(); ok {
			return x.FloatString(decimals)
		}
	}
	d := decimal(x.Rat, apd.BaseContext.WithPrecision(SignificantDigits))
	if x.approximate {
		d.Reduce(d)
		if d.Exponent > 0 && d.NumDigits()+int64(d.Exponent) <= SignificantDigits {
			return d.Text('f')
		}
	}
	return d.Text('g')
}

// scale returns 10**n.
func scale(n int) *big.Rat {
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), pow10(-n))
	}
	return new(big.Rat).SetInt(pow10(n))
}
