package cite

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// literal is a number in figures: groups of digits, then a power of ten, a fraction or
// an exponent.
var literal = regexp.MustCompile(`(\d{1,3}(?: \d{3})+(?:\.\d+)?\b|\d+(?:[.,'_:]\d+)*|\.\d+)` +
	`(?:( {0,2}[×x*·] {0,2}10(?:\^[({]?[-+]?\d{1,3}[)}]?|[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})|[eE][-+]?\d{1,3}\b|\^[({]?[-+]?\d{1,3}[)}]?|[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})|(/\d+\b|[½¼¾⅓⅔⅕⅛⅜⅝⅞]))?`)

// readLiteral reads figures. step is the place of the last digit, 0 for a fraction.
func readLiteral(mantissa, power, fraction string) (value, step *big.Rat, ok bool) {
	figures := strings.ReplaceAll(mantissa, " ", "")
	if fraction != "" {
		value, ok = rational(figures + fraction)
		return value, new(big.Rat), ok
	}
	value, ok = rational(figures)
	if !ok && strings.Count(figures, ",") == 1 && strings.Count(figures, ".") == 0 && len(figures)-strings.IndexByte(figures, ',') != 5 {
		figures = strings.ReplaceAll(figures, ",", ".") // it groups nothing: a decimal comma
		value, ok = rational(figures)
	}
	if !ok {
		return nil, nil, false
	}
	step = place(figures, value)
	if power == "" {
		return value, step, true
	}
	scaled, exponential := strings.CutPrefix(strings.TrimLeft(power, " ×x*·"), "10")
	if !exponential && strings.ContainsAny(power, "^⁰¹²³⁴⁵⁶⁷⁸⁹") && figures != "10" {
		return value, step, true // a note mark, or a square that is no value of its own
	}
	e, ok := exponentOf(scaled)
	if !ok {
		return nil, nil, false
	}
	factor := tenTo(e)
	if figures == "10" && !exponential {
		return factor, new(big.Rat), true
	}
	return new(big.Rat).Mul(value, factor), step.Mul(step, factor), true
}

// rational reads a number by the rules of methods.md §2.
func rational(figures string) (*big.Rat, bool) {
	k, err := answer.Normalize(figures, answer.Decimal, answer.Options{})
	if err != nil || k.Confidence != answer.Exact {
		return nil, false
	}
	tag, body, _ := strings.Cut(k.Key, ":")
	if tag != "int" && tag != "num" {
		return nil, false
	}
	return new(big.Rat).SetString(body)
}

// place is the value of one in the last digit of figures.
func place(figures string, value *big.Rat) *big.Rat {
	decimals := len(figures) - 1 - strings.LastIndexAny(figures, ".,")
	if decimals == len(figures) {
		return big.NewRat(1, 1)
	}
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, figures)
	whole, ok := new(big.Rat).SetString("0" + digits)
	if ok && whole.Cmp(new(big.Rat).Mul(value, tenTo(decimals))) == 0 {
		return tenTo(-decimals)
	}
	return big.NewRat(1, 1)
}

func tenTo(e int) *big.Rat {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(e, -e))), nil)
	if e < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), power)
	}
	return new(big.Rat).SetInt(power)
}

// exponentOf reads ^8, ⁸ or e8; three digits at most.
func exponentOf(s string) (int, bool) {
	digits := strings.Map(func(r rune) rune {
		switch r {
		case '⁻', '-':
			return '-'
		case '¹':
			return '1'
		case '²':
			return '2'
		case '³':
			return '3'
		}
		if r >= '0' && r <= '9' {
			return r
		}
		if r == '⁰' || r >= '⁴' && r <= '⁹' {
			return r - '⁰' + '0'
		}
		return -1
	}, s)
	e, err := strconv.Atoi(digits)
	return e, err == nil && e >= -400 && e <= 400
}
