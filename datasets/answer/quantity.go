package answer

import (
	"errors"
	"math/big"
	"strings"
)

// mark is the sign after a number that makes it another kind of number.
type mark int

const (
	bare    mark = iota
	percent      // %, and ‰ as a tenth of it
	points       // percentage points
)

// quantity is a number with its relation and what else was written around it.
type quantity struct {
	relation  relation
	low, high value // high only for a range
	mark      mark
	flags     []string
	ambiguous bool
}

// parseQuantity reads the whole of a cleaned text as a number. The error says
// what stands in the way.
func parseQuantity(text string) (quantity, error) {
	var q quantity
	var rest string
	q.relation, rest = cutRelation(cutVariable(text))
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
		if err != nil {
			return q, err
		}
	} else if tail, ok := cutTolerance(rest); ok && q.relation == equal {
		rest, err = q.readTolerance(tail)
		if err != nil {
			return q, err
		}
	} else if wantRange {
		return q, errors.New("a range without its second number")
	}
	if !fits(q.low.rat, maxKeyDigits) || q.high.rat != nil && !fits(q.high.rat, maxKeyDigits) {
		return q, errTooManyDigits()
	}
	return q, q.readTail(rest)
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

// operand reads sign, currency, number, scale word and percent sign.
func (q *quantity) operand(s string) (value, string, error) {
	negative := false
	currency := false
	for range 2 {
		if rest, ok := cutCurrency(s); ok && !currency {
			s, currency = rest, true
		}
		if rest, ok := strings.CutPrefix(s, "-"); ok && !negative {
			negative = true
			// A dash with a space may be a bullet as well as a sign.
			if strings.HasPrefix(rest, " ") {
				q.ambiguous = true
			}
			s = strings.TrimPrefix(rest, " ")
		}
	}
	v, n, err := scanSigned(s)
	if err != nil {
		return v, s, err
	}
	if n == 0 {
		return v, s, errors.New("no number in digits where one is expected")
	}
	if negative {
		v.rat.Neg(v.rat)
	}
	q.ambiguous = q.ambiguous || v.ambiguous
	rest := s[n:]
	if factor, after, doubt := cutScale(rest, currency); factor != nil {
		v.rat.Mul(v.rat, factor)
		v.decimals = max(0, v.decimals-(len(factor.Num().String())-1))
		q.ambiguous = q.ambiguous || doubt
		rest = after
		if !fits(v.rat, maxDigits) {
			return v, rest, errTooManyDigits()
		}
	}
	if currency {
		q.flags = append(q.flags, FlagCurrency)
	}
	rest = q.readMark(&v, rest)
	return v, rest, nil
}

// readMark reads a percent sign or word and turns the number into its value.
func (q *quantity) readMark(v *value, s string) string {
	rest := strings.TrimPrefix(strings.TrimPrefix(s, " "), `\`)
	divisor := int64(100)
	kind := percent
	found := false
	for _, w := range []string{"percentage points", "percentage point", "percent points", "%-points", "% points", "pp", "p.p."} {
		if after, ok := cutWord(rest, w); ok {
			q.mark = points
			return after
		}
	}
	for _, w := range []string{"percent", "per cent", "pct"} {
		if after, ok := cutWord(rest, w); ok {
			rest, found = after, true
			break
		}
	}
	if after, ok := strings.CutPrefix(rest, "%"); ok && !found {
		rest, found = after, true
	} else if after, ok := strings.CutPrefix(rest, "‰"); ok && !found {
		rest, found, divisor = after, true, 1000
	}
	if !found {
		return s
	}
	q.mark = kind
	v.rat.Quo(v.rat, big.NewRat(divisor, 1))
	v.decimals += len(big.NewInt(divisor).String()) - 1
	return rest
}

// cutRangeSeparator reads what stands between the ends of a range. A plain dash
// may as well be a minus sign or part of a date, so it makes the answer ambiguous.
func (q *quantity) cutRangeSeparator(s string, inWords bool) (string, bool) {
	s = strings.TrimPrefix(s, " ")
	if rest, ok := strings.CutPrefix(s, ".."); ok {
		return strings.TrimPrefix(strings.TrimPrefix(rest, "."), " "), true
	}
	if rest, ok := cutWord(s, "to"); ok {
		return rest, true
	}
	if rest, ok := cutWord(s, "and"); ok && inWords {
		return rest, true
	}
	rest, ok := strings.CutPrefix(s, "-")
	rest = strings.TrimPrefix(rest, " ")
	if ok && rest != "" && (isDigit(rest[0]) || rest[0] == '.') {
		q.ambiguous = true
		return rest, true
	}
	return s, false
}

func (q *quantity) readHigh(s string) (string, error) {
	lowMark := q.mark
	q.mark = bare
	high, rest, err := q.operand(s)
	if err != nil {
		return rest, err
	}
	if lowMark == bare && q.mark == percent {
		// "5 to 7%" gives the sign once.
		q.low.rat.Quo(q.low.rat, big.NewRat(100, 1))
	} else if lowMark == bare && q.mark == points {
		// The same, and the value of a point is its number.
	} else if lowMark != q.mark {
		return rest, errors.New("a range of two kinds of numbers")
	}
	q.relation, q.high = between, high
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
func (q *quantity) readTolerance(s string) (string, error) {
	lowMark := q.mark
	q.mark = bare
	delta, rest, err := q.operand(s)
	if err != nil {
		return rest, err
	}
	if lowMark != q.mark {
		return rest, errors.New("a tolerance of another kind than its number")
	}
	q.relation = between
	q.high = value{rat: new(big.Rat).Add(q.low.rat, delta.rat)}
	q.low = value{rat: new(big.Rat).Sub(q.low.rat, delta.rat)}
	return rest, q.ordered()
}

func (q *quantity) ordered() error {
	if !q.ambiguous && q.low.rat.Cmp(q.high.rat) > 0 {
		return errors.New("a range whose end lies before its start")
	}
	return nil
}

// readTail accepts a trailing relation or a unit.
func (q *quantity) readTail(s string) error {
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
