package cite

import (
	"math"
	"math/big"
	"regexp"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

// number is a number of a text, or figures that are none, ready for comparisons.
type number struct {
	value.Value
	text string // as written, with its unit
	around
	// How far below and above it evidence may lie to round to it, in its own unit.
	low, high *big.Rat
	// For a first look, in floating point: the size without its sign, and how far evidence
	// may lie; of a quantity the same in base units.
	size, reach, baseSize, baseReach float64
	// also is the other reading of the first number of a range: in "5 to 7 million" the
	// scale word may belong to both.
	also *number
}

// readValues lists the numbers and the dates of a text.
func readValues(s string, limit int) (numbers []number, dates []date) {
	var last value.Value
	for _, v := range value.Find(s, limit) {
		switch {
		case v.Kind == value.Date:
			dates = append(dates, date{v, v.Of(s), neighbours(s, v.Span)})
		case v.Numeric() || v.Kind == value.Figures:
			if len(numbers) > 0 && between.MatchString(s[last.End:v.Start]) {
				numbers[len(numbers)-1].also = share(last, v)
			}
			n := newNumber(v, v.Of(s))
			n.around = neighbours(s, v.Span)
			numbers = append(numbers, n)
		}
		last = v
	}
	return numbers, dates
}

// around are the words on both sides of a value, in lower case, or the two before it where
// its sentence ends: a source that gives another value in the same place contradicts a claim.
type around struct{ before, after string }

func neighbours(s string, at text.Span) around {
	const reach = 40 // bytes in which words are looked for
	trim := func(w string) string {
		return strings.ToLower(strings.TrimFunc(w, func(r rune) bool { return !text.IsWord(r) }))
	}
	before, after := strings.Fields(s[max(0, at.Start-reach):at.Start]), strings.Fields(s[at.End:min(len(s), at.End+reach)])
	var out around
	if n := len(before); n > 0 {
		out.before = trim(before[n-1])
		if len(after) == 0 || strings.HasPrefix(after[0], ".") && n > 1 {
			out.after = trim(before[max(0, n-2)])
			return out
		}
	}
	if len(after) > 0 {
		out.after = trim(after[0])
	}
	return out
}

// between stands in a range.
var between = regexp.MustCompile(`^ ?(?:[-–—]|to|or|and|bis|至|到) ?[$€£¥~]?$`)

// share reads the first number of a range once more, with the scale word and the unit of
// the last: 5 is 5 million in "5 to 7 million". It is nil where nothing can be shared.
func share(first, last value.Value) *number {
	if !first.Numeric() || !last.Numeric() || first.Kind != value.Count && first.Kind != last.Kind {
		return nil
	}
	if first.Kind == last.Kind && last.Low.Scale == nil {
		return nil
	}
	v := first
	v.Kind, v.Currency, v.Low.Unit = last.Kind, last.Currency, last.Low.Unit
	if v.Low.Scale == nil && last.Low.Scale != nil {
		v.Low.Scale = last.Low.Scale
		v.Low.Rat = new(big.Rat).Mul(v.Low.Rat, v.Low.Scale)
		v.Low.Place += exponent(v.Low.Scale)
	}
	n := newNumber(v, "")
	return &n
}

// exponent is that of a power of ten.
func exponent(scale *big.Rat) int {
	return len(scale.Num().String()) - len(scale.Denom().String())
}

// slack covers the rounding of first looks in floating point; exact arithmetic decides.
const slack = 1e-9

func newNumber(v value.Value, written string) number {
	if v.Kind == value.Money {
		v = v.Settle("", false)
	}
	n := number{Value: v, text: strings.TrimSpace(written)}
	if v.Kind == value.Figures {
		return n
	}
	n.size = float(v.Low.Rat)
	n.low, n.high = n.tolerance()
	reach := max(float(n.low), float(n.high))
	n.reach = reach + slack*n.size
	if v.Kind == value.Quantity {
		n.baseSize = float(v.Low.Base())
		n.baseReach = reach*float(v.Low.Unit.Factor) + slack*n.baseSize
	}
	return n
}

// float is the size of a number without its sign.
func float(r *big.Rat) float64 {
	f, _ := r.Float64()
	return min(math.Abs(f), math.MaxFloat64)
}

// withoutScale is the number before its scale word: 1.2 of 1.2 million.
func (n number) withoutScale() *number {
	v := n.Value
	v.Low.Rat = n.Low.Mantissa()
	v.Low.Place -= exponent(n.Low.Scale)
	v.Low.Scale = nil
	out := newNumber(v, n.text)
	return &out
}

// small reports whether a number is a counting word, such as two, first or "one day",
// which states too little to be checked.
func (n number) small() bool {
	limit := int64(1)
	if n.Kind == value.Count {
		limit = 12
	}
	return n.InWords && n.Low.Rat.Cmp(big.NewRat(limit, 1)) <= 0
}

// counting reports whether a number only counts to twelve, in words or in figures: a
// document may list what a message counts.
func (n number) counting() bool {
	if n.InWords || n.Kind != value.Count || n.also != nil || n.Ordinal {
		return n.small()
	}
	r := n.Low.Rat
	return r.IsInt() && n.Low.Place == 0 && r.Sign() >= 0 && r.Cmp(big.NewRat(12, 1)) <= 0
}

// tolerance is how far evidence may lie from the number to round to it.
func (n number) tolerance() (low, high *big.Rat) {
	none := new(big.Rat)
	if n.Low.Fraction {
		return none, none
	}
	half := new(big.Rat).Quo(tenTo(n.Low.Place), big.NewRat(2, 1))
	switch n.Relation {
	case value.Approx:
		// What is about 2,000 is not 1,500.
		share := new(big.Rat).Quo(new(big.Rat).Abs(n.Low.Rat), big.NewRat(20, 1))
		reach := new(big.Rat).Quo(n.lastPlace(), big.NewRat(2, 1))
		if reach.Cmp(share) > 0 {
			reach = share
		}
		if reach.Cmp(half) < 0 {
			reach = half
		}
		return reach, reach
	case value.More, value.AtLeast:
		return none, n.lastPlace()
	case value.Less, value.AtMost:
		return n.lastPlace(), none
	}
	return half, half
}

// lastPlace is the place of the last digit that is not zero: 100,000 for 1,200,000.
func (n number) lastPlace() *big.Rat {
	place := n.Low.Place
	if r := new(big.Rat).Quo(n.Low.Rat, tenTo(place)); r.IsInt() && r.Sign() != 0 {
		digits := r.Num().String()
		place += len(digits) - len(strings.TrimRight(digits, "0"))
	}
	return tenTo(place)
}

func tenTo(e int) *big.Rat {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(e, -e))), nil)
	if e < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), power)
	}
	return new(big.Rat).SetInt(power)
}

