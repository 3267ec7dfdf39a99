package value

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// MaxBytes is the length above which [Parse] refuses a text.
const MaxBytes = 64 << 10

// foldForNumbers is the form in which values are read.
func foldForNumbers(s string) text.Folded {
	return text.Map(s, text.KeepCase|text.BindGroups|text.LaTeX)
}

// Parse reads the whole of a text as one value. The error says what stands in the way. A
// text with several readings is a value with Doubt, not an error.
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
	q := amount{as: as, cased: cased}
	err := q.parse(lower(cased))
	if err != nil {
		return Value{}, err
	}
	q.Span = whole
	return q.Value, nil
}

// parseDate reads the whole of a text as a date, perhaps with "about" before it.
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

// parse reads a whole text as a number of some kind.
func (q *amount) parse(s string) error {
	rest := cutVariable(s)
	relation, rest, _ := cutRelation(rest)
	if relation == Equal {
		relation, rest, _ = cutRelation(rest) // "= about 5"
	}
	q.Relation = relation
	if strings.HasPrefix(rest, "the ") {
		if _, _, ordinal := scanWords(rest[4:]); ordinal {
			rest = rest[4:]
		}
	}
	wantRange := q.Relation == Between
	low, rest, err := q.operand(rest)
	if err != nil {
		return err
	}
	q.Low = low
	if tail, isRange := q.cutRangeSeparator(rest, wantRange); isRange {
		if q.Relation != Equal && !wantRange {
			return errors.New("a relation in front of a range")
		}
		rest, err = q.readHigh(tail)
	} else if tail, ok := cutTolerance(rest); ok && q.Relation == Equal {
		rest, err = q.readTolerance(tail)
	} else if wantRange {
		err = errors.New("a range without its second number")
	}
	if err != nil {
		return err
	}
	for _, n := range []Number{q.Low, q.High} {
		if n.Rat != nil && !(fits(n.Rat, maxKeyDigits) && fits(n.Base(), maxKeyDigits)) {
			return errTooManyDigits
		}
	}
	if err := q.readTail(rest); err != nil {
		return err
	}
	q.settleKind()
	return nil
}

// settleKind names what was read, where no mark or unit has.
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

// cutVariable drops the "x =" of a solved equation.
func cutVariable(s string) string {
	const longest = 40
	name, rest, ok := strings.Cut(s[:min(len(s), longest)], "=")
	name = strings.TrimSuffix(name, " ")
	if !ok || name == "" || text.IsDigit(name[0]) || strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, "<") || strings.HasPrefix(rest, ">") {
		return s
	}
	for _, r := range name {
		if !text.IsWord(r) && r != '_' {
			return s
		}
	}
	return strings.TrimPrefix(s[strings.IndexByte(s, '=')+1:], " ")
}

// readTail accepts what may follow the number: a relation, or what was counted.
func (q *amount) readTail(s string) error {
	if s == "" {
		return nil
	}
	for _, p := range relations()["behind"] {
		if strings.TrimPrefix(s, " ") != p.text {
			continue
		}
		if q.Relation != Equal {
			return errors.New("two relations around one number")
		}
		q.Relation = p.relation
		return nil
	}
	if q.as != AsNumber {
		return q.readMeasureNoun(s)
	}
	if rest, err := q.readCurrency(s, true); err == nil && rest == "" {
		return nil
	}
	if q.Ordinal || q.InWords && !isUnit(q.original(s)) {
		return fmt.Errorf("%s follows a number in words", quote(s)) // Seven Samurai
	}
	// The decade 1960s is not the year 1960, nor 1960 seconds.
	if s == "s" && q.Low.Plain && q.Low.Rat.IsInt() && len(q.Low.Rat.Num().String()) == 4 {
		q.Doubt = true
	}
	if strings.HasPrefix(s, " (") && strings.HasSuffix(s, ")") && q.sameGloss(s[2:len(s)-1]) {
		q.Dropped |= DroppedUnit
		return nil
	}
	if err := q.readNoun(s); err != nil {
		return err
	}
	q.Dropped |= DroppedUnit
	return nil
}

// sameGloss reports whether what stands in brackets behind a number says it again: 42
// (forty-two).
func (q *amount) sameGloss(s string) bool {
	v, err := Parse(s, AsNumber)
	return err == nil && q.High.Rat == nil && v.Relation == Equal && v.Low.Rat.Cmp(q.Low.Rat) == 0
}

// maxNounWords is the longest noun phrase that is still taken for what was counted.
const maxNounWords = 6

// readNoun checks that what follows a number is a unit or a noun phrase, and nothing that
// could change the number: a letter or sign directly behind it, or a single letter after a
// space, is a variable, unless it is a known unit (methods.md §2.2).
func (q *amount) readNoun(s string) error {
	if _, n, _ := scanUnit(q.original(s)); n > 0 {
		s = s[n:]
		if s == "" {
			return nil
		}
	} else if r, size := utf8.DecodeRuneInString(s); text.IsUnspaced(r) {
		return nounError(s, s[size:] != "" && text.StartsWord(s[size:])) // 42个
	} else if r != ' ' && r != '-' && r != '[' && q.Kind == None {
		return nounError(s, true)
	}
	s = strings.TrimLeft(s, " -")
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		return nil // a citation
	}
	if inner, ok := strings.CutPrefix(s, "("); ok && strings.HasSuffix(inner, ")") {
		s = strings.TrimSuffix(inner, ")")
	}
	words := strings.Fields(s)
	if len(words) > maxNounWords {
		return errors.New("a sentence follows the number")
	}
	for i, word := range words {
		if err := checkNounWord(strings.Trim(word, "()"), i == 0); err != nil {
			return err
		}
	}
	return nil
}

