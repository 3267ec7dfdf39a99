package answer

import (
	"errors"
	"math/big"
)

// readInteger reads a whole number: 5.0 is one, 5.5 is none.
func readInteger(text string) (reading, error) {
	return readNumber(text, func(r *big.Rat) error {
		if !r.IsInt() {
			return errors.New(quote(text) + " has a fraction")
		}
		return nil
	})
}

// readDecimal reads any rational number. A whole one has the key of an integer.
func readDecimal(text string) (reading, error) {
	return readNumber(text, func(*big.Rat) error { return nil })
}

func readNumber(text string, check func(*big.Rat) error) (reading, error) {
	q, err := parseQuantity(text)
	if err != nil {
		return reading{}, describe(text, err)
	}
	if q.ambiguous {
		return ambiguous(text), nil
	}
	if q.mark == bare {
		for _, v := range []value{q.low, q.high} {
			if v.rat == nil {
				continue
			}
			if err := check(v.rat); err != nil {
				return reading{}, err
			}
		}
	}
	return q.reading(), nil
}

// readPercent reads 50%, 50 percent and, as the same value, 0.5. A bare number of
// one or more is a percentage only with [Options.BarePercent]: otherwise it keeps
// the key of the plain number, which equals no percentage.
func readPercent(text string, o Options) (reading, error) {
	q, err := parseQuantity(text)
	if err != nil {
		return reading{}, describe(text, err)
	}
	if q.ambiguous {
		return ambiguous(text), nil
	}
	if q.mark != bare {
		return q.reading(), nil
	}
	if len(q.flags) > 0 {
		return reading{}, errors.New(quote(text) + " has a unit other than the percent sign")
	}
	q.flags = append(q.flags, FlagBare)
	one := big.NewRat(1, 1)
	largest := new(big.Rat).Abs(q.low.rat)
	if q.high.rat != nil && q.high.rat.Cmp(largest) > 0 {
		largest = q.high.rat
	}
	switch {
	case largest.Cmp(one) < 0:
		q.mark = percent
	case o.BarePercent:
		q.mark = percent
		for _, v := range []*value{&q.low, &q.high} {
			if v.rat != nil {
				v.rat = new(big.Rat).Quo(v.rat, big.NewRat(100, 1))
				v.decimals += 2
			}
		}
	}
	return q.reading(), nil
}

func describe(text string, err error) error {
	return errors.New(quote(text) + ": " + err.Error())
}

// reading makes the key of a number.
func (q quantity) reading() reading {
	var r reading
	switch {
	case q.relation == between:
		r = exactly(between.tag(), q.print(q.low.rat)+string(between)+q.print(q.high.rat))
	case q.relation != equal:
		r = exactly(q.relation.tag(), string(q.relation)+q.print(q.low.rat))
	case q.mark == percent:
		r = exactly(tagPercent, q.low.rat.RatString())
	case q.mark == points:
		r = exactly(tagPoints, q.low.rat.RatString())
	case q.low.rat.IsInt():
		r = exactly(tagInteger, q.low.rat.RatString())
	default:
		r = exactly(tagRational, q.low.rat.RatString())
	}
	r.num = q
	r.key.Flags = q.flags
	return r
}

// print writes a number inside a relation with its mark.
func (q quantity) print(r *big.Rat) string {
	switch q.mark {
	case percent:
		return new(big.Rat).Mul(r, big.NewRat(100, 1)).RatString() + "%"
	case points:
		return r.RatString() + " pp"
	}
	return r.RatString()
}
