package answer

import (
	"errors"
	"math/big"
	"strings"
)

// scanParenthesis reads the (p/q) that protect makes of a vulgar fraction.
func scanParenthesis(s string) (value, int, error) {
	inner, found := strings.CutPrefix(s, "(")
	if !found {
		return value{}, 0, nil
	}
	r, n, err := scanFraction(inner)
	if n == 0 || !strings.HasPrefix(inner[n:], ")") {
		return value{}, 0, nil
	}
	return value{rat: r}, n + 2, err
}

// addFraction goes on after an integer: "/4" divides, "+(1/2)" and " 1/2" add.
// It returns the bytes taken. The sign of the whole binds to both parts, which
// holds because the caller applies it afterwards.
func (v *value) addFraction(s string, whole bool) (int, error) {
	if !v.rat.IsInt() || v.decimals > 0 {
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
			v.rat.Add(v.rat, f.rat)
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
	v.rat.Add(v.rat, r)
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
func (v *value) divide(s string) (int, error) {
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
		return n, errors.New("fraction with a denominator that is no whole number")
	case denominator.value.Sign() == 0:
		return n, errors.New("division by zero")
	}
	v.rat.Quo(v.rat, denominator.value)
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
