package answer

import (
	"math/big"
	"strings"
)

// readQuantity reads a physical quantity. Its key is the value in base units with
// the dimension, so 3 km is 3000 m; temperatures are points on their scale, never
// differences. A number without a unit has no dimension.
func readQuantity(text string) (reading, error) {
	q, err := parseAs(text, measure)
	if err != nil {
		return reading{}, describe(text, err)
	}
	if q.ambiguous {
		return ambiguous(text), nil
	}
	if q.low.unit == nil {
		q.flags = append(q.flags, FlagBare)
	}
	return q.reading(), nil
}

// maxParts bounds the parts of a compound quantity: 1 h 30 min 10 s.
const maxParts = 4

// readUnits reads the unit after a number, and further parts in smaller units of
// the same dimension, which are added: 6 ft 2 in, 2 hours and 30 minutes.
func (q *amount) readUnits(v *value, s string) string {
	u, n, doubt := scanUnit(q.original(s))
	if n == 0 || q.inWords && strings.HasPrefix(s, "-") { // thirty-second
		return s
	}
	q.ambiguous = q.ambiguous || doubt
	v.unit = &u
	s = s[n:]
	for range maxParts - 1 {
		next := cutJoint(s)
		part, n, err := scanUnsigned(next)
		if n == 0 || err != nil || v.rat.Sign() < 0 {
			break
		}
		small, m, doubt := scanUnit(q.original(next[n:]))
		if m == 0 || small.dim != v.unit.dim || small.offset != nil || v.unit.offset != nil {
			break
		}
		ratio := new(big.Rat).Quo(v.unit.factor, small.factor)
		if part.rat.Cmp(ratio) >= 0 || !v.rat.IsInt() {
			break
		}
		q.ambiguous = q.ambiguous || doubt || part.ambiguous
		small.name = v.unit.name + " " + small.name
		sum := new(big.Rat).Mul(v.rat, ratio)
		*v = value{rat: sum.Add(sum, part.rat), decimals: part.decimals, unit: &small}
		s = next[n+m:]
	}
	return s
}

// cutJoint drops what joins the parts of a compound quantity.
func cutJoint(s string) string {
	for _, joint := range []string{" and ", ", and ", ", ", " "} {
		if len(s) > len(joint) && s[:len(joint)] == joint {
			return s[len(joint):]
		}
	}
	return s
}

// imprecise stands for the decimals of a number that has none in another unit.
const imprecise = -maxDigits

// in expresses the value in another unit of its dimension. Its decimals move with
// the point where the units differ by a power of ten; elsewhere it has none, so that
// nothing is rounded: 5 yards are 4.6 metres and not 5.
func (v value) in(u *unit) value {
	if v.unit == nil || u == nil || v.unit == u {
		return v
	}
	r := v.base()
	if u.offset != nil {
		r = new(big.Rat).Sub(r, u.offset)
	}
	converted := value{rat: new(big.Rat).Quo(r, u.factor), decimals: imprecise, unit: u}
	if e, ok := powerOfTen(new(big.Rat).Quo(v.unit.factor, u.factor)); ok {
		converted.decimals = v.decimals - e
	}
	return converted
}

// powerOfTen returns the exponent of a power of ten.
func powerOfTen(r *big.Rat) (e int, ok bool) {
	digits := r.Num().String()
	sign := 1
	if digits == "1" {
		digits, sign = r.Denom().String(), -1
	} else if !r.IsInt() {
		return 0, false
	}
	e = len(digits) - 1
	return sign * e, strings.TrimRight(digits, "0") == "1"
}
