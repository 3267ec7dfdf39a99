package value

import (
	"bytes"
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// maxDigits is the maximum number of digits of a number as written, and of its value. It is also the maximum of
// an exponent. Without this limit, 1e999999999 would take a gigabyte.
const maxDigits = 1000

// maxKeyDigits is the maximum number of digits in a key. It is smaller than maxDigits, so that a percentage can
// be printed as a hundred times its value and read again.
const maxKeyDigits = 950

var (
	errTooManyDigits = errors.New("the number has too many digits")
	errGroups        = errors.New("malformed digit grouping")
	errZero          = errors.New("division by zero")
	errExponent      = errors.New("exponent beyond ±1000")
)

// scanDigits reads the digits at the beginning of s. If there are more than nine digits, it returns a value
// that is larger than any valid value.
func scanDigits(s string) (v, n int) {
	for ; n < len(s) && text.IsDigit(s[n]); n++ {
		v = min(v*10+int(s[n]-'0'), 1e9)
	}
	return v, n
}

// scanNumber reads the longest number without a sign at the beginning of s: a fraction, or digits with an
// exponent or a power. n is 0 if s does not begin with a number.
func scanNumber(s string) (v Number, n int, doubt bool, err error) {
	if v, n, err = scanFraction(s); n > 0 {
		return v, n, false, err
	}
	v, n, doubt, err = scanLiteral(s)
	if n == 0 || err != nil {
		return v, n, false, err
	}
	m := 0
	if e, width := scanExponent(s[n:]); width > 0 {
		m, err = width, v.scale(e)
	} else if width := text.PowerLength(s[n:]); width > 0 {
		m, err = width, v.power(readInteger(s[n:n+width]))
	}
	return v, n + m, doubt, err
}

// scanLiteral reads the digits at the beginning of s, with separators. doubt is true if a separator has two
// readings.
func scanLiteral(s string) (v Number, n int, doubt bool, err error) {
	parts, seps, n := scanSegments(s)
	if n == 0 {
		return v, 0, false, nil
	}
	whole, fraction := parts, ""
	if last := len(seps) - 1; last >= 0 {
		// A single comma separates groups of digits if its position allows that, as in 1,234. Otherwise it is a
		// decimal comma, as in 12,5 and 0,750. A single plain space is not read as a group separator without
		// doubt, because it may separate two numbers.
		mark := seps[last]
		isTwo := len(parts[0]) == 4 && len(parts[last+1]) == 4 // 1990,1991
		doubt = last == 0 && (mark == ' ' || mark == ',' && isTwo)
		decimal := mark == ',' && bytes.IndexByte(seps, ',') == last && (last > 0 || !grouped(parts, seps))
		if mark == '.' && bytes.IndexByte(seps, '.') == last || decimal {
			whole, seps, fraction = parts[:last+1], seps[:last], parts[last+1]
		}
	}
	if !grouped(whole, seps) {
		return v, n, false, errGroups
	}
	digits := strings.Join(whole, "")
	if len(strings.TrimLeft(digits+fraction, "0")) > maxDigits || len(fraction) > maxDigits {
		return v, n, false, errTooManyDigits
	}
	v.Rat, _ = new(big.Rat).SetString("0" + digits + "." + fraction + "0")
	v.Place, v.Plain = -len(fraction), len(parts) == 1
	return v, n, doubt, nil
}

// scanSegments splits a number at the separators between its digits. For .5 the first part is empty. A plain
// space is a separator only before exactly three digits.
func scanSegments(s string) (parts []string, seps []byte, n int) {
	if len(s) > 1 && s[0] == '.' && text.IsDigit(s[1]) {
		parts, seps, n = []string{""}, []byte{'.'}, 1
	}
	for {
		_, width := scanDigits(s[n:])
		if width == 0 {
			break
		}
		parts = append(parts, s[n:n+width])
		n += width
		if n == len(s) || strings.IndexByte(".,_' ", s[n]) < 0 || len(parts) > maxDigits/3 {
			break
		}
		if _, next := scanDigits(s[n+1:]); next == 0 || s[n] == ' ' && next != 3 {
			break
		}
		seps = append(seps, s[n])
		n++
	}
	return parts, seps, n
}

// grouped reports whether the parts are the digit groups of one number. They are groups of three digits, or
// Indian groups: three digits at the end, and pairs before them.
func grouped(parts []string, seps []byte) bool {
	if len(parts) == 1 {
		return true
	}
	last := len(parts) - 1
	if parts[0] == "" || len(parts[0]) > 3 || parts[0][0] == '0' || len(parts[last]) != 3 ||
		len(bytes.Trim(seps, string(seps[:1]))) > 0 {
		return false
	}
	middle := func(width int) bool {
		return !slices.ContainsFunc(parts[1:last], func(p string) bool { return len(p) != width })
	}
	return middle(3) || middle(2) && seps[0] == ',' && len(parts[0]) <= 2
}

// fitsDigits reports whether numerator and denominator have at most this number of digits.
func fitsDigits(r *big.Rat, digits int) bool {
	bits := digits * 3321 / 1000 // below log2(10) per digit
	return r.Num().BitLen() <= bits && r.Denom().BitLen() <= bits
}

// exponent matches e3, ×10^3, x 10^(3) and *10^3.
var exponent = lazy.Compile(`^(?: ?[×x*·⋅] ?10(\^[+-]?\d+|\^\([+-]?\d+\)|\^\{[+-]?\d+\})|e([+-]?\d+)\b)`)

func scanExponent(s string) (e, n int) {
	if m := exponent.FindStringSubmatch(s); m != nil {
		e, n = readInteger(m[1]+m[2]), len(m[0])
	}
	return e, n
}

// readInteger reads an exponent: 3, ^3, ^(3) or ^{-3}. If the exponent is too large, the result is also larger
// than allowed.
func readInteger(s string) int {
	e, _ := strconv.Atoi(strings.Trim(s, "^(){}"))
	return e
}

// scale multiplies the number by a power of ten.
func (v *Number) scale(e int) error {
	if max(e, -e) > maxDigits {
		return errExponent
	}
	v.times(pow(big.NewRat(10, 1), e))
	v.Place += e
	return nil
}

// times multiplies the number by a scale.
func (v *Number) times(factor *big.Rat) {
	v.Rat = new(big.Rat).Mul(v.Rat, factor)
	if v.Scale != nil {
		factor = new(big.Rat).Mul(v.Scale, factor)
	}
	v.Scale, v.Plain = factor, false
}

// power raises the number to an integer power.
func (v *Number) power(e int) error {
	switch bits := max(v.Rat.Num().BitLen(), v.Rat.Denom().BitLen()); {
	case max(e, -e) > maxDigits || bits*max(e, -e) > 4*maxDigits:
		return errExponent
	case v.Rat.Sign() == 0 && e <= 0:
		return errZero
	}
	v.Rat = pow(v.Rat, e)
	v.Place, v.Plain, v.Fraction = 0, false, !v.Rat.IsInt()
	return nil
}

// pow returns r to the power of e. The caller must limit e, so that the result does not become too large.
func pow(r *big.Rat, e int) *big.Rat {
	n := big.NewInt(int64(max(e, -e)))
	num := new(big.Int).Exp(r.Num(), n, nil)
	den := new(big.Int).Exp(r.Denom(), n, nil)
	if e < 0 {
		num, den = den, num
	}
	return new(big.Rat).SetFrac(num, den)
}

// fraction matches a fraction: 1/2, or (1/2), which folding makes of a vulgar fraction and of \frac. A whole
// number may be before the fraction. fraction also matches "13 and a half".
var fraction = lazy.Compile(`^(?:(\d+)[ +])?(?:(\d+) ?/ ?(\d+)|\((\d+)/(\d+)\))|` +
	`^(\d+) and (?:a|one) (half|quarter)\b`)

// maxFraction is the maximum number of bytes of a fraction, because a long one takes much time.
const maxFraction = 256

func scanFraction(s string) (v Number, n int, err error) {
	head := s[:min(len(s), maxFraction)]
	digits := len(head) - len(strings.TrimLeft(head, "0123456789 +/()"))
	if digits == 0 || digits == maxFraction ||
		strings.IndexByte(head[:digits], '/') < 0 && !strings.HasPrefix(head[digits:], "and ") {
		return v, 0, nil
	}
	m := fraction.FindStringSubmatch(head[:min(len(head), digits+len("and one quarter."))])
	if m == nil {
		return v, 0, nil
	}
	part, ok := new(big.Rat).SetString(m[2] + m[4] +
		map[string]string{"half": "1/2", "quarter": "1/4", "": "/"}[m[7]] + m[3] + m[5])
	switch {
	case !ok:
		return v, len(m[0]), errZero
	case m[1] != "" && part.Cmp(big.NewRat(1, 1)) >= 0:
		return v, 0, nil
	}
	whole, _ := new(big.Rat).SetString("0" + m[1] + m[6])
	return Number{Rat: whole.Add(whole, part), Fraction: true}, len(m[0]), nil
}
