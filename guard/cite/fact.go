package cite

import (
	"math"
	"math/big"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

// fact is a number or a date in a text, in a form that can be compared. It may also be digits that are neither
// a number nor a date.
type fact struct {
	value.Value
	text string // as written, with its unit
	around
	short bool // a year without its century, such as '64
	// The first fields are for numbers. size is the absolute value. A number in the evidence rounds to this
	// number if it is at most low smaller or at most high larger. base is the size in base units. factor is the
	// number of base units in one of the number's units.
	size, low, high, base, factor float64
	// loose is the allowed difference between the evidence and the number, if the number was rounded to its
	// last nonzero digit. It is at most 5 % of the number, so that 2,000 does not confirm 1,500.
	loose float64
}

// readFacts returns the facts in a text, at most limit.
func readFacts(s string, limit int) []fact {
	var out []fact
	for _, v := range value.Find(s, limit) {
		f := newFact(v, v.Of(s))
		f.around = neighbours(s, v.Span)
		f.short = v.End-v.Start == 2 && (strings.HasSuffix(s[:v.Start], "'") || strings.HasSuffix(s[:v.Start], "’"))
		out = append(out, f)
	}
	return out
}

// around has the words before and after a value, in lower case. If the value is the end of its sentence, it has
// the two words before it. If a source has another value between the same words, the source contradicts the
// claim.
type around struct{ before, after string }

func neighbours(s string, at text.Span) around {
	const reach = 40 // number of bytes in which words are searched, on each side
	trim := func(w string) string {
		return strings.ToLower(strings.TrimFunc(w, func(r rune) bool { return !text.IsWord(r) }))
	}
	before, after := strings.Fields(s[max(0, at.Start-reach):at.Start]),
		strings.Fields(s[at.End:min(len(s), at.End+reach)])
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

// between matches the text between the two numbers of a range.
var between = lazy.Compile(`^ ?(?:[-–—]|to|or|and|bis|至|到) ?[$€£¥~]?$`)

// share gives the first number of a range the scale word and the unit of the last number: in "5 to 7
// million", 5 means 5 million.
func share(v, last value.Value) value.Value {
	if _, isYear := v.Year(); isYear || v.Kind != value.Count && v.Kind != last.Kind {
		return v
	}
	v.Kind, v.Currency, v.Low.Unit = last.Kind, last.Currency, last.Low.Unit
	if scale := last.Low.Scale; v.Low.Scale == nil && scale != nil {
		v.Low.Scale = scale
		v.Low.Rat = new(big.Rat).Mul(v.Low.Rat, scale)
		v.Low.Place += len(scale.Num().String()) - len(scale.Denom().String())
	}
	return v
}

func newFact(v value.Value, written string) fact {
	if v.Kind == value.Money {
		v = v.Settle("", false)
	}
	n := fact{Value: v, text: strings.TrimSpace(written), factor: 1}
	if !v.Numeric() {
		return n
	}
	n.size, n.base = float(v.Low.Rat), float(v.Low.Base())
	if v.Low.Unit != nil {
		n.factor = float(v.Low.Unit.Factor)
	}
	n.loose = min(math.Pow10(n.lastPlace())/2, n.size/20)
	n.low, n.high = n.tolerance()
	return n
}

// float returns the absolute value of a number.
func float(r *big.Rat) float64 {
	f, _ := r.Float64()
	return math.Abs(f)
}

// within reports whether x is at most low smaller than size and at most high larger. Both numbers must be
// without sign, because a fall of 5% is -5%. Rounding errors of the arithmetic are allowed.
func within(x, size, low, high float64) bool {
	const slack = 1e-13
	return x >= size-low-slack*size && x <= size+high+slack*size
}

func (n *fact) rounds(x float64) bool { return within(x, n.size, n.low, n.high) }

// maxCount is the largest counting number.
const maxCount = 12

// small reports whether a number is a counting word, such as two, first or "one day". Such words are too common
// to be checked.
func (n *fact) small() bool {
	return n.InWords && (n.size <= 1 || n.Kind == value.Count && n.size <= maxCount)
}

// tolerance returns how much smaller (low) or larger (high) a number in the evidence may be, so that it still
// rounds to this number.
func (n *fact) tolerance() (low, high float64) {
	if n.Low.Fraction || n.size == 0 {
		return 0, 0
	}
	half, last := math.Pow10(n.Low.Place)/2, math.Pow10(n.lastPlace())
	switch n.Relation {
	case value.Approx:
		half = max(half, n.loose)
	case value.More, value.AtLeast:
		return 0, last
	case value.Less, value.AtMost:
		return last, 0
	}
	if n.InWords && n.size > 100 { // for example "four thousand eight hundred metres" for 4,807
		half = max(half, n.loose)
	}
	return half, half
}

// lastPlace returns the decimal place of the last nonzero digit: 5 for 1,200,000.
func (n *fact) lastPlace() int {
	digits := strings.TrimLeft(strings.Replace(n.Low.Rat.FloatString(n.Low.Decimals()), ".", "", 1), "-0")
	if digits == "" {
		return n.Low.Place
	}
	return len(digits) - len(strings.TrimRight(digits, "0")) - n.Low.Decimals()
}

// backs reports whether evidence e states claim c: the same date, or the same number of the same kind. c may be
// the number of e rounded to the decimals of c (docs/method.md §8 C4). If e has no unit, as in a table, only
// the numbers are compared.
func (e *fact) backs(c *fact) bool {
	switch {
	case c.Kind == value.Date || e.Kind == value.Date:
		return c.Kind == e.Kind && e.states(c)
	case c.Kind == value.Figures || e.Kind == value.Figures:
		return c.Kind == e.Kind && strings.TrimLeft(c.text, "0") == strings.TrimLeft(e.text, "0")
	case c.Kind == value.Quantity && e.Kind == value.Quantity:
		low, high := c.low, c.high
		if c.factor != e.factor { // a converted number may be rounded to its last nonzero digit
			low, high = max(low, c.loose), max(high, c.loose)
		}
		return c.Low.Dim() == e.Low.Dim() && within(e.base, c.base, low*c.factor, high*c.factor)
	case c.Kind == value.Money && e.Kind == value.Money:
		return c.rounds(e.size) && c.Currency.MayBe(e.Currency) && c.Currency.Minor == e.Currency.Minor
	case c.Kind == e.Kind, c.Kind == value.Count:
		return c.rounds(e.size) // the claim's unit may be unknown to this program
	case e.Kind != value.Count || e.Noun != "" && c.Kind != value.Quantity:
		return false
	}
	return c.rounds(e.size) || c.Kind == value.Percent && e.size < 1 && c.rounds(100*e.size)
}

// states reports whether evidence d states claim c: it is the same date, or a more exact one. A date such as
// 03/04/2024 has two readings, and all readings are compared.
func (d *fact) states(c *fact) bool {
	for _, found := range []*value.Calendar{&d.Date, d.Other} {
		for _, claimed := range []*value.Calendar{&c.Date, c.Other} {
			if found != nil && claimed != nil && found.Within(*claimed) {
				return true
			}
		}
	}
	return false
}
