package answer

import (
	"errors"
	"math/big"
	"slices"
)

// readInteger reads a whole number: 5.0 is one, 5.5 is none. Of the types only this
// one takes ordinals, and only in words.
func readInteger(text string) (reading, error) {
	if q, ok := readOrdinal(text); ok {
		return q.reading(), nil
	}
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
	q, err := parseAmount(text)
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
	q, err := parseAmount(text)
	if err != nil {
		return reading{}, describe(text, err)
	}
	if q.ambiguous {
		return ambiguous(text), nil
	}
	if q.mark != bare {
		return q.reading(), nil
	}
	if slices.Contains(q.flags, FlagUnit) || slices.Contains(q.flags, FlagCurrency) {
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

// reading makes the key of an amount.
func (q amount) reading() reading {
	var r reading
	switch {
	case q.relation != equal:
		r = exactly(q.relation.tag(), q.body())
	case !q.currency.none():
		r = exactly(tagCurrency, q.currency.code()+":"+q.low.rat.RatString())
	case q.syntax == measure:
		r = exactly(tagQuantity, q.low.base().RatString()+":"+q.low.dim().String())
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

// body writes the whole amount in a form that is read back.
func (q amount) body() string {
	if q.relation == between {
		return q.print(q.low) + string(between) + q.print(q.high)
	}
	return string(q.relation) + q.print(q.low)
}

// print writes one number with its mark, currency or base unit.
func (q amount) print(v value) string {
	switch {
	case !q.currency.none():
		return q.currency.name() + " " + v.rat.RatString()
	case v.unit != nil && !v.unit.dim.plain():
		return v.base().RatString() + " " + v.unit.dim.String()
	case v.unit != nil:
		return v.base().RatString()
	case q.mark == percent:
		return new(big.Rat).Mul(v.rat, big.NewRat(100, 1)).RatString() + "%"
	case q.mark == points:
		return v.rat.RatString() + " pp"
	}
	return v.rat.RatString()
}
