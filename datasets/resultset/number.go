package resultset

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// Limits of numbers. A double has at least exactDigits and at most doubleDigits significant decimal digits: what is
// computed in another order may differ in the digits between.
const (
	exactDigits  = 15
	doubleDigits = 17
	plainZeros   = 24 // a number with more zeros than this is written with an exponent
)

var (
	numeral = lazy.Compile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,9})?$`)
	grouped = lazy.Compile(`^-?[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?$`)
)

// Numeral returns a number as JSON writes it. ok is false if s is not a decimal number. YAML also has the forms +1, .5
// and 5.
func Numeral(s string) (n json.Number, ok bool) {
	sign := ""
	switch {
	case strings.HasPrefix(s, "-"):
		sign, s = "-", s[1:]
	case strings.HasPrefix(s, "+"):
		s = s[1:]
	}
	if strings.HasPrefix(s, ".") {
		s = "0" + s
	}
	s = sign + strings.TrimSuffix(s, ".")
	return json.Number(s), numeral.MatchString(s)
}

// canonical returns the form that all spellings of a number have in common: 1, 1.0 and 1e0 are 1. s must match
// numeral. The form is a JSON number. A number that is not whole and has 16 or 17 significant digits is rounded to
// 15. The time is linear in the length of s, whatever the exponent is.
func canonical(s string) string {
	sign, rest := "", s
	if strings.HasPrefix(s, "-") {
		sign, rest = "-", s[1:]
	}
	mantissa, power := rest, 0
	if at := strings.IndexAny(rest, "eE"); at >= 0 {
		mantissa = rest[:at]
		power, _ = strconv.Atoi(rest[at+1:]) // at most nine digits
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits, power := whole+fraction, power-len(fraction)
	digits, power = trimmed(digits, power)
	if n := len(digits); power < 0 && n > exactDigits && n <= doubleDigits {
		digits, power = rounded(digits, exactDigits), power+n-exactDigits
		digits, power = trimmed(digits, power)
	}
	switch {
	case digits == "":
		return "0"
	case power >= 0 && power <= plainZeros:
		return sign + digits + strings.Repeat("0", power)
	case power < 0 && -power < len(digits):
		at := len(digits) + power
		return sign + digits[:at] + "." + digits[at:]
	case power < 0 && -power-len(digits) <= plainZeros:
		return sign + "0." + strings.Repeat("0", -power-len(digits)) + digits
	}
	return sign + digits + "e" + strconv.Itoa(power)
}

// trimmed removes zeros at both ends of digits, whose value is digits × 10^power.
func trimmed(digits string, power int) (string, int) {
	digits = strings.TrimLeft(digits, "0")
	short := strings.TrimRight(digits, "0")
	return short, power + len(digits) - len(short)
}

// rounded returns the first n digits, rounded half up; one digit more if that is a power of ten.
func rounded(digits string, n int) string {
	out := []byte(digits[:n])
	if digits[n] < '5' {
		return string(out)
	}
	for i := n - 1; i >= 0; i-- {
		if out[i] < '9' {
			out[i]++
			return string(out)
		}
		out[i] = '0'
	}
	return "1" + string(out)
}
