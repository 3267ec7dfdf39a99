package value

import (
	"math/big"
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

// operator reads what joins two factors and returns the sign of the next exponent.
func (p *unitParser) operator() (sign int, ok bool) {
	s := strings.TrimPrefix(p.rest, " ")
	for _, times := range []string{"·", "⋅", "*"} {
		if rest, found := strings.CutPrefix(s, times); found {
			p.rest = strings.TrimPrefix(rest, " ")
			return 1, true
		}
	}
	if rest, found := strings.CutPrefix(s, "/"); found {
		p.rest = strings.TrimPrefix(rest, " ")
		return -1, true
	}
	if rest, found := text.CutWord(s, "per"); found {
		p.rest = rest
		return -1, true
	}
	if len(s) < len(p.rest) && text.StartsWord(s) {
		p.rest = s
		p.spaced = true
		return 1, true
	}
	return 0, false
}

// factor reads one unit with its power.
func (p *unitParser) factor(sign int) bool {
	power := 1
	s := p.rest
	for _, w := range []struct {
		word  string
		power int
	}{{"square", 2}, {"sq.", 2}, {"sq", 2}, {"cubic", 3}, {"cu.", 3}, {"cu", 3}} {
		if rest, ok := cutPhrase(s, w.word); ok {
			s, power = rest, w.power
			break
		}
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

// longestName looks up the longest run of words at the start of s.
func longestName(s string) (found []Unit, n int) {
	if r, _ := utf8.DecodeRuneInString(s); text.IsUnspaced(r) {
		return longestUnspaced(s)
	}
	end := 0
	for words := 0; words < maxNameWords && end < len(s); words++ {
		next := end
		if words > 0 {
			if s[next] != ' ' && s[next] != '-' {
				break
			}
			next++
		}
		length := unitWord(s[next:])
		if length == 0 {
			break
		}
		end = next + length
		name := strings.ReplaceAll(s[:end], "-", " ")
		if units := lookupUnits(name); len(units) > 0 && !text.StartsWord(strings.TrimLeft(s[end:], "0123456789")) {
			found, n = units, end
		}
	}
	return found, n
}

// longestUnspaced looks up the longest run of characters of a script without spaces.
func longestUnspaced(s string) (found []Unit, n int) {
	const longest = 9 // characters: 平方キロメートル
	count := 0
	for i, r := range s {
		if count++; count > longest || !text.IsUnspaced(r) && r != 'ー' {
			break
		}
		end := i + utf8.RuneLen(r)
		if units := lookupUnits(s[:end]); len(units) > 0 {
			found, n = units, end
		}
	}
	return found, n
}

// unitWord is the length of the letters and signs of one word of a unit.
func unitWord(s string) int {
	n := 0
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		if !unicode.IsLetter(r) && r != '°' {
			break
		}
		n += size
	}
	return n
}

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

// cutPhrase is cutWord in any case.
func cutPhrase(s, word string) (string, bool) {
	if len(s) < len(word) || !strings.EqualFold(s[:len(word)], word) {
		return s, false
	}
	rest := s[len(word):]
	if text.StartsWord(rest) || rest == "" {
		return s, false
	}
	return strings.TrimLeft(rest, " -"), true
}
