package value

import (
	"errors"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// As is the kind of value as which a text is read.
type As uint8

// The ways to read a text.
const (
	Any        As = iota // any kind
	AsNumber             // a number or percentage: a unit, currency or noun is dropped
	AsMoney              // an amount: k, m and b are scales, pounds are a currency
	AsQuantity           // a quantity: m is the metre
	AsDate               // a date: 1969 is a year
)

// amount is the state of reading one number with its unit, currency or noun, or a range of two numbers.
type amount struct {
	as    As
	cased string // the text as written, of the same length as in lower case
	rest  string // the unread text, in lower case
	Value
}

// written returns the unread text in its original case.
func (q *amount) written() string { return q.cased[len(q.cased)-len(q.rest):] }

// cut removes one of the forms, as whole words, from the beginning of the rest, with the space on both sides.
// It reports whether one of the forms was there.
func (q *amount) cut(forms ...string) bool {
	for _, form := range forms {
		rest, ok := strings.CutPrefix(strings.TrimPrefix(q.rest, " "), form)
		if ok && !(text.StartsWord(form[len(form)-1:]) && text.StartsWord(rest)) {
			q.rest = strings.TrimPrefix(rest, " ")
			return true
		}
	}
	return false
}

// operand reads one number: a sign and a currency in any order, then figures or words, then a scale, then a
// percent sign, a unit or a currency.
func (q *amount) operand() (n Number, err error) {
	negative := false
	for range 2 {
		if q.as != AsQuantity {
			if err := q.readCurrency(q.as == AsMoney); err != nil {
				return n, err
			}
		}
		bullet := strings.HasPrefix(q.rest, "- ") // or a sign with a space after it
		if !negative && q.cut("-", "minus", "negative") {
			negative, q.Doubt = true, q.Doubt || bullet
		}
	}
	if n, err = q.number(); err == nil {
		err = q.readMark(&n)
	}
	if err == nil && negative {
		n.Rat, n.Plain = new(big.Rat).Neg(n.Rat), false // after the unit, because -5 ft 2 in is less than -5 ft
	}
	return n, err
}

var errNoNumber = errors.New("expected a number")

// number reads the number itself, in digits with a scale word or in words.
func (q *amount) number() (Number, error) {
	if m := q.feet(); m != nil {
		q.rest = q.rest[len(m[0]):]
		inch := lookupUnits("inch")[0]
		inch.Name = "ft in"
		whole, _ := scanDigits(m[1])
		rest, _ := scanDigits(m[2])
		return Number{Rat: big.NewRat(int64(whole*12+rest), 1), Unit: &inch}, nil
	}
	n, m, doubt, err := scanNumber(strings.TrimPrefix(q.rest, "+"))
	if err != nil {
		return n, err
	}
	q.InWords = q.InWords || m == 0
	if m == 0 {
		if n, m, q.Ordinal = scanWords(q.rest); m == 0 {
			return n, errNoNumber
		}
		q.rest = q.rest[m:]
		return n, nil
	}
	q.rest = strings.TrimPrefix(q.rest, "+")[m:]
	q.Doubt = q.Doubt || doubt
	if e := len(ordinalEnding.FindString(q.rest)); e > 0 && n.Plain && (q.as == Any || q.as == AsNumber) {
		q.Ordinal = true
		q.rest = q.rest[e:]
		return n, nil
	}
	for range 2 { // 5 hundred thousand
		if scale := q.cutScale(); scale > 0 {
			n.times(big.NewRat(scale, 1))
			n.Place += zeros(scale)
		}
	}
	return n, nil
}

// feet returns the feet and inches at the beginning of the rest.
func (q *amount) feet() []string {
	if q.as == AsMoney || q.rest == "" || !text.IsDigit(q.rest[0]) {
		return nil
	}
	return feet.FindStringSubmatch(q.rest)
}

// feet matches 5'10", which is 70 inches.
var feet = lazy.Compile(`^(\d{1,4})' ?(0?\d|1[01])(?:"|'')`)

// cutScale reads a scale word directly after a number and returns the scale; 0 if there is no scale word. A
// single letter (5k, 2.5m, 3b) is a scale in money and next to a currency, and a unit in a quantity. Elsewhere
// it may be a scale or a unit, so the value is ambiguous.
func (q *amount) cutScale() int64 {
	s := strings.TrimPrefix(q.rest, " ")
	if strings.HasPrefix(q.rest, "-") { // a 5-million tower
		s = q.rest[1:]
	}
	r, size := utf8.DecodeRuneInString(s)
	word, rest := s[:size], s[size:]
	if !text.IsUnspaced(r) {
		word, rest = text.FirstWord(s)
	}
	e := numberWords()[word]
	money := q.as == AsMoney || !q.Currency.IsZero()
	switch e.class {
	case "dozen", "hundred", "scale", "after":
	case "place", "myriad":
		if _, unit, _ := scanUnit(s); unit > 0 {
			return 0 // 千米 is a kilometre
		}
	case "letter":
		if q.as == AsQuantity || len(s) < len(q.rest) && !money {
			return 0 // 5 m are metres
		}
		q.Doubt = q.Doubt || !money
	default:
		return 0
	}
	q.rest = rest
	return e.value
}

// readMark reads the mark after the number: a percent sign or word, a unit, or a currency.
func (q *amount) readMark(n *Number) error {
	switch number := q.as == Any || q.as == AsNumber; {
	case n.Unit != nil:
		q.Kind = Quantity
	case number && q.cut(lists()["points"]...):
		q.Kind = Points
	case number && q.cut(lists()["percent"]...):
		q.Kind = Percent
	case number && q.cut("‰"):
		q.Kind = Percent
		n.Rat = new(big.Rat).Quo(n.Rat, big.NewRat(10, 1))
		n.Place--
	case (q.as == Any && q.Currency.IsZero() || q.as == AsQuantity) && q.units(n):
		q.Kind = Quantity
	case q.as == Any && !q.Ordinal || q.as == AsMoney:
		return q.readCurrency(true)
	}
	return nil
}

// maxParts is the maximum number of parts of a compound quantity: 1 h 30 min 10 s.
const maxParts = 4

// units reads the unit after a number. It adds further parts in smaller units of the same dimension: 6 ft 2 in,
// 2 hours and 30 minutes.
func (q *amount) units(n *Number) bool {
	u, m, doubt := scanUnit(q.written())
	if m == 0 || q.InWords && strings.HasPrefix(q.rest, "-") { // thirty-second
		return false
	}
	// In running text, "in" and "at" after a number are words, not units; "C" and "km" are units.
	if symbol := strings.Trim(u.Name, " -"); q.as == Any && inList("prose", strings.ToLower(symbol)) &&
		!inList("symbol", symbol) {
		return false
	}
	q.Doubt = q.Doubt || doubt
	n.Unit = &u
	q.rest = q.rest[m:]
	for parts := 1; parts < maxParts && q.part(n); parts++ {
	}
	return true
}

// part adds another part of a compound quantity to n.
func (q *amount) part(n *Number) bool {
	next := amount{as: AsQuantity, cased: q.cased, rest: strings.TrimPrefix(q.rest, " ")}
	_ = next.cut(", and", "and", ",")
	part, err := next.number()
	if err != nil || n.Rat.Sign() < 0 {
		return false
	}
	small, m, doubt := scanUnit(next.written())
	if m == 0 || small.Dim != n.Unit.Dim || small.Offset != nil || n.Unit.Offset != nil {
		return false
	}
	ratio := new(big.Rat).Quo(n.Unit.Factor, small.Factor)
	if part.Rat.Cmp(ratio) >= 0 || !n.Rat.IsInt() {
		return false
	}
	q.rest, q.Doubt = next.rest[m:], q.Doubt || doubt || next.Doubt
	small.Name = n.Unit.Name + " " + small.Name
	sum := new(big.Rat).Mul(n.Rat, ratio)
	*n = Number{Rat: sum.Add(sum, part.Rat), Place: part.Place, Unit: &small}
	return true
}

// readCurrency reads an optional currency and combines it with the currency read before: "$5 CAD"
// is in Canadian dollars, "€5 USD" is an error.
func (q *amount) readCurrency(names bool) error {
	written := strings.TrimPrefix(q.written(), " ")
	c, n := scanCurrency(written, names)
	if n == 0 {
		return nil
	}
	q.rest = strings.TrimPrefix(q.rest[len(q.rest)-len(written)+n:], " ")
	if q.Currency.IsZero() {
		q.Currency = c
		return nil
	}
	both := slices.DeleteFunc(slices.Clone(q.Currency.Codes),
		func(code string) bool { return !slices.Contains(c.Codes, code) })
	if len(both) == 0 || c.Minor != q.Currency.Minor {
		return errors.New("two different currencies")
	}
	if len(c.Codes) < len(q.Currency.Codes) {
		q.Currency.Label = c.Label
	}
	q.Currency.Codes = both
	return nil
}
