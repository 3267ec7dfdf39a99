package answer

import (
	"math/big"
	"strings"
)

// Differ reports whether two answers are certainly not the same: both are plain
// numbers of one kind, amounts, quantities, dates, booleans or choices, and their
// values differ beyond what rounding either of them explains (section 3.3). It is a
// veto: false says nothing about equality, and every pair in doubt gives false. That
// holds for ambiguous keys, for relations such as "about 5", and for numbers of
// different kinds, such as 50 and 50%.
//
// Quantities differ when they lie more than 5 % apart, the most that rounding to two
// significant digits explains in any unit, or half a kelvin.
//
// Both keys must come from [Normalize] with the same type.
func Differ(a, b Key) bool {
	if a.Type != b.Type || a.Confidence == Ambiguous || b.Confidence == Ambiguous || a.Key == b.Key {
		return false
	}
	tagA, bodyA, _ := strings.Cut(a.Key, ":")
	tagB, bodyB, _ := strings.Cut(b.Key, ":")
	if tagA == tagInteger {
		tagA = tagRational
	}
	if tagB == tagInteger {
		tagB = tagRational
	}
	if tagA != tagB {
		return false
	}
	switch tagA {
	case tagRational, tagPercent, tagPoints:
		return numbersDiffer(bodyA, bodyB)
	case tagDate:
		return datesDiffer(bodyA, bodyB)
	case tagCurrency:
		return amountsDiffer(bodyA, bodyB)
	case tagQuantity:
		return quantitiesDiffer(bodyA, bodyB)
	case tagBoolean, tagChoice:
		return true
	}
	return false
}

func numbersDiffer(a, b string) bool {
	x, okX := keyRational(a)
	y, okY := keyRational(b)
	return okX && okY && beyondRounding(x, y)
}

// amountsDiffer compares CODE:amount.
func amountsDiffer(a, b string) bool {
	codeA, amountA, _ := strings.Cut(a, ":")
	codeB, amountB, _ := strings.Cut(b, ":")
	return codeA != codeB || numbersDiffer(amountA, amountB)
}

// quantitiesDiffer compares value:dimension.
func quantitiesDiffer(a, b string) bool {
	valueA, unitA, _ := strings.Cut(a, ":")
	valueB, unitB, _ := strings.Cut(b, ":")
	dimA, okA := keyDimension(unitA)
	dimB, okB := keyDimension(unitB)
	x, okX := keyRational(valueA)
	y, okY := keyRational(valueB)
	switch {
	case !okA || !okB || !okX || !okY:
		return false
	case dimA != dimB:
		return !dimA.convertible(dimB)
	case dimA.plain():
		return beyondRounding(x, y)
	}
	distance := new(big.Rat).Sub(x, y)
	distance.Abs(distance)
	if (dimA == dimension{kelvin: 1}) && distance.Cmp(big.NewRat(1, 2)) <= 0 {
		return false // a rounded Celsius near absolute zero
	}
	largest := new(big.Rat).Abs(x)
	if other := new(big.Rat).Abs(y); other.Cmp(largest) > 0 {
		largest = other
	}
	return distance.Cmp(largest.Mul(largest, big.NewRat(1, 20))) > 0
}

// keyDimension reads the dimension of a key.
func keyDimension(s string) (dimension, bool) {
	if s == "1" {
		return dimension{}, true
	}
	u, n, doubt := scanUnit(s)
	return u.dim, n == len(s) && !doubt
}

// keyRational reads the rational of a key, and nothing that a key never holds.
func keyRational(body string) (*big.Rat, bool) {
	if strings.Trim(body, "0123456789-/") != "" {
		return nil, false
	}
	return new(big.Rat).SetString(body)
}

// beyondRounding reports whether two numbers lie further apart than half a unit in
// the last decimal of the one with fewer decimals. A key does not hold the zeros
// at the end of a number as written, so the unit is the largest it can have been.
func beyondRounding(x, y *big.Rat) bool {
	decimals, ends := x.FloatPrec()
	if d, yEnds := y.FloatPrec(); yEnds && (!ends || d < decimals) {
		decimals, ends = d, true
	}
	if !ends {
		return x.Cmp(y) != 0
	}
	distance := new(big.Rat).Sub(x, y)
	return distance.Abs(distance).Cmp(halfUnit(decimals)) > 0
}

// halfUnit is half a unit in the last of d decimals.
func halfUnit(d int) *big.Rat {
	return new(big.Rat).Quo(big.NewRat(1, 2), pow(big.NewRat(10, 1), d))
}

// datesDiffer compares to the precision of the less precise date: 1969 and
// 1969-07-20 may be the same answer, 1969 and 1970-07-20 are not.
func datesDiffer(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a != b && !strings.HasPrefix(b, a+"-")
}
