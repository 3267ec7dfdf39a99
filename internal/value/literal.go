package value

import (
	"errors"
	"math/big"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// maxDigits bounds the digits of a number as written and of its value, and the
// size of an exponent. It keeps 1e999999999 from becoming a gigabyte.
const maxDigits = 1000

// maxKeyDigits bounds the digits in a key. The margin lets a percentage be
// printed as a hundred times its value and be read again.
const maxKeyDigits = 950

// literal is one unsigned run of digits as written.
type literal struct {
	value     *big.Rat
	decimals  int  // digits written after the decimal mark
	plain     bool // digits only, without separator
	ambiguous bool // the separator can be read in two ways
}

// segment is a run of digits with the separator before it.
type segment struct {
	sep    byte // 0 for the first
	digits string
}

// scanLiteral reads the digits at the start of s and returns how many bytes they
// take, 0 if s does not start with a number.
func scanLiteral(s string) (literal, int, error) {
	segments, n := scanSegments(s)
	if n == 0 {
		return literal{}, 0, nil
	}
	whole, fraction, unsure, err := group(segments)
	if err != nil {
		return literal{}, n, err
	}
	digits := strings.TrimLeft(whole+fraction, "0")
	if len(digits) > maxDigits || len(fraction) > maxDigits {
		return literal{}, n, errTooManyDigits()
	}
	value, ok := new(big.Rat).SetString("0" + whole + "." + fraction + "0")
	if !ok {
		return literal{}, n, errors.New("malformed digits")
	}
	return literal{value, len(fraction), len(segments) == 1, unsure}, n, nil
}

func errTooManyDigits() error {
	return errors.New("number of too many digits")
}

func scanSegments(s string) (segments []segment, n int) {
	sep := byte(0)
	if len(s) > 1 && s[0] == '.' && text.IsDigit(s[1]) {
		segments = append(segments, segment{})
		sep, n = '.', 1
	}
	for n < len(s) && text.IsDigit(s[n]) && len(segments) <= maxDigits/3 {
		start := n
		for n < len(s) && text.IsDigit(s[n]) {
			n++
		}
		segments = append(segments, segment{sep, s[start:n]})
		if !separates(s[n:]) {
			break
		}
		sep = s[n]
		n++
	}
	return segments, n
}

// separates reports whether s goes on with a separator inside a number. A plain
// space is one only before exactly three digits.
func separates(s string) bool {
	if len(s) < 2 || !text.IsDigit(s[1]) {
		return false
	}
	switch s[0] {
	case '.', ',', '_', '\'':
		return true
	case ' ':
		digits := 0
		for digits+1 < len(s) && text.IsDigit(s[digits+1]) && digits < 4 {
			digits++
		}
		return digits == 3
	}
	return false
}

// group decides which separators group digits and which one is the decimal mark.
func group(segments []segment) (whole, fraction string, unsure bool, err error) {
	last := segments[len(segments)-1]
	integer := segments
	if decimal, doubt := isDecimalMark(segments); doubt {
		return join(segments[:1]), last.digits, true, nil
	} else if decimal {
		integer, fraction = segments[:len(segments)-1], last.digits
	}
	if !grouped(integer) {
		return "", "", false, errors.New("malformed digit grouping")
	}
	// A single plain space may also stand between two numbers.
	unsure = len(segments) == 2 && last.sep == ' '
	return join(integer), fraction, unsure, nil
}

// isDecimalMark reads the last separator. A comma that stands alone groups when
// exactly three digits follow; otherwise only a locale could tell.
func isDecimalMark(segments []segment) (decimal, doubt bool) {
	n := len(segments)
	if n < 2 {
		return false, false
	}
	sep := segments[n-1].sep
	if sep != '.' && sep != ',' {
		return false, false
	}
	if n == 2 {
		return sep == '.', sep == ',' && !grouped(segments)
	}
	for _, s := range segments[1 : n-1] {
		if s.sep == sep {
			return false, false
		}
	}
	return true, false
}

// grouped reports whether the segments are one number in groups of three, or in
// the Indian way: three digits at the end, pairs before them.
func grouped(segments []segment) bool {
	if len(segments) == 1 {
		return true
	}
	first, last := segments[0].digits, segments[len(segments)-1].digits
	if len(first) == 0 || len(first) > 3 || first[0] == '0' || len(last) != 3 {
		return false
	}
	sep := segments[1].sep
	western, indian := true, sep == ',' && len(first) <= 2
	for _, s := range segments[1:] {
		if s.sep != sep {
			return false
		}
		western = western && len(s.digits) == 3
	}
	for _, s := range segments[1 : len(segments)-1] {
		indian = indian && len(s.digits) == 2
	}
	return western || indian
}

func join(segments []segment) string {
	var b strings.Builder
	for _, s := range segments {
		b.WriteString(s.digits)
	}
	return b.String()
}
