package value

import (
	"math/big"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// maxFactors is the maximum number of factors of a unit. A dimension can have as many factors as there are base
// units. maxNameWords is the maximum number of words of a unit's name.
const (
	maxFactors   = len(baseUnits)
	maxNameWords = 3
)

// unitParser reads a product of powers of units: km/h, kg·m^2·s^-2, metres per second squared, m s-1.
type unitParser struct {
	rest    string
	unit    Unit
	factors int
	powers  bool // an exponent is written, as in m s-1
	spaced  bool // two factors with only a space between them
	doubt   bool // a symbol has several units
}

// scanUnit reads the longest unit at the beginning of s and returns its length. doubt is true if the unit is
// ambiguous.
func scanUnit(s string) (u Unit, n int, doubt bool) {
	p := unitParser{rest: strings.TrimLeft(s, " -")}
	p.unit = Unit{Factor: big.NewRat(1, 1)}
	best, end := p.unit, 0
	for sign, more := 1, true; more && p.factors < maxFactors && p.factor(sign); sign, more = p.operator() {
		if !p.spaced || p.powers {
			best, end, doubt = p.unit, len(s)-len(p.rest), p.doubt
		}
	}
	best.Name = strings.Trim(s[:end], " -")
	return best, end, doubt
}

// joint matches the operator between two factors.
var joint = lazy.Compile(`^ ?(?:[·⋅*]|(/|per\b)) ?`)

// operator reads the operator between two factors and returns the sign of the next exponent.
func (p *unitParser) operator() (sign int, ok bool) {
	if m := joint.FindStringSubmatch(p.rest); m != nil {
		p.rest = p.rest[len(m[0]):]
		return 1 - 2*min(1, len(m[1])), true
	}
	s, spaced := strings.CutPrefix(p.rest, " ")
	if spaced = spaced && text.StartsWord(s); spaced {
		p.rest, p.spaced, p.powers = s, true, false // "km² in" is not a product, "m s-1" is one
	}
	return 1, spaced
}

// raised matches the words for a power before the name of a unit.
var raised = lazy.Compile(`^(?i:(square|sq\.?)|cubic|cu\.?)[ -]+`)

// factor reads one unit with its power.
func (p *unitParser) factor(sign int) bool {
	power, s := 1, p.rest
	if m := raised.FindStringSubmatch(s); m != nil {
		power, s = 3-min(1, len(m[1])), s[len(m[0]):]
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

// longestName finds the longest name of a unit at the beginning of s. It compares runs of words, or runs of
// characters in a script without spaces.
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

// bareExponent matches an exponent without a sign before it: the 2 of m2 and the -1 of s-1. spokenPower matches
// the words for a power.
var bareExponent, spokenPower = regexp.MustCompile(`^-?\d+`), regexp.MustCompile(`^ (?:(squared)|cubed)\b`)

// scanUnitPower reads ^2, ^(-1), ^{2}, 2, -1, " squared" or " cubed".
func scanUnitPower(s string) (e, n int) {
	if m := spokenPower.FindStringSubmatch(s); m != nil {
		return 3 - min(1, len(m[1])), len(m[0])
	}
	n = max(text.PowerLength(s), len(bareExponent.FindString(s)))
	return readInteger(s[:n]), n
}
