package answer

import (
	"errors"
	"strings"
)

// mark is the sign after a number that makes it another kind of number.
type mark int

const (
	bare    mark = iota
	percent      // %, and ‰ as a tenth of it
	points       // percentage points
)

// syntax says what may stand around the numbers of an amount.
type syntax int

const (
	plain   syntax = iota // a unit or currency is dropped, a percent sign counts
	money                 // a currency counts
	measure               // a unit counts
)

// amount is a number with its relation and what else was written around it.
type amount struct {
	syntax    syntax
	cased     string // the text before its letters were lowered, for units and codes
	relation  relation
	low, high value // high only for a range
	mark      mark
	currency  currency // of money
	flags     []string
	ambiguous bool
	inWords   bool
}

// parseAmount reads the whole of a cleaned text as a number. The error says
// what stands in the way.
func parseAmount(text string) (amount, error) {
	return parseAs(text, plain)
}

func parseAs(text string, around syntax) (amount, error) {
	q := amount{syntax: around, cased: text}
	rest := cutVariable(lowerASCII(text))
	q.relation, rest = cutRelation(rest)
	if q.relation == equal {
		q.relation, rest = cutRelation(rest) // "= about 5"
	}
	wantRange := q.relation == between
	low, rest, err := q.operand(rest)
	if err != nil {
		return q, err
	}
	q.low = low
	if tail, isRange := q.cutRangeSeparator(rest, wantRange); isRange {
		if q.relation != equal && !wantRange {
			return q, errors.New("a relation in front of a range")
		}
		rest, err = q.readHigh(tail)
	} else if tail, ok := cutTolerance(rest); ok && q.relation == equal {
		rest, err = q.readTolerance(tail)
	} else if wantRange {
		err = errors.New("a range without its second number")
	}
	if err != nil {
		return q, err
	}
	for _, v := range []value{q.low, q.high} {
		if v.rat != nil && !(fits(v.rat, maxKeyDigits) && fits(v.base(), maxKeyDigits)) {
			return q, errTooManyDigits()
		}
	}
	return q, q.readTail(rest)
}

// original returns the end of the text that s is, with its letters as written.
func (q *amount) original(s string) string {
	return q.cased[len(q.cased)-len(s):]
}

// lowerASCII lowers letters without changing the length.
func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// cutVariable drops the "x =" of a solved equation.
func cutVariable(s string) string {
	word, rest := firstWord(s)
	rest = strings.TrimPrefix(rest, " ")
	if len(word) == 0 || len(word) > 2 || isDigit(word[0]) || !strings.HasPrefix(rest, "=") {
		return s
	}
	return strings.TrimPrefix(rest[1:], " ")
}

// readTail accepts a trailing relation or a unit.
func (q *amount) readTail(s string) error {
	if s == "" {
		return nil
	}
	if r, ok := cutTrailingRelation(s); ok {
		if q.relation != equal {
			return errors.New("two relations around one number")
		}
		q.relation = r
		return nil
	}
	switch {
	case q.syntax != plain:
		return q.readNoun(s)
	case q.inWords:
		q.flags = append(q.flags, FlagUnit)
		return namesUnit(s)
	}
	if err := readUnit(s); err != nil {
		return err
	}
	// The decade 1960s is not the year 1960, nor 1960 seconds.
	if s == "s" && q.low.plain && q.low.rat.IsInt() && len(q.low.rat.Num().String()) == 4 {
		q.ambiguous = true
	}
	q.flags = append(q.flags, FlagUnit)
	return nil
}

// readNoun accepts the few words after a unit that say what was measured.
func (q *amount) readNoun(s string) error {
	switch strings.TrimPrefix(s, " ") {
	case "in total", "in all", "total", "altogether":
	case "long", "tall", "high", "wide", "deep", "thick", "away", "apart", "old", "above sea level", "in length",
		"in height", "in width", "in depth", "in diameter", "in area":
		if q.syntax == money || q.low.unit == nil {
			return errors.New(quote(s) + " follows no unit")
		}
	default:
		if q.syntax == money {
			return errors.New(quote(s) + " after the number is no currency")
		}
		return errors.New(quote(s) + " after the number is no known unit")
	}
	q.flags = append(q.flags, FlagUnit)
	return nil
}

// namesUnit demands that a whole text is a known unit or currency: after a number
// in words anything else may make it part of a name.
func namesUnit(s string) error {
	// A hyphen would make an ordinal: thirty-second.
	trimmed := strings.TrimPrefix(s, " ")
	if _, n, _ := scanUnit(s); n == len(s) && !strings.HasPrefix(trimmed, "-") {
		return nil
	}
	if _, n := scanCurrency(trimmed); n == len(trimmed) {
		return nil
	}
	return errors.New(quote(s) + " after a number in words is no known unit; write digits")
}
