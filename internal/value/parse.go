package value

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// MaxBytes is the maximum length of a text that [Parse] reads.
const MaxBytes = 64 << 10

// foldForNumbers folds a text into the form in which values are read.
func foldForNumbers(s string) text.Folded {
	return text.Map(s, text.KeepCase|text.BindGroups|text.LaTeX)
}

// Parse reads a whole text as one value. The error gives the reason why the text is not a value. A
// text with several readings gives a value with Doubt, not an error.
func Parse(s string, as As) (Value, error) {
	if len(s) > MaxBytes {
		return Value{}, fmt.Errorf("%d bytes are too long for a value", len(s))
	}
	cased := foldForNumbers(s).String
	whole := text.Span{Start: 0, End: len(s)}
	if as == AsDate || as == Any {
		v, err := parseDate(lower(cased), as == AsDate)
		if err == nil || as == AsDate {
			v.Span = whole
			return v, err
		}
	}
	q := amount{as: as, cased: cased, rest: lower(cased)}
	if err := q.parse(); err != nil {
		return Value{}, err
	}
	q.Span = whole
	return q.Value, nil
}

// parseDate reads a whole text as a date, perhaps with "about" before it.
func parseDate(s string, years bool) (Value, error) {
	v := Value{Kind: Date}
	if relation, rest, ok := cutRelation(s); ok && relation == Approx {
		v.Relation, s = relation, rest
	}
	s = strings.TrimPrefix(s, "the ")
	d, n, err := scanDate(s, years)
	switch {
	case err != nil:
		return v, err
	case n == 0 || n < len(s):
		return v, errNoDate
	case years && d.NoYear:
		return v, errors.New("no year: give day, month and year")
	}
	v.Date, v.Other, v.Doubt = d.Calendar, d.other, d.other != nil
	return v, nil
}

// parse reads a whole text as a number of any kind.
func (q *amount) parse() error {
	q.rest = cutVariable(q.rest)
	for range 2 { // = about 5
		if q.Relation == Equal {
			q.Relation, q.rest, _ = cutRelation(q.rest)
		}
	}
	_ = q.cut("the")
	low, err := q.operand()
	q.Low = low
	between := q.Relation == Between
	switch {
	case err != nil:
	case q.cutTo(between):
		if q.Relation != Equal && !between {
			return errors.New("a range with a relation before it")
		}
		err = q.readSecond(false)
	case between:
		err = errors.New("a range without its second number")
	case q.Relation == Equal && q.cut("±", "+/-", "+-"):
		err = q.readSecond(true)
	}
	if err != nil {
		return err
	}
	for _, n := range []Number{q.Low, q.High} {
		if n.Rat != nil && !(fitsDigits(n.Rat, maxKeyDigits) && fitsDigits(n.Base(), maxKeyDigits)) {
			return errTooManyDigits
		}
	}
	if err := q.readEnd(); err != nil {
		return err
	}
	q.settleKind()
	return nil
}

// cutTo removes the word or sign between the ends of a range. A plain dash may be a minus sign or part of a
// date, so it makes the value ambiguous.
func (q *amount) cutTo(between bool) bool {
	if q.cut("...", "..", "to") || between && q.cut("and") {
		return true
	}
	rest, ok := strings.CutPrefix(strings.TrimPrefix(q.rest, " "), "-")
	rest = strings.TrimPrefix(rest, " ")
	if !ok || rest == "" || !text.IsDigit(rest[0]) && rest[0] != '.' {
		return false
	}
	q.rest, q.Doubt = rest, true
	return true
}

// readSecond reads the upper end of a range, or a tolerance: 5±0.1 is the range from 4.9 to 5.1. If only one of
// the two numbers has a unit, both get it. The percent sign is needed only at the upper end.
func (q *amount) readSecond(tolerance bool) error {
	kind := q.Kind
	q.Kind = None
	n, err := q.operand()
	if err != nil {
		return err
	}
	shared := kind == Quantity && q.Kind == None || kind == None && q.Kind == Quantity ||
		kind == None && !tolerance && (q.Kind == Percent || q.Kind == Points)
	if kind != q.Kind && !shared {
		return errors.New("a range of two kinds of numbers")
	}
	q.Kind = cmp.Or(q.Kind, kind)
	q.Low.Unit, n.Unit = cmp.Or(q.Low.Unit, n.Unit), cmp.Or(n.Unit, q.Low.Unit)
	if q.Low.Dim() != n.Dim() {
		return errors.New("a range of two kinds of quantities")
	}
	if q.Relation, q.High = Between, n; tolerance {
		width := n.Rat
		if n.Unit != nil { // a difference of temperatures is not shifted by the zero of the scale
			width = new(big.Rat).Mul(width, new(big.Rat).Quo(n.Unit.Factor, q.Low.Unit.Factor))
		}
		q.High = Number{Rat: new(big.Rat).Add(q.Low.Rat, width), Unit: q.Low.Unit}
		q.Low = Number{Rat: new(big.Rat).Sub(q.Low.Rat, width), Unit: q.Low.Unit}
	}
	if !q.Doubt && q.Low.Base().Cmp(q.High.Base()) > 0 {
		return errors.New("a range whose end is before its beginning")
	}
	return nil
}

