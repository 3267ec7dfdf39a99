package cite

import (
	"math"
	"math/big"
)

// kind says what a number counts.
type kind int

const (
	bare    kind = iota
	percent      // num is the percentage as written, 50 for 50%
	points       // percentage points
	money
	quantity
	opaque // 10:30, 1.26.0: compared as written
)

// hedge is what stands before a number: about 5, over 5, under 5.
type hedge int

const (
	exactly hedge = iota
	roughly
	above
	below
)

// number is a number of a text.
type number struct {
	text string // as written, with its unit
	kind kind
	num  *big.Rat // with its scale word: 1,200,000 for 1.2 million
	// mantissa is without it: 1.2.
	mantissa *big.Rat
	step     *big.Rat // the place of the last digit written: 100,000; 0 for a fraction
	size     float64  // num without its sign, for a first look
	low      *big.Rat // how far below and above it evidence may lie to round to it
	high     *big.Rat
	least    float64 // size less low, and size plus high, for a first look
	most     float64
	base     float64 // of a quantity: its size in base units
	reach    float64 // and what low or high, whichever is more, are there
	unit     unit    // of money and quantities

	hedge   hedge
	inWords bool
	ordinal bool
	counts  bool // a noun follows that is no unit: 5 rivers
	// also is the second reading of the first number of a range: in "5 to 7 million"
	// and "5-7 km" the scale word and the unit may belong to both.
	also *number
}

// unit is what multiplies a number, to compare 5 km with 5,000 m.
type unit struct {
	name           string // dimension, or currency as a code or an open sign
	factor, offset *big.Rat
	open           bool // a currency sign that several currencies share
}

// base is a number in base units.
func (u unit) base(r *big.Rat) *big.Rat {
	out := new(big.Rat).Mul(r, u.factor)
	return out.Add(out, u.offset)
}

// year reports whether a number may be a year.
func (n number) year() (int, bool) {
	if n.kind != bare || n.inWords || n.ordinal || len(n.text) != 4 || !n.num.IsInt() {
		return 0, false
	}
	y := int(n.num.Num().Int64())
	return y, y >= 1000 && y < 2100
}

// small reports whether a number is a counting word, such as two, first or "one day",
// which states too little to be checked.
func (n number) small() bool {
	limit := int64(1)
	if n.kind == bare {
		limit = 12
	}
	return n.inWords && n.num.Cmp(big.NewRat(limit, 1)) <= 0
}

// counting reports whether a number only counts to twelve, in words or in figures: a
// document may list what a message counts.
func (n number) counting() bool {
	if n.inWords || n.kind != bare || n.also != nil || n.ordinal {
		return n.small()
	}
	return n.num.IsInt() && n.step.Cmp(big.NewRat(1, 1)) == 0 && n.num.Sign() >= 0 && n.num.Cmp(big.NewRat(12, 1)) <= 0
}

// slack covers the rounding of first looks in floating point; exact arithmetic decides.
const slack = 1e-9

// settle computes what comparisons need of a number, once.
func settle(n number) number {
	n.size, _ = n.num.Float64()
	n.size = math.Abs(n.size)
	if n.kind != opaque {
		n.low, n.high = n.tolerance()
		low, _ := n.low.Float64()
		high, _ := n.high.Float64()
		n.least, n.most = n.size-low-slack*n.size, (n.size+high)*(1+slack)
		if n.kind == quantity {
			n.base, _ = n.unit.base(n.num).Float64()
			factor, _ := n.unit.factor.Float64()
			n.reach = math.Max(low, high)*math.Abs(factor) + slack*math.Abs(n.base)
		}
	}
	return n
}

// tolerance is how far evidence may lie from the number to round to it.
func (n number) tolerance() (low, high *big.Rat) {
	half := new(big.Rat).Mul(n.step, big.NewRat(1, 2))
	wide := n.lastPlace()
	none := new(big.Rat)
	switch n.hedge {
	case roughly:
		// What is about 2,000 is not 1,500.
		share := new(big.Rat).Abs(n.num)
		share.Mul(share, big.NewRat(1, 20))
		reach := wide.Mul(wide, big.NewRat(1, 2))
		if reach.Cmp(share) > 0 {
			reach = share
		}
		if reach.Cmp(half) < 0 {
			reach = half
		}
		return reach, reach
	case above:
		return none, wide
	case below:
		return wide, none
	}
	return half, half
}

// lastPlace is the place of the last digit that is not zero: 100,000 for 1,200,000.
func (n number) lastPlace() *big.Rat {
	place := new(big.Rat).Set(n.step)
	if place.Sign() == 0 || n.num.Sign() == 0 {
		return place
	}
	ten := big.NewRat(10, 1)
	for range 40 {
		next := new(big.Rat).Mul(place, ten)
		if !new(big.Rat).Quo(n.num, next).IsInt() {
			break
		}
		place = next
	}
	return place
}

// near reports whether evidence e, in the same unit, is a number that n may round. Signs
// do not count: a fall of 5% is -5%.
func (n number) near(e *big.Rat) bool {
	return nearBy(n.num, e, n.low, n.high)
}

func nearBy(claimed, found, low, high *big.Rat) bool {
	c, e := new(big.Rat).Abs(claimed), new(big.Rat).Abs(found)
	d := e.Sub(e, c)
	if d.Sign() < 0 {
		return d.Neg(d).Cmp(low) <= 0 && low.Cmp(c) < 0 // nothing rounds to a number by half its size
	}
	return d.Cmp(high) <= 0 && (c.Sign() != 0 || d.Sign() == 0)
}
