package calc

import (
	"math/big"
	"strconv"
	"strings"
)

// format writes x in full if it terminates, else to SignificantDigits digits.
func format(x *big.Rat) string {
	if x.IsInt() {
		return x.Num().String()
	}
	if decimals, ok := x.FloatPrec(); ok {
		return x.FloatString(decimals)
	}
	sign := ""
	if x.Sign() < 0 {
		sign = "-"
	}
	digits, exponent := round(new(big.Rat).Abs(x))
	return sign + layout(digits, exponent)
}

// round returns the first SignificantDigits digits of x > 0, rounded half to
// even, and the decimal exponent of the first of them.
func round(x *big.Rat) (digits string, exponent int) {
	// The quotient of an a-digit by a b-digit integer has its first digit at
	// a-b or one place below.
	exponent = len(x.Num().String()) - len(x.Denom().String())
	if atLeast := scale(exponent); x.Cmp(atLeast) < 0 {
		exponent--
	}
	scaled := new(big.Rat).Mul(x, scale(SignificantDigits-1-exponent))
	digits = nearest(scaled).String()
	if len(digits) > SignificantDigits {
		return digits[:SignificantDigits], exponent + 1
	}
	return digits, exponent
}

// nearest returns the integer closest to x, the even one of two.
func nearest(x *big.Rat) *big.Int {
	down := floor(x)
	distance := new(big.Rat).Sub(x, new(big.Rat).SetInt(down))
	half := distance.Cmp(big.NewRat(1, 2))
	if half > 0 || half == 0 && down.Bit(0) == 1 {
		down.Add(down, big.NewInt(1))
	}
	return down
}

// scale returns 10**n.
func scale(n int) *big.Rat {
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), pow10(-n))
	}
	return new(big.Rat).SetInt(pow10(n))
}

// layout places the decimal point after the digit of exponent 0, or writes an
// exponent where that would need filling zeros (six are allowed in front), the
// rule of Python's decimal.
func layout(digits string, exponent int) string {
	switch {
	case exponent >= len(digits):
		return digits[:1] + "." + digits[1:] + "e+" + strconv.Itoa(exponent)
	case exponent < -6:
		return digits[:1] + "." + digits[1:] + "e" + strconv.Itoa(exponent)
	case exponent < 0:
		return "0." + strings.Repeat("0", -exponent-1) + digits
	case exponent == len(digits)-1:
		return digits
	}
	return digits[:exponent+1] + "." + digits[exponent+1:]
}
