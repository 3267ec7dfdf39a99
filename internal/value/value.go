package value

import (
	"math/big"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// Kind is the kind of a value.
type Kind uint8

// The kinds of values.
const (
	None     Kind = iota // no value
	Count                // a number without mark, currency or unit
	Percent              // a percentage; the number is as written, 50 for 50%, 5 for 50‰
	Points               // percentage points
	Money                // an amount of a currency
	Quantity             // a number with a physical unit
	Date                 // a day, a month, a year, a decade, a century, or a day of an unknown year
	Figures              // figures that are not a number: 10:30, 1.26.0
	Time                 // a time of day or a range of two, only from [ParseClock] and [FindClocks]
)

// Relation is the relation of a value to its number: equal, less, about, and so on.
type Relation string

// The relations.
const (
	Equal   Relation = ""
	Approx  Relation = "~"
	Less    Relation = "<"
	AtMost  Relation = "≤"
	More    Relation = ">"
	AtLeast Relation = "≥"
	Between Relation = ".."
)

// Value is one value in a text.
type Value struct {
	text.Span // the bytes that were read, without the words of a relation

	Kind     Kind
	Relation Relation
	Low      Number    // the number, or the lower end of a range
	High     Number    // the upper end, if Relation is Between
	Currency Currency  // for Money
	Date     Calendar  // for Date
	Clock    Clock     // for Time
	Other    *Calendar // the second reading of 03/04/2024; nil for other texts

	// Doubt is true if the text has several readings: 5k, 1 234, 03/04/2024. A value with Doubt is equal to no
	// other value.
	Doubt   bool
	InWords bool // twenty-one
	Ordinal bool // 3rd, third
	// Dropped has the parts of the text that [Parse] read but ignored, because the requested type has no such
	// parts: a unit, a currency or a counted noun.
	Dropped Dropped
	// Noun is the word that [Find] found after a number, if it names things that can be counted: 5 rivers.
	Noun string
}

// Dropped is the set of parts of the text that [Parse] ignored.
type Dropped uint8

// The members of the set.
const (
	DroppedUnit     Dropped = 1 << iota // a unit, a noun, a gloss in brackets
	DroppedCurrency                     // a sign, code or name of a currency
)

// Numeric reports whether the value is a number of any kind.
func (v Value) Numeric() bool {
	return v.Kind == Count || v.Kind == Percent || v.Kind == Points || v.Kind == Money || v.Kind == Quantity
}

// Year returns the year that a value may be: a date with only a year, or a number of four digits without
// separators from 1000 to 2099.
func (v Value) Year() (year int, ok bool) {
	switch {
	case v.Kind == Date && !v.Date.NoYear && v.Date.Month == 0 && v.Date.Years == 0:
		return v.Date.Year, true
	case v.Kind != Count || !v.Low.Plain || v.InWords || v.Ordinal || v.Relation == Between || !v.Low.Rat.IsInt():
		return 0, false
	}
	n := v.Low.Rat.Num()
	if !n.IsInt64() || n.Int64() < 1000 || n.Int64() > 2099 {
		return 0, false
	}
	return int(n.Int64()), true
}

// Number is a rational number as written.
type Number struct {
	Rat   *big.Rat // the number, with scale word and exponent: 1,200,000 for 1.2 million
	Scale *big.Rat // only the scale word or exponent: 1,000,000; nil if there is no scale
	// Place is the power of ten of the last written digit: -2 for 3.14, 5 for 1.2 million; 0 for a fraction.
	Place    int
	Fraction bool // written as p/q, a half, or a mixed number
	// Plain is true if the number was written only in digits, without separator or sign.
	Plain bool
	Unit  *Unit // for Quantity; nil if there is no unit
}

// Base returns the number in base units.
func (n Number) Base() *big.Rat {
	if n.Unit == nil {
		return n.Rat
	}
	r := new(big.Rat).Mul(n.Rat, n.Unit.Factor)
	if n.Unit.Offset != nil {
		r.Add(r, n.Unit.Offset)
	}
	return r
}

// Dim returns the dimension of the number. A number without a unit has the dimension of plain numbers.
func (n Number) Dim() Dimension {
	if n.Unit == nil {
		return Dimension{}
	}
	return n.Unit.Dim
}

// Mantissa returns the number without its scale word or exponent: 1.2 for 1.2 million.
func (n Number) Mantissa() *big.Rat {
	if n.Scale == nil {
		return n.Rat
	}
	return new(big.Rat).Quo(n.Rat, n.Scale)
}

// Decimals returns the number of digits after the decimal point, as written; 0 for a fraction.
func (n Number) Decimals() int { return max(0, -n.Place) }

// Currency is the meaning of a currency sign, code or word.
type Currency struct {
	Label string   // a spelling that Parse reads, if Codes has several
	Codes []string // ISO 4217 codes that it may mean, the most common first
	Minor bool     // a hundredth of the currency: cents, pence
}

// IsZero reports whether the value has no currency.
func (c Currency) IsZero() bool { return len(c.Codes) == 0 }

// Code returns the code of the currency; "" if no code or several codes fit.
func (c Currency) Code() string {
	if len(c.Codes) != 1 {
		return ""
	}
	return c.Codes[0]
}

// Name returns the code, or the label if there are several codes.
func (c Currency) Name() string {
	if code := c.Code(); code != "" {
		return code
	}
	return c.Label
}

// MayBe reports whether two currencies can be the same: $ can be USD, but not EUR. If two signs both have
// several codes, they can be the same currency only if they are the same sign.
func (c Currency) MayBe(d Currency) bool {
	if c.Code() == "" && d.Code() == "" {
		return c.Label == d.Label
	}
	return slices.ContainsFunc(c.Codes, func(code string) bool { return slices.Contains(d.Codes, code) })
}

// Settle sets the currency of the value to code. It does so only if the value's own sign can mean this code, or
// if the value has no currency and bare is true. It converts cents to the whole unit.
func (v Value) Settle(code string, bare bool) Value {
	if code != "" && (slices.Contains(v.Currency.Codes, code) || v.Currency.IsZero() && bare) {
		v.Currency.Codes = []string{code}
		v.Kind = Money
	}
	if v.Currency.Code() == "" || !v.Currency.Minor {
		return v
	}
	v.Currency.Minor = false
	for _, n := range []*Number{&v.Low, &v.High} {
		if n.Rat != nil {
			n.Rat = new(big.Rat).Quo(n.Rat, big.NewRat(100, 1))
			n.Place -= 2
		}
	}
	return v
}

// lower converts letters to lower case without changing the length of the text, so that places in both texts
// are the same.
func lower(s string) string {
	isPlain := func(r rune) bool { return r < utf8.RuneSelf && (r < 'A' || r > 'Z') }
	if strings.IndexFunc(s, func(r rune) bool { return !isPlain(r) }) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			return l
		}
		return r
	}, s)
}