// settleKind sets the kind of the value if no mark or unit has set it.
func (q *amount) settleKind() {
	switch {
	case q.Kind != None:
	case q.as != AsNumber && !q.Currency.IsZero():
		q.Kind = Money
	default:
		q.Kind = Count
	}
	if q.as == AsNumber && !q.Currency.IsZero() {
		q.Currency = Currency{}
		q.Dropped |= DroppedCurrency
	}
}

// variable matches the "x =" of a solved equation, and the first character after it.
var variable = lazy.Compile(`^[\pL\pM_][\pL\pM\p{Nd}_]{0,40} ?=( ?[^=<> ])`)

func cutVariable(s string) string {
	if at := variable.FindStringSubmatchIndex(s); at != nil {
		return strings.TrimPrefix(s[at[2]:], " ")
	}
	return s
}

// readEnd reads the text after the number: a relation, or a counted noun.
func (q *amount) readEnd() error {
	s := strings.TrimPrefix(q.rest, " ")
	relation, behind := relations()["behind"].Find(s)
	switch {
	case q.rest == "":
		return nil
	case behind == len(s) && q.Relation != Equal:
		return errors.New("two relations around one number")
	case behind == len(s):
		q.Relation = relation
		return nil
	case inList("total", s), inList("measure", s) && q.as != AsMoney && q.Low.Unit != nil:
	case q.as != AsNumber:
		return notUnit(q.rest)
	default:
		noun := q.rest
		if err := q.readCurrency(true); err == nil && q.rest == "" {
			return nil
		}
		if err := q.readNoun(noun); err != nil {
			return err
		}
	}
	q.Dropped |= DroppedUnit
	return nil
}

func notUnit(s string) error { return fmt.Errorf("%s after the number is not a unit", text.Quote(s)) }

// maxNounWords is the maximum number of words of a counted noun phrase.
const maxNounWords = 6

// readNoun checks the text after a number. The text must be a unit or a noun phrase, so that it does not change
// the number. A letter or sign directly after the number, or a single letter after a space, is a variable
// unless it is a known unit (docs/method.md §2.2).
func (q *amount) readNoun(s string) error {
	_, unit, _ := scanUnit(q.cased[len(q.cased)-len(s):])
	if q.Ordinal || q.InWords && unit < len(s) {
		return fmt.Errorf("%s follows a number in words", text.Quote(s)) // Seven Samurai
	}
	// The decade 1960s is not the year 1960, nor 1960 seconds.
	if s == "s" && q.Low.Plain && q.Low.Rat.IsInt() && len(q.Low.Rat.Num().String()) == 4 {
		q.Doubt = true
	}
	r, size := utf8.DecodeRuneInString(s)
	switch gloss, _ := strings.CutPrefix(s, " ("); {
	case len(gloss) < len(s) && strings.HasSuffix(gloss, ")") && q.sameGloss(strings.TrimSuffix(gloss, ")")):
		return nil // 42 (forty-two)
	case unit > 0:
		s = s[unit:]
	case text.IsUnspaced(r) && !text.StartsWord(s[size:]):
		return nil // 42个
	case text.IsUnspaced(r), r != ' ' && r != '-' && r != '[' && q.Kind == None:
		return notUnit(s)
	}
	s = strings.TrimLeft(s, " -")
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		return nil // a citation
	}
	words := strings.Fields(s)
	if len(words) > maxNounWords {
		return errors.New("a sentence follows the number")
	}
	for i, word := range words {
		if !isNoun(strings.Trim(word, "()"), i == 0) {
			return notUnit(word)
		}
	}
	return nil
}

// sameGloss reports whether the text in brackets after a number repeats the number.
func (q *amount) sameGloss(s string) bool {
	v, err := Parse(s, AsNumber)
	return err == nil && q.High.Rat == nil && v.Relation == Equal && v.Low.Rat.Cmp(q.Low.Rat) == 0
}

// isNoun reports whether a word after a number can name the counted things. A single letter cannot, and a scale
// word, such as million, cannot unless it is directly after its number.
func isNoun(word string, first bool) bool {
	if _, n, _ := scanUnit(word); n > 0 && n == len(word) {
		return true
	}
	scale := slices.Contains([]string{"scale", "after", "hundred", "dozen"},
		numberWords()[strings.TrimSuffix(word, "s")].class)
	_, relation := relations()["before"].Find(word)
	if scale || strings.Contains(word, "π") || relation == len(word) || inList("changer", word) ||
		first && utf8.RuneCountInString(word) == 1 {
		return false
	}
	return named.MatchString(word)
}

// named matches a word of letters and of the signs in units and currencies.
var named = lazy.Compile(`^[\pL\pM\p{Sc}°/^·⋅\-'.]*$`)
