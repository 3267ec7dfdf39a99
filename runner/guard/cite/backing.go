package cite

import (
	"math"
	"math/big"
)

// backs reports whether evidence e states claim c: the same kind of number, which c may
// round to its written decimals (methods.md §8 C4). Where the source gives no unit, as in
// a table, the number alone must do.
func (e *number) backs(c number) bool {
	if c.kind == opaque || e.kind == opaque {
		return c.kind == e.kind && c.text == e.text
	}
	switch {
	case c.kind == quantity && e.kind == quantity:
		return e.backsQuantity(c)
	case !c.mayEqual(e.size) && !(c.kind == percent && e.kind == bare):
		return false
	case c.kind == e.kind:
		return c.near(e.num) && (c.kind != money || sameMoney(c.unit, e.unit) && sameFactor(c.unit, e.unit))
	case c.kind == bare:
		return c.near(e.num) // the claim's unit may be one that is not known here
	case c.kind == percent && e.kind == bare && !e.counts:
		hundredfold := new(big.Rat).Mul(e.num, big.NewRat(100, 1))
		return c.near(e.num) || e.num.Cmp(big.NewRat(1, 1)) < 0 && c.near(hundredfold)
	case e.kind == bare:
		return !e.counts && c.near(e.num)
	}
	return false
}

// closeBy is a cheap first look at two sizes that should be equal.
func closeBy(a, b float64) bool {
	return math.Abs(a-b) <= slack*math.Max(a, b) || math.IsInf(a, 0) || math.IsInf(b, 0)
}

// mayEqual is a cheap first look at near.
func (n number) mayEqual(size float64) bool {
	return size >= n.least && size <= n.most || math.IsInf(size, 0) || math.IsInf(n.size, 0)
}

// backsQuantity compares in base units, with the claim's precision.
func (e *number) backsQuantity(c number) bool {
	if c.unit.name != e.unit.name || math.Abs(math.Abs(c.base)-math.Abs(e.base)) > c.reach {
		return false
	}
	if c.unit.factor.Cmp(e.unit.factor) == 0 && c.unit.offset.Cmp(e.unit.offset) == 0 {
		if c.unit.offset.Sign() != 0 && c.num.Sign()*e.num.Sign() < 0 {
			return false // -10 °C is not 10 °C
		}
		return c.near(e.num)
	}
	scaled := func(r *big.Rat) *big.Rat { return new(big.Rat).Mul(r, c.unit.factor) }
	return nearBy(c.unit.base(c.num), e.unit.base(e.num), scaled(c.low), scaled(c.high))
}

func sameFactor(a, b unit) bool { return a.factor.Cmp(b.factor) == 0 }