// backs reports whether evidence e states claim c: the same kind of number, which c may
// round to its written decimals (methods.md §8 C4). Where the source gives no unit, as in
// a table, the number alone must do.
func (e *number) backs(c *number) bool {
	switch {
	case c.Kind == value.Figures || e.Kind == value.Figures:
		return c.Kind == e.Kind && strings.TrimLeft(c.text, "0") == strings.TrimLeft(e.text, "0")
	case c.Kind == value.Quantity && e.Kind == value.Quantity:
		return c.Low.Dim() == e.Low.Dim() && math.Abs(c.baseSize-e.baseSize) <= c.baseReach && c.nearQuantity(e)
	case c.Kind == e.Kind:
		return c.near(e) && (c.Kind != value.Money || c.Currency.MayBe(e.Currency) && c.Currency.Minor == e.Currency.Minor)
	case c.Kind == value.Count:
		return c.near(e) // the claim's unit may be one that is not known here
	case e.Kind != value.Count || e.Noun != "":
		return false
	case c.Kind == value.Percent && e.Low.Rat.Cmp(big.NewRat(1, 1)) < 0 && c.rounds(hundredfold(e.Low.Rat)):
		return true
	}
	return c.near(e)
}

func hundredfold(r *big.Rat) *big.Rat { return new(big.Rat).Mul(r, big.NewRat(100, 1)) }

// near reports whether evidence e, in the same unit, is a number that c may round.
func (c *number) near(e *number) bool {
	return math.Abs(c.size-e.size) <= c.reach && c.rounds(e.Low.Rat)
}

func (c *number) rounds(e *big.Rat) bool { return within(c.Low.Rat, e, c.low, c.high) }

// nearQuantity compares in base units, with the claim's precision.
func (c *number) nearQuantity(e *number) bool {
	factor := c.Low.Unit.Factor
	return within(c.Low.Base(), e.Low.Base(), new(big.Rat).Mul(c.low, factor), new(big.Rat).Mul(c.high, factor))
}

// within compares without signs: a fall of 5% is -5%.
func within(claimed, found, low, high *big.Rat) bool {
	c, e := new(big.Rat).Abs(claimed), new(big.Rat).Abs(found)
	d := e.Sub(e, c)
	if d.Sign() < 0 {
		return d.Neg(d).Cmp(low) <= 0 && low.Cmp(c) < 0 // nothing rounds to a number by half its size
	}
	return d.Cmp(high) <= 0 && (c.Sign() != 0 || d.Sign() == 0)
}
