package value

import (
	"math/big"
)

// Same reports whether two values are equal: they have the same kind and relation, equal numbers in base units,
// the same currency, or the same date at the same precision. A value with Doubt is equal to no value.
func Same(a, b Value) bool {
	if a.Doubt || b.Doubt || a.Kind != b.Kind || a.Relation != b.Relation {
		return false
	}
	if a.Kind == Time {
		return a.Clock.String() == b.Clock.String()
	}
	if a.Kind == Date || !a.Numeric() {
		return a.Kind == Date && a.Date == b.Date
	}
	return a.Low.Dim() == b.Low.Dim() && a.sameCurrency(b) && a.Low.Base().Cmp(b.Low.Base()) == 0 &&
		(a.Relation != Between || a.High.Base().Cmp(b.High.Base()) == 0)
}

func (v Value) sameCurrency(w Value) bool {
	return v.Currency.IsZero() && w.Currency.IsZero() ||
		v.Currency.Code() != "" && v.Currency.Code() == w.Currency.Code() && v.Currency.Minor == w.Currency.Minor
}

// minSignificant is the minimum number of significant digits that a number must have if another number is
// rounded to it.
const minSignificant = 2

// SameRounded reports whether two values are the same number at the precision of the less precise one
// (docs/method.md §2.2). The less precise value must have at least two significant digits. The other value,
// rounded half to even to the same decimals, must equal it. 3.14 and 3.1416 are the same, but 3 and 3.1 are
// not. Equal values are always the same.
//
// The relation is not transitive (1.349 rounds to 1.3 and to 1.35, which are not the same). So two classes may
// be merged only if every value of one is the same as every value of the other.
func SameRounded(a, b Value) bool {
	if Same(a, b) {
		return true
	}
	if a.Doubt || b.Doubt || !a.Numeric() || a.Kind != b.Kind || a.Relation != Equal || b.Relation != Equal ||
		!a.sameCurrency(b) || a.Low.Dim() != b.Low.Dim() {
		return false
	}
	return roundsFrom(a.Low, b.Low) || roundsFrom(b.Low, a.Low)
}

// roundsFrom reports whether fine, converted to the unit of coarse, rounds to coarse. A number that is not
// written in decimals, such as 1/3, has no precision; the result is then false.
func roundsFrom(fine, coarse Number) bool {
	return !fine.Fraction && coarse.significant() >= minSignificant && RoundsTo(fine.In(coarse.Unit), coarse)
}

// significant returns the number of significant digits of the number as written, without leading zeros. 0.5,
// also if it was read as 50 %, has one. The result is 0 for a number that is not written in decimals.
func (n Number) significant() int {
	scaled := new(big.Rat).Mul(n.Rat, pow(big.NewRat(10, 1), -n.Place))
	if !scaled.IsInt() || scaled.Sign() == 0 {
		return 0
	}
	return len(new(big.Int).Abs(scaled.Num()).String())
}

// RoundsTo reports whether p, rounded half to even to the decimals of gold, equals gold. p must be written with
// at least as many decimals as gold.
func RoundsTo(p, gold Number) bool {
	unit := pow(big.NewRat(10, 1), gold.Decimals())
	last := new(big.Rat).Mul(gold.Rat, unit)
	if p.Place >= imprecise || p.Decimals() < gold.Decimals() || !last.IsInt() {
		return false
	}
	distance := new(big.Rat).Mul(p.Rat, unit)
	half := distance.Abs(distance.Sub(distance, last)).Cmp(big.NewRat(1, 2))
	return half < 0 || half == 0 && last.Num().Bit(0) == 0
}

// imprecise is the Place of a number that lost its precision in a conversion.
const imprecise = maxDigits

// In returns the number in another unit of its dimension. It returns n itself if u is nil. If the units differ
// by a power of ten, Place changes accordingly. Otherwise the result has no precision, and no number rounds to
// it or from it: 5 yards are not 5 metres.
func (n Number) In(u *Unit) Number {
	if n.Unit == nil || u == nil || n.Unit == u {
		return n
	}
	r := n.Base()
	if u.Offset != nil {
		r = new(big.Rat).Sub(r, u.Offset)
	}
	converted := Number{Rat: new(big.Rat).Quo(r, u.Factor), Place: imprecise, Unit: u}
	ratio := new(big.Rat).Quo(n.Unit.Factor, u.Factor)
	if e := len(ratio.Num().String()) - len(ratio.Denom().String()); ratio.Cmp(pow(big.NewRat(10, 1), e)) == 0 {
		converted.Place = n.Place + e
	}
	return converted
}

// Differ reports whether two values are certainly different: their numbers differ by more than rounding can
// explain, or their dates differ at the precision of both (docs/method.md §3.3). false does not mean that they
// are equal: if there is any doubt, the result is false. This includes values with Doubt, relations such as
// "about 5", and numbers of different kinds, such as 50 and 50%.
//
// Quantities differ if they are more than 5 % apart, because rounding to two significant digits can change a
// value by 5 % at most. Temperatures must also be more than half a kelvin apart.
func Differ(a, b Value) bool {
	if a.Doubt || b.Doubt || a.Kind != b.Kind || a.Relation != Equal || b.Relation != Equal {
		return false
	}
	switch a.Kind {
	case Time:
		return !a.Clock.mayBe(b.Clock)
	case Date:
		return !a.Date.Within(b.Date) && !b.Date.Within(a.Date)
	case Count, Percent, Points:
		return beyondRounding(a.Low.Rat, b.Low.Rat)
	case Money:
		if a.Currency.Minor || b.Currency.Minor {
			return false // 50 cents may be $0.50
		}
		// $5 and USD 6 differ for every meaning of $: in the number, or in the currency.
		return !a.Currency.MayBe(b.Currency) || beyondRounding(a.Low.Rat, b.Low.Rat)
	case Quantity:
		return quantitiesDiffer(a.Low, b.Low)
	}
	return false
}

func quantitiesDiffer(a, b Number) bool {
	dim := a.Dim()
	switch {
	case dim != b.Dim():
		return !dim.convertible(b.Dim())
	case dim.Plain():
		return beyondRounding(a.Rat, b.Rat)
	}
	x, y := a.Base(), b.Base()
	distance := new(big.Rat).Sub(x, y)
	distance.Abs(distance)
	if dim == (Dimension{kelvin: 1}) && distance.Cmp(big.NewRat(1, 2)) <= 0 {
		return false // a rounded Celsius near absolute zero
	}
	distance.Mul(distance, big.NewRat(20, 1))
	return distance.Cmp(x.Abs(x)) > 0 && distance.Cmp(y.Abs(y)) > 0
}

// beyondRounding reports whether two numbers differ by more than rounding explains: by more than half a unit in
// the last decimal of the number with fewer decimals. Trailing zeros do not show whether a number was rounded,
// so the largest unit is used that is possible.
func beyondRounding(x, y *big.Rat) bool {
	decimals, ends := x.FloatPrec()
	if d, yEnds := y.FloatPrec(); yEnds && (!ends || d < decimals) {
		decimals, ends = d, true
	}
	if !ends {
		return x.Cmp(y) != 0
	}
	half := new(big.Rat).Quo(big.NewRat(1, 2), pow(big.NewRat(10, 1), decimals))
	distance := new(big.Rat).Sub(x, y)
	return distance.Abs(distance).Cmp(half) > 0
}
