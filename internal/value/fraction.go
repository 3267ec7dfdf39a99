package value

import (
	"errors"
	"math/big"
	"strings"
)

// scanParenthesis reads the (p/q) that folding makes of a vulgar fraction and of \frac.
func scanParenthesis(s string) (Number, int, error) {
	inner, found := strings.CutPrefix(s, "(")
	if !found {
		return Number{}, 0, nil
	}
	r, n, err := scanFraction(inner)
	if n == 0 || !strings.HasPrefix(inner[n:], ")") {
		return Number{}, 0, nil
	}
	return Number{Rat: r, Fraction: true}, n + 2, err
}

// addFraction goes on after an integer: "/4" divides, "+(1/2)" and " 1/2" add.
// It returns the bytes taken. The sign of the whole binds to both parts, which
// holds because the caller applies it afterwards.
func (v *Number) addFraction(s string, whole bool) (int, error) {
	if !v.Rat.IsInt() || v.Place != 0 || v.Fraction {
		return 0, nil
	}
	if n, err := v.divide(s); n > 0 {
		return n, err
	}
	if !whole {
		return 0, nil
	}
	if rest, found := strings.CutPrefix(s, "+"); found {
		f, n, err := scanParenthesis(rest)
		if n > 0 && err == nil {
			v.Rat.Add(v.Rat, f.Rat)
			v.Fraction, v.Plain = true, false
		}
		return skip(n, 1), err
	}
	rest, found := strings.CutPrefix(s, " ")
	if !found {
		return 0, nil
	}
	r, n, err := scanFraction(strings.TrimPrefix(rest, "("))
	if n == 0 || err != nil {
		return skip(n, 1), err
	}
	if strings.HasPrefix(rest, "(") {
		if !strings.HasPrefix(rest[1+n:], ")") {
			return 0, nil
		}
		n += 2
	}
	if r.Cmp(big.NewRat(1, 1)) >= 0 {
		return n + 1, errors.New("mixed number with an improper fraction")
	}
	v.Rat.Add(v.Rat, r)
	v.Fraction, v.Plain = true, false
	return n + 1, nil
}

// skip adds the bytes before a match to its length, if there was a match.
func skip(n, before int) int {
	if n == 0 {
		return 0
	}
	return n + before
}

// divide reads "/4" or " / 4".
func (v *Number) divide(s string) (int, error) {
	rest, found := strings.CutPrefix(strings.TrimPrefix(s, " "), "/")
	if !found {
		return 0, nil
	}
	rest = strings.TrimPrefix(rest, " ")
	denominator, n, err := scanLiteral(rest)
	if n == 0 {
		return 0, nil
	}
	n += len(s) - len(rest)
	switch {
	case err != nil:
		return n, err
	case denominator.ambiguous || denominator.decimals > 0:
		return n, errors.New("fraction with a denominator that is not a whole number")
	case denominator.value.Sign() == 0:
		return n, errors.New("division by zero")
	}
	v.Rat.Quo(v.Rat, denominator.value)
	v.Fraction, v.Plain = true, false
	return n, nil
}

// scanFraction reads p/q in plain digits.
func scanFraction(s string) (*big.Rat, int, error) {
	p, n, err := scanLiteral(s)
	if n == 0 || err != nil || !p.plain {
		return nil, 0, nil
	}
	rest, found := strings.CutPrefix(s[n:], "/")
	if !found {
		return nil, 0, nil
	}
	q, m, err := scanLiteral(rest)
	if m == 0 || err != nil || !q.plain {
		return nil, 0, nil
	}
	if q.value.Sign() == 0 {
		return nil, n + 1 + m, errors.New("division by zero")
	}
	return new(big.Rat).Quo(p.value, q.value), n + 1 + m, nil
}
