package value

import (
	"errors"
	"math/big"
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

// amount reads one number with what belongs to it, or a range of two. All texts that its
// methods take and return are ends of one text in lower case, so that the same bytes of
// the text as written are found by their distance from the end.
type amount struct {
	as    As
	cased string
	Value
}

// original returns the end of the text that s is, with its letters as written.
func (q *amount) original(s string) string { return q.cased[len(q.cased)-len(s):] }

// operand reads one number: sign, currency, figures or words, scale, and percent sign,
// unit or currency after it.
func (q *amount) operand(s string) (Number, string, error) {
	negative, s, err := q.head(s)
	if err != nil {
		return Number{}, s, err
	}
	n, rest, err := q.number(s)
	if err != nil {
		return n, rest, err
	}
	if rest, err = q.tail(&n, rest); err != nil {
		return n, rest, err
	}
	if negative {
		n.Rat, n.Plain = new(big.Rat).Neg(n.Rat), false // after the unit, for -5 ft 2 in is less than -5 ft
	}
	return n, rest, nil
}

// head reads what stands before the digits: a sign and a currency in any order.
func (q *amount) head(s string) (negative bool, rest string, err error) {
	for range 2 {
		if q.as != AsQuantity {
			if s, err = q.readCurrency(s, q.as == AsMoney); err != nil {
				return false, s, err
			}
		}
		if rest, ok := cutMinus(s); ok && !negative {
			negative = true
			// A dash with a space may be a bullet as well as a sign.
			if strings.HasPrefix(rest, " ") {
				q.Doubt = true
			}
			s = strings.TrimPrefix(rest, " ")
		}
	}
	return negative, s, nil
}

func cutMinus(s string) (string, bool) {
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		return rest, true
	}
	for _, word := range []string{"minus ", "negative "} {
		if rest, ok := strings.CutPrefix(s, word); ok && rest != "" && text.IsDigit(rest[0]) {
			return rest, true
		}
	}
	return s, false
}

// number reads the number itself, in digits with a scale word or in words.
func (q *amount) number(s string) (Number, string, error) {
	if n, m := scanFeet(s); m > 0 && q.as != AsMoney {
		return n, s[m:], nil
	}
	n, m, doubt, err := scanSigned(s)
	if err != nil {
		return n, s, err
	}
	if m == 0 {
		return q.words(s)
	}
	q.Doubt = q.Doubt || doubt
	rest := s[m:]
	if q.as == Any || q.as == AsNumber {
		if e := ordinalEnding(rest); e > 0 && n.Plain {
			q.Ordinal = true
			return n, rest[e:], nil
		}
	}
	factor, rest, doubt := cutScale(rest, q.as, !q.Currency.IsZero())
	if factor == nil {
		return n, s[m:], nil
	}
	place := len(factor.Num().String()) - 1
	n.times(factor)
	n.Place += place
	q.Doubt = q.Doubt || doubt
	if !fits(n.Rat, maxDigits) {
		return n, rest, errTooManyDigits
	}
	return n, rest, nil
}

var errNoNumber = errors.New("no number where one is expected")

// words reads a number in words, the longer of a cardinal and an ordinal.
func (q *amount) words(s string) (Number, string, error) {
	if n, m := scanCJK(s); m > 0 {
		q.InWords = true
		return n, s[m:], nil
	}
	if r, _ := utf8.DecodeRuneInString(s); text.IsUnspaced(r) {
		return Number{}, s, errNoNumber
	}
	n, m, ordinal := scanWords(s)
	if m == 0 {
		return n, s, errNoNumber
	}
	q.Ordinal = ordinal
	q.InWords = true
	return n, s[m:], nil
}

// scanFeet reads 5'10" as seventy inches.
func scanFeet(s string) (Number, int) {
	feet, n := scanDigits(s)
	rest, ok := strings.CutPrefix(s[n:], "'")
	rest = strings.TrimPrefix(rest, " ")
	inches, m := scanDigits(rest)
	if n == 0 || n > 4 || !ok || m == 0 || inches >= 12 {
		return Number{}, 0
	}
	for _, mark := range []string{`"`, "''"} {
		if end, ok := strings.CutPrefix(rest[m:], mark); ok {
			inch := lookupUnits("inch")[0]
			inch.Name = "ft in"
			return Number{Rat: big.NewRat(int64(feet*12+inches), 1), Unit: &inch}, len(s) - len(end)
		}
	}
	return Number{}, 0
}

// tail reads what stands after the digits.
func (q *amount) tail(n *Number, s string) (string, error) {
	if n.Unit != nil {
		q.Kind = Quantity
		return s, nil
	}
	if q.as == Any || q.as == AsNumber {
		if rest := q.mark(n, s); len(rest) < len(s) {
			return rest, nil
		}
	}
	if q.as == Any && q.Currency.IsZero() || q.as == AsQuantity {
		if rest := q.units(n, s); len(rest) < len(s) {
			q.Kind = Quantity
			return rest, nil
		}
	}
	if q.as == Any && !q.Ordinal || q.as == AsMoney {
		return q.readCurrency(s, true)
	}
	return s, nil
}

