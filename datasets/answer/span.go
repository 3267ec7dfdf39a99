package answer

import (
	"errors"
	"math/big"
	"strings"
)

// cutRangeSeparator reads what stands between the ends of a range. A plain dash
// may as well be a minus sign or part of a date, so it makes the answer ambiguous.
func (q *amount) cutRangeSeparator(s string, inWords bool) (string, bool) {
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

func (q *amount) readHigh(s string) (string, error) {
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
	if err := shareUnit(&q.low, &q.high); err != nil {
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
	lowMark := q.mark
	q.mark = bare
	delta, rest, err := q.operand(s)
	if err != nil {
		return rest, err
	}
	if lowMark != q.mark {
		return rest, errors.New("a tolerance of another kind than its number")
	}
	if err := shareUnit(&q.low, &delta); err != nil {
		return rest, err
	}
	width := delta.rat
	if delta.unit != nil {
		// A difference of temperatures has no zero to shift.
		width = new(big.Rat).Mul(width, new(big.Rat).Quo(delta.unit.factor, q.low.unit.factor))
	}
	q.relation = between
	q.high = value{rat: new(big.Rat).Add(q.low.rat, width), unit: q.low.unit}
	q.low = value{rat: new(big.Rat).Sub(q.low.rat, width), unit: q.low.unit}
	return rest, q.ordered()
}

func (q *amount) ordered() error {
	if !q.ambiguous && q.low.base().Cmp(q.high.base()) > 0 {
		return errors.New("a range whose end lies before its start")
	}
	return nil
}

// shareUnit gives the unit of one end of a range to the other: "5 to 7 km".
func shareUnit(a, b *value) error {
	switch {
	case a.unit == nil:
		a.unit = b.unit
	case b.unit == nil:
		b.unit = a.unit
	}
	if a.dim() != b.dim() {
		return errors.New("a range of two kinds of quantities")
	}
	return nil
}