// isUnit reports whether all of s is a unit.
func isUnit(s string) bool {
	_, n, _ := scanUnit(s)
	return n > 0 && n == len(s)
}

func nounError(word string, not bool) error {
	if not {
		return fmt.Errorf("%s after the number is not a unit", quote(word))
	}
	return nil
}

func checkNounWord(word string, first bool) error {
	if isUnit(word) {
		return nil
	}
	if inList("changer", word) || slices.ContainsFunc(relations()["word"], func(p phrase) bool { return p.text == word }) {
		return nounError(word, true)
	}
	if w := numberWords()[strings.TrimSuffix(word, "s")].class; w == "scale" || w == "after" || w == "hundred" || w == "dozen" {
		return fmt.Errorf("the scale word %s stands apart from its number", quote(word))
	}
	if first && utf8.RuneCountInString(word) == 1 {
		return nounError(word, true)
	}
	for _, r := range word {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !isCurrencySign(r) && !strings.ContainsRune("°/^·⋅-'.µ", r) || r == 'π' || r == '√' {
			return nounError(word, true)
		}
	}
	return nil
}

// readMeasureNoun accepts the few words after a unit or an amount that change nothing.
func (q *amount) readMeasureNoun(s string) error {
	noun := strings.TrimPrefix(s, " ")
	switch {
	case inList("total", noun):
	case inList("measure", noun):
		if q.as == AsMoney || q.Low.Unit == nil {
			return fmt.Errorf("%s follows no unit", quote(s))
		}
	case q.as == AsMoney:
		return fmt.Errorf("%s after the number is no currency", quote(s))
	default:
		return fmt.Errorf("%s after the number is no unit", quote(s))
	}
	q.Dropped |= DroppedUnit
	return nil
}

// cutRangeSeparator reads what stands between the ends of a range. A plain dash may as well
// be a minus sign or part of a date, so it makes the answer doubtful.
func (q *amount) cutRangeSeparator(s string, inWords bool) (string, bool) {
	s = strings.TrimPrefix(s, " ")
	if rest, ok := strings.CutPrefix(s, ".."); ok {
		return strings.TrimPrefix(strings.TrimPrefix(rest, "."), " "), true
	}
	if rest, ok := text.CutWord(s, "to"); ok {
		return rest, true
	}
	if rest, ok := text.CutWord(s, "and"); ok && inWords {
		return rest, true
	}
	rest, ok := strings.CutPrefix(s, "-")
	rest = strings.TrimPrefix(rest, " ")
	if ok && rest != "" && (text.IsDigit(rest[0]) || rest[0] == '.') {
		q.Doubt = true
		return rest, true
	}
	return s, false
}

// readHigh reads the upper end of a range.
func (q *amount) readHigh(s string) (string, error) {
	lowKind := q.Kind
	q.Kind = None
	high, rest, err := q.operand(s)
	if err != nil {
		return rest, err
	}
	shared := lowKind == None && (q.Kind == Percent || q.Kind == Points || q.Kind == Quantity) // "5 to 7%" gives the sign once
	if lowKind != q.Kind && !shared && !(lowKind == Quantity && q.Kind == None) {
		return rest, errors.New("a range of two kinds of numbers")
	}
	if q.Kind == None {
		q.Kind = lowKind
	}
	q.Relation, q.High = Between, high
	if err := shareUnit(&q.Low, &q.High); err != nil {
		return rest, err
	}
	return rest, q.ordered()
}

func cutTolerance(s string) (string, bool) {
	s = strings.TrimPrefix(s, " ")
	for _, sign := range []string{"±", "+/-", "+-"} {
		if rest, ok := strings.CutPrefix(s, sign); ok {
			return strings.TrimPrefix(rest, " "), true
		}
	}
	return s, false
}

// readTolerance turns 5±0.1 into the range from 4.9 to 5.1.
func (q *amount) readTolerance(s string) (string, error) {
	lowKind := q.Kind
	q.Kind = None
	delta, rest, err := q.operand(s)
	if err != nil {
		return rest, err
	}
	if lowKind != q.Kind && !(lowKind == None && q.Kind == Quantity) && !(lowKind == Quantity && q.Kind == None) {
		return rest, errors.New("a tolerance of another kind than its number")
	}
	if q.Kind == None {
		q.Kind = lowKind
	}
	if err := shareUnit(&q.Low, &delta); err != nil {
		return rest, err
	}
	width := delta.Rat
	if delta.Unit != nil {
		// A difference of temperatures has no zero to shift.
		width = new(big.Rat).Mul(width, new(big.Rat).Quo(delta.Unit.Factor, q.Low.Unit.Factor))
	}
	q.Relation = Between
	q.High = Number{Rat: new(big.Rat).Add(q.Low.Rat, width), Unit: q.Low.Unit}
	q.Low = Number{Rat: new(big.Rat).Sub(q.Low.Rat, width), Unit: q.Low.Unit}
	return rest, q.ordered()
}

func (q *amount) ordered() error {
	if !q.Doubt && q.Low.Base().Cmp(q.High.Base()) > 0 {
		return errors.New("a range whose end lies before its start")
	}
	return nil
}

// shareUnit gives the unit of one end of a range to the other: "5 to 7 km".
func shareUnit(a, b *Number) error {
	switch {
	case a.Unit == nil:
		a.Unit = b.Unit
	case b.Unit == nil:
		b.Unit = a.Unit
	}
	if a.Dim() != b.Dim() {
		return errors.New("a range of two kinds of quantities")
	}
	return nil
}

// quote shows a text in an error, cut to a readable length.
func quote(s string) string {
	const limit = 80
	if len(s) <= limit {
		return fmt.Sprintf("%q", s)
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return fmt.Sprintf("%q…", s[:cut])
}
