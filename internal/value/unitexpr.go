package value

import (
	"math/big"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// maxFactors bounds the factors of a unit: a dimension may have as many as there are
// bases. maxNameWords bounds the words of one name.
const (
	maxFactors   = len(baseUnits)
	maxNameWords = 3
)

// unitParser reads a product of powers of units: km/h, kg·m^2·s^-2, metres per
// second squared, m s-1.
type unitParser struct {
	rest    string
	unit    Unit
	factors int
	powers  bool // an exponent was written, as in m s-1
	spaced  bool // two factors with only a space between them
	doubt   bool // a symbol stands for several units
}

// scanUnit reads the longest unit at the start of s and returns its length. doubt
// tells that it is ambiguous.
func scanUnit(s string) (u Unit, n int, doubt bool) {
	p := unitParser{rest: strings.TrimLeft(s, " -")}
	p.unit = Unit{Factor: big.NewRat(1, 1)}
	best, end := p.unit, 0
	for sign := 1; p.factors < maxFactors; {
		if !p.factor(sign) {
			break
		}
		if !p.spaced || p.powers {
			best, end, doubt = p.unit, len(s)-len(p.rest), p.doubt
		}
		var more bool
		if sign, more = p.operator(); !more {
			break
		}
	}
	if end > 0 {
		best.Name = strings.Trim(s[:end], " -")
	}
	return best, end, doubt
}

// times and per are what joins two factors.
var times, per = regexp.MustCompile(`^ ?[·⋅*] ?`), regexp.MustCompile(`^ ?(?:/|per\b) ?`)

// operator reads what joins two factors and returns the sign of the next exponent.
func (p *unitParser) operator() (sign int, ok bool) {
	product, quotient := len(times.FindString(p.rest)), len(per.FindString(p.rest))
	switch s := strings.TrimPrefix(p.rest, " "); {
	case product+quotient > 0:
		p.rest = p.rest[product+quotient:]
		if quotient > 0 {
			return -1, true
		}
	case len(s) < len(p.rest) && text.StartsWord(s):
		p.rest, p.spaced, p.powers = s, true, false // "km² in" is no product, "m s-1" is
	default:
		return 0, false
	}
	return 1, true
}

// square and cubic precede the name of a unit.
var square, cubic = regexp.MustCompile(`^(?i:square|sq\.?)[ -]+`), regexp.MustCompile(`^(?i:cubic|cu\.?)[ -]+`)

// factor reads one unit with its power.
func (p *unitParser) factor(sign int) bool {
	power, s := 1, p.rest
	if n := len(square.FindString(s)); n > 0 {
		power, s = 2, s[n:]
	} else if n := len(cubic.FindString(s)); n > 0 {
		power, s = 3, s[n:]
	}
	found, n := longestName(s)
	if n == 0 {
		return false
	}
	p.doubt = p.doubt || len(found) > 1
	rest := s[n:]
	if e, m := scanUnitPower(rest); m > 0 {
		if power != 1 || e == 0 || e > maxPower || e < -maxPower {
			return false
		}
		power, rest, p.powers = e, rest[m:], true
	}
	dim, ok := p.unit.Dim.times(found[0].Dim, sign*power)
	if !ok {
		return false
	}
	p.factors++
	product := Unit{Dim: dim, Factor: new(big.Rat).Mul(p.unit.Factor, pow(found[0].Factor, sign*power))}
	if p.factors == 1 && sign*power == 1 {
		product.Offset = found[0].Offset
	}
	p.unit, p.rest = product, rest
	return true
}

// longestName looks up the longest run of words at the start of s, or of characters of a
// script without spaces.
func longestName(s string) (found []Unit, n int) {
	const longest = 40 // bytes
	words := 1
	for at, r := range s[:min(len(s), longest)] {
		end := at + utf8.RuneLen(r)
		next, _ := utf8.DecodeRuneInString(s[end:])
		switch {
		case r == ' ' || r == '-':
			if words++; words > maxNameWords || !inUnitName(next) {
				return found, n
			}
			continue
		case !inUnitName(r):
			return found, n
		case !text.IsUnspaced(r) && (inUnitName(next) || text.StartsWord(strings.TrimLeft(s[end:], "0123456789"))):
			continue
		}
		if units := lookupUnits(strings.ReplaceAll(s[:end], "-", " ")); len(units) > 0 {
			found, n = units, end
		}
	}
	return found, n
}

func inUnitName(r rune) bool { return unicode.IsLetter(r) || r == '°' }

// scanUnitPower reads ^2, ^(-1), ^{2}, 2, -1, " squared" or " cubed".
func scanUnitPower(s string) (e, n int) {
	if e, n = scanPower(s); n > 0 {
		return e, n
	}
	if e, n = scanInteger(s); n > 0 && s[0] != '+' {
		return e, n
	}
	for i, word := range []string{" squared", " cubed"} {
		if strings.HasPrefix(s, word) && !text.StartsWord(s[len(word):]) {
			return i + 2, len(word)
		}
	}
	return 0, 0
}