// mark reads a percent sign or word.
func (q *amount) mark(n *Number, s string) string {
	rest := strings.TrimPrefix(s, " ")
	for _, w := range lists()["points"] {
		if after, ok := text.CutWord(rest, w); ok {
			q.Kind = Points
			return after
		}
	}
	for _, w := range lists()["percent"] {
		if after, ok := text.CutWord(strings.TrimPrefix(rest, "-"), w); ok {
			q.Kind = Percent
			return after
		}
	}
	if after, ok := strings.CutPrefix(rest, "%"); ok {
		q.Kind = Percent
		return after
	}
	if after, ok := strings.CutPrefix(rest, "‰"); ok {
		q.Kind = Percent
		n.Rat = new(big.Rat).Quo(n.Rat, big.NewRat(10, 1))
		n.Place--
		return after
	}
	return s
}

// maxParts bounds the parts of a compound quantity: 1 h 30 min 10 s.
const maxParts = 4

// units reads the unit after a number, and further parts in smaller units of the same
// dimension, which are added: 6 ft 2 in, 2 hours and 30 minutes.
func (q *amount) units(n *Number, s string) string {
	u, m, doubt := scanUnit(q.original(s))
	if m == 0 || q.InWords && strings.HasPrefix(s, "-") || q.as == Any && !q.means(s, m) { // thirty-second
		return s
	}
	q.Doubt = q.Doubt || doubt
	n.Unit = &u
	s = s[m:]
	for range maxParts - 1 {
		next := cutJoint(s)
		part, k, doubtful, err := scanUnsigned(next)
		if k == 0 || err != nil || n.Rat.Sign() < 0 {
			break
		}
		small, m, doubt := scanUnit(q.original(next[k:]))
		if m == 0 || small.Dim != n.Unit.Dim || small.Offset != nil || n.Unit.Offset != nil {
			break
		}
		ratio := new(big.Rat).Quo(n.Unit.Factor, small.Factor)
		if part.Rat.Cmp(ratio) >= 0 || !n.Rat.IsInt() {
			break
		}
		q.Doubt = q.Doubt || doubt || doubtful
		small.Name = n.Unit.Name + " " + small.Name
		sum := new(big.Rat).Mul(n.Rat, ratio)
		*n = Number{Rat: sum.Add(sum, part.Rat), Place: part.Place, Unit: &small}
		s = next[k+m:]
	}
	return s
}

// means reports whether what stands behind a number in a running text is a unit rather
// than a word: "in" and "at" are not, "C" and "km" are.
func (q *amount) means(s string, m int) bool {
	unit := strings.Trim(q.original(s)[:m], " -")
	return !inList("prose", strings.ToLower(unit)) || inList("symbol", unit)
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

// readCurrency reads a currency at the start of s, if there is one, and joins it with what
// is known: "$5 CAD" is in Canadian dollars, "€5 USD" is an error.
func (q *amount) readCurrency(s string, names bool) (string, error) {
	rest := strings.TrimPrefix(q.original(s), " ")
	c, n := scanCurrency(rest, names)
	if n == 0 {
		return s, nil
	}
	s = s[len(s)-len(strings.TrimPrefix(rest[n:], " ")):]
	if q.Currency.IsZero() {
		q.Currency = c
		return s, nil
	}
	var both []string
	for _, code := range q.Currency.Codes {
		if slices.Contains(c.Codes, code) {
			both = append(both, code)
		}
	}
	if len(both) == 0 || c.Minor != q.Currency.Minor {
		return s, errors.New("two different currencies")
	}
	if len(c.Codes) < len(q.Currency.Codes) {
		q.Currency.Label = c.Label
	}
	q.Currency.Codes = both
	return s, nil
}

// cutScale reads a scale word directly after a number and returns its factor. A single
// letter (5k, 2.5m, 3b) is a scale in money and next to a currency; elsewhere it might as
// well be a unit, and then doubt is true. In a quantity it is one.
func cutScale(s string, as As, money bool) (factor *big.Rat, rest string, doubt bool) {
	money = money || as == AsMoney
	var total *big.Rat
	rest = s
	for range 2 { // 5 hundred thousand
		factor, after, unsure := cutOneScale(rest, as, money)
		if factor == nil {
			break
		}
		if total == nil {
			total = factor
		} else {
			total = new(big.Rat).Mul(total, factor)
		}
		rest, doubt = after, doubt || unsure
	}
	return total, rest, doubt
}

func cutOneScale(s string, as As, money bool) (factor *big.Rat, rest string, doubt bool) {
	inner := strings.TrimPrefix(s, " ")
	if strings.HasPrefix(s, "-") { // a 5-million tower
		inner = s[1:]
	}
	r, size := utf8.DecodeRuneInString(inner)
	if text.IsUnspaced(r) {
		w := numberWords()[inner[:size]]
		if _, unit, _ := scanUnit(inner); unit > 0 || w.class != "place" && w.class != "myriad" {
			return nil, s, false // 千米 is a kilometre
		}
		return big.NewRat(w.value, 1), inner[size:], false
	}
	word, rest := text.FirstWord(inner)
	w := numberWords()[word]
	switch w.class {
	case "dozen", "hundred", "scale", "after":
		return big.NewRat(w.value, 1), rest, false
	case "letter":
	default:
		if w, ok := numberWords()[strings.TrimSuffix(word, "s")]; ok && (w.class == "dozen" || w.class == "hundred") {
			return big.NewRat(w.value, 1), rest, false
		}
		return nil, s, false
	}
	spaced := inner != s
	if as == AsQuantity || spaced && !money {
		return nil, s, false // 5 m are metres
	}
	return big.NewRat(w.value, 1), rest, !money
}
