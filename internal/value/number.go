package value

import (
	"errors"
	"math/big"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// scanSigned reads a number with its sign at the start of s.
func scanSigned(s string) (v Number, n int, doubt bool, err error) {
	sign := 0
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		sign = 1
	}
	v, n, doubt, err = scanUnsigned(s[sign:])
	if n == 0 || err != nil {
		return v, n, doubt, err
	}
	if sign == 1 {
		v.Plain = false
		if s[0] == '-' {
			v.Rat.Neg(v.Rat)
		}
	}
	return v, n + sign, doubt, nil
}

// scanUnsigned reads the longest number at the start of s: digits, an exponent,
// a power, a fraction or a mixed number. n is 0 if s does not start with one.
func scanUnsigned(s string) (v Number, n int, doubt bool, err error) {
	if v, n, err := scanParenthesis(s); n > 0 {
		return v, n, false, err
	}
	lit, n, err := scanLiteral(s)
	v = Number{Rat: lit.value, Place: -lit.decimals, Plain: lit.plain}
	if n == 0 || err != nil {
		return v, n, false, err
	}
	rest := s[n:]
	if e, m, ok := scanExponent(rest); ok {
		n += m
		err = v.scale(e)
	} else if e, m, ok := scanPower(rest); ok {
		n += m
		err = v.power(e)
	} else if m, fracErr := v.addFraction(rest, lit.plain); m > 0 {
		n += m
		err = fracErr
	}
	if err == nil && !fits(v.Rat, maxDigits) {
		err = errTooManyDigits()
	}
	return v, n, lit.ambiguous, err
}

// fits reports whether numerator and denominator print in that many digits.
func fits(r *big.Rat, digits int) bool {
	bits := digits * 3321 / 1000 // below log2(10) per digit
	return r.Num().BitLen() <= bits && r.Denom().BitLen() <= bits
}

// scanExponent reads e3, ×10^3, x 10^(3) or *10^3.
func scanExponent(s string) (e string, n int, ok bool) {
	if strings.HasPrefix(s, "e") {
		digits, m := scanInteger(s[1:])
		if m == 0 || text.StartsWord(s[1+m:]) {
			return "", 0, false
		}
		return digits, 1 + m, true
	}
	rest := strings.TrimPrefix(s, " ")
	for _, times := range []string{"×", "x", "*", "·", "⋅"} {
		after, found := strings.CutPrefix(rest, times)
		if !found {
			continue
		}
		after, found = strings.CutPrefix(strings.TrimPrefix(after, " "), "10")
		if !found {
			return "", 0, false
		}
		e, m, ok := scanPower(after)
		return e, len(s) - len(after) + m, ok
	}
	return "", 0, false
}

// scanPower reads ^3, ^(3) or ^{-3}.
func scanPower(s string) (e string, n int, ok bool) {
	rest, found := strings.CutPrefix(s, "^")
	if !found || rest == "" {
		return "", 0, false
	}
	if c := rest[0]; c == '(' || c == '{' {
		digits, m := scanInteger(rest[1:])
		if m == 0 || len(rest) < m+2 || rest[m+1] != closing[c] {
			return "", 0, false
		}
		return digits, m + 3, true
	}
	digits, m := scanInteger(rest)
	return digits, m + 1, m > 0
}

// closing is the bracket that closes another.
var closing = map[byte]byte{'(': ')', '{': '}', '[': ']'}

// scanInteger reads a sign and digits.
func scanInteger(s string) (digits string, n int) {
	if n < len(s) && (s[n] == '-' || s[n] == '+') {
		n++
	}
	start := n
	for n < len(s) && text.IsDigit(s[n]) {
		n++
	}
	if n == start {
		return "", 0
	}
	return s[:n], n
}

// exponent parses the digits of an exponent. Anything that does not fit an int
// is out of range as well.
func exponent(digits string) (int, error) {
	e, err := strconv.Atoi(digits)
	if err != nil || e > maxDigits || e < -maxDigits {
		return 0, errors.New("exponent beyond ±1000")
	}
	return e, nil
}

// scale multiplies by a power of ten.
func (v *Number) scale(digits string) error {
	e, err := exponent(digits)
	if err != nil {
		return err
	}
	v.times(pow(big.NewRat(10, 1), e))
	v.Place += e
	return nil
}

// times multiplies by a scale.
func (v *Number) times(factor *big.Rat) {
	v.Rat = new(big.Rat).Mul(v.Rat, factor)
	if v.Scale != nil {
		factor = new(big.Rat).Mul(v.Scale, factor)
	}
	v.Scale, v.Plain = factor, false
}

// power raises to an integer power.
func (v *Number) power(digits string) error {
	e, err := exponent(digits)
	if err != nil {
		return err
	}
	if v.Rat.Sign() == 0 && e <= 0 {
		return errors.New("zero to the power of zero or less")
	}
	// A value of b bits has at least b-1 bits per power.
	size := max(v.Rat.Num().BitLen(), v.Rat.Denom().BitLen())
	if (size-1)*max(e, -e) > maxDigits*4 {
		return errTooManyDigits()
	}
	v.Rat = pow(v.Rat, e)
	v.Place, v.Plain, v.Fraction = 0, false, !v.Rat.IsInt()
	return nil
}

// pow is r to the power of e. The caller bounds the result.
func pow(r *big.Rat, e int) *big.Rat {
	n := big.NewInt(int64(max(e, -e)))
	num := new(big.Int).Exp(r.Num(), n, nil)
	den := new(big.Int).Exp(r.Denom(), n, nil)
	if e < 0 {
		num, den = den, num
	}
	return new(big.Rat).SetFrac(num, den)
}
