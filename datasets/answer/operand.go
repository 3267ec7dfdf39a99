package answer

import (
	"errors"
	"math/big"
	"strings"
)

// operand reads one number with what belongs to it: sign, currency, scale word, and
// percent sign, unit or currency after it.
func (q *amount) operand(s string) (value, string, error) {
	negative, currency, s, err := q.readHead(s)
	if err != nil {
		return value{}, s, err
	}
	v, rest, err := q.readNumber(s, currency)
	if err != nil {
		return v, rest, err
	}
	q.ambiguous = q.ambiguous || v.ambiguous
	if currency && q.syntax == plain {
		q.flags = append(q.flags, FlagCurrency)
	}
	switch q.syntax {
	case money:
		rest, err = q.readCurrency(rest)
	case measure:
		rest = q.readUnits(&v, rest)
	default:
		rest = q.readMark(&v, rest)
	}
	if negative {
		v.rat.Neg(v.rat) // after the unit, for -5 ft 2 in is less than -5 ft
	}
	return v, rest, err
}

// readHead reads what stands before the digits: a sign and a currency in any order.
func (q *amount) readHead(s string) (negative, currency bool, rest string, err error) {
	for range 2 {
		if q.syntax == money {
			after, err := q.readCurrency(s)
			if err != nil {
				return false, false, s, err
			}
			currency = currency || len(after) < len(s)
			s = after
		} else if rest, ok := cutCurrency(s); ok && !currency && q.syntax == plain {
			s, currency = rest, true
		}
		if rest, ok := strings.CutPrefix(s, "-"); ok && !negative {
			negative = true
			// A dash with a space may be a bullet as well as a sign.
			if strings.HasPrefix(rest, " ") {
				q.ambiguous = true
			}
			s = strings.TrimPrefix(rest, " ")
		}
	}
	return negative, currency, s, nil
}

// readNumber reads the number itself, in digits with a scale word or in words.
func (q *amount) readNumber(s string, currency bool) (value, string, error) {
	v, n, err := scanSigned(s)
	if err != nil {
		return v, s, err
	}
	if n == 0 {
		if v, n = scanWords(s); n > 0 {
			q.inWords = true
			q.flags = append(q.flags, FlagWords)
			return v, s[n:], nil
		}
		return v, s, errors.New("no number where one is expected")
	}
	factor, rest, doubt := cutScale(s[n:], q.syntax, currency)
	if factor == nil {
		return v, s[n:], nil
	}
	v.rat.Mul(v.rat, factor)
	v.decimals = max(0, v.decimals-(len(factor.Num().String())-1))
	q.ambiguous = q.ambiguous || doubt
	if !fits(v.rat, maxDigits) {
		return v, rest, errTooManyDigits()
	}
	return v, rest, nil
}

// readMark reads a percent sign or word and turns the number into its value.
func (q *amount) readMark(v *value, s string) string {
	rest := strings.TrimPrefix(strings.TrimPrefix(s, " "), `\`)
	divisor := int64(100)
	kind := percent
	found := false
	for _, w := range []string{"percentage points", "percentage point", "percent points", "%-points", "% points", "pp", "p.p."} {
		if after, ok := cutWord(rest, w); ok {
			q.mark = points
			return after
		}
	}
	for _, w := range []string{"percent", "per cent", "pct"} {
		if after, ok := cutWord(rest, w); ok {
			rest, found = after, true
			break
		}
	}
	if after, ok := strings.CutPrefix(rest, "%"); ok && !found {
		rest, found = after, true
	} else if after, ok := strings.CutPrefix(rest, "‰"); ok && !found {
		rest, found, divisor = after, true, 1000
	}
	if !found {
		return s
	}
	q.mark = kind
	v.rat.Quo(v.rat, big.NewRat(divisor, 1))
	v.decimals += len(big.NewInt(divisor).String()) - 1
	return rest
}
