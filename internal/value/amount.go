package value

import (
	"errors"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// As says what a text is read for.
type As uint8

// The ways to read a text.
const (
	Any        As = iota // whatever it says
	AsNumber             // a number or percentage: a unit, currency or noun is dropped
	AsMoney              // an amount: k, m and b are scales, pounds are money
	AsQuantity           // a quantity: m is the metre
	AsDate               // a date: 1969 is a year
)

// amount reads one number with what belongs to it, or a range of two.
type amount struct {
	as    As
	cased string // the text as written, of the same length as in lower case
	rest  string // what is left of it, in lower case
	Value
}

// written is the rest with its letters as written.
func (q *amount) written() string { return q.cased[len(q.cased)-len(q.rest):] }

// cut takes one of some signs off the front of the rest, with the space before it.
func (q *amount) cut(signs ...string) bool {
	for _, sign := range signs {
		if rest, ok := strings.CutPrefix(strings.TrimPrefix(q.rest, " "), sign); ok {
			q.rest = rest
			return true
		}
	}
	return false
}

// cutWord takes one of some words off, with the space before and behind it.
func (q *amount) cutWord(words ...string) bool {
	for _, word := range words {
		if rest, ok := text.CutWord(strings.TrimPrefix(q.rest, " "), word); ok {
			q.rest = rest
			return true
		}
	}
	return false
}

// operand reads one number: sign and currency in any order, figures or words, scale, and
// percent sign, unit or currency after it.
func (q *amount) operand() (n Number, err error) {
	negative := false
	for range 2 {
		if q.as != AsQuantity {
			if err := q.readCurrency(q.as == AsMoney); err != nil {
				return n, err
			}
		}
		negative = negative || q.cutMinus()
	}
	if n, err = q.number(); err == nil {
		err = q.readMark(&n)
	}
	if err == nil && negative {
		n.Rat, n.Plain = new(big.Rat).Neg(n.Rat), false // after the unit, for -5 ft 2 in is less than -5 ft
	}
	return n, err
}

func (q *amount) cutMinus() bool {
	for _, sign := range []string{"-", "minus ", "negative "} {
		rest, ok := strings.CutPrefix(q.rest, sign)
		if !ok || sign != "-" && (rest == "" || !text.IsDigit(rest[0])) {
			continue
		}
		q.rest = strings.TrimPrefix(rest, " ")
		// A dash with a space may be a bullet as well as a sign.
		q.Doubt = q.Doubt || len(q.rest) < len(rest)
		return true
	}
	return false
}

var errNoNumber = errors.New("no number where one is expected")

// number reads the number itself, in digits with a scale word or in words.
func (q *amount) number() (Number, error) {
	if n, m := scanFeet(q.rest); m > 0 && q.as != AsMoney {
		q.rest = q.rest[m:]
		return n, nil
	}
	n, m, doubt, err := scanSigned(q.rest)
	if err != nil {
		return n, err
	}
	q.InWords = q.InWords || m == 0
	if m == 0 {
		if n, m = scanCJK(q.rest); m == 0 {
			n, m, q.Ordinal = scanWords(q.rest)
		}
		if m == 0 {
			return n, errNoNumber
		}
		q.rest = q.rest[m:]
		return n, nil
	}
	q.rest = q.rest[m:]
	q.Doubt = q.Doubt || doubt
	if e := ordinalEnding(q.rest); e > 0 && n.Plain && (q.as == Any || q.as == AsNumber) {
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
	if !fits(n.Rat, maxDigits) {
		return n, errTooManyDigits
	}
	return n, nil
}

// feet is 5'10".
var feet = regexp.MustCompile(`^(\d{1,4})' ?(0?\d|1[01])(?:"|'')`)

// scanFeet reads 5'10" as seventy inches.
func scanFeet(s string) (Number, int) {
	parts := feet.FindStringSubmatch(s)
	if parts == nil {
		return Number{}, 0
	}
	inch := lookupUnits("inch")[0]
	inch.Name = "ft in"
	whole, _ := scanDigits(parts[1])
	rest, _ := scanDigits(parts[2])
	return Number{Rat: big.NewRat(int64(whole*12+rest), 1), Unit: &inch}, len(parts[0])
}

// cutScale reads a scale word directly after a number; it returns 0 without one. A single
// letter (5k, 2.5m, 3b) is a scale in money and next to a currency; elsewhere it might as
// well be a unit, which makes the value doubtful. In a quantity it is one.
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
	if one := numberWords()[strings.TrimSuffix(word, "s")]; one.class == "dozen" || one.class == "hundred" {
		e = one
	}
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

// readMark reads the mark after the number: a percent sign or word, a unit, a currency.
func (q *amount) readMark(n *Number) error {
	switch number := q.as == Any || q.as == AsNumber; {
	case n.Unit != nil:
		q.Kind = Quantity
	case number && q.cutWord(lists()["points"]...):
		q.Kind = Points
	case number && (q.cut("%") || q.cutWord(lists()["percent"]...)):
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

// maxParts bounds the parts of a compound quantity: 1 h 30 min 10 s.
const maxParts = 4

// units reads the unit after a number, and further parts in smaller units of the same
// dimension, which are added: 6 ft 2 in, 2 hours and 30 minutes.
func (q *amount) units(n *Number) bool {
	u, m, doubt := scanUnit(q.written())
	if m == 0 || q.InWords && strings.HasPrefix(q.rest, "-") { // thirty-second
		return false
	}
	// In a running text "in" and "at" behind a number are no units, "C" and "km" are.
	if symbol := strings.Trim(u.Name, " -"); q.as == Any && inList("prose", strings.ToLower(symbol)) && !inList("symbol", symbol) {
		return false
	}
	q.Doubt = q.Doubt || doubt
	n.Unit = &u
	q.rest = q.rest[m:]
	for range maxParts - 1 {
		whole := q.rest
		if !q.part(n) {
			q.rest = whole
			break
		}
	}
	return true
}

// part adds a further part of a compound quantity to n.
func (q *amount) part(n *Number) bool {
	_ = q.cut("and ", ", and ", ", ", "")
	part, k, doubtful, err := scanUnsigned(q.rest)
	if k == 0 {
		part, k, _ = scanWords(q.rest)
	}
	if k == 0 || err != nil || n.Rat.Sign() < 0 {
		return false
	}
	q.rest = q.rest[k:]
	small, m, doubt := scanUnit(q.written())
	if m == 0 || small.Dim != n.Unit.Dim || small.Offset != nil || n.Unit.Offset != nil {
		return false
	}
	ratio := new(big.Rat).Quo(n.Unit.Factor, small.Factor)
	if part.Rat.Cmp(ratio) >= 0 || !n.Rat.IsInt() {
		return false
	}
	q.rest = q.rest[m:]
	q.Doubt = q.Doubt || doubt || doubtful
	small.Name = n.Unit.Name + " " + small.Name
	sum := new(big.Rat).Mul(n.Rat, ratio)
	*n = Number{Rat: sum.Add(sum, part.Rat), Place: part.Place, Unit: &small}
	return true
}

// readCurrency reads a currency, if there is one, and joins it with what is known: "$5 CAD"
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
	both := slices.DeleteFunc(slices.Clone(q.Currency.Codes), func(code string) bool { return !slices.Contains(c.Codes, code) })
	if len(both) == 0 || c.Minor != q.Currency.Minor {
		return errors.New("two different currencies")
	}
	if len(c.Codes) < len(q.Currency.Codes) {
		q.Currency.Label = c.Label
	}
	q.Currency.Codes = both
	return nil
}
