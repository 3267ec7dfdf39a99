package answer

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/seed-5817661a/concur/internal/value"
)

// readNumeric reads a number of one of the numeric types. What is written beside it counts
// as its type says: a unit is dropped from an integer and counts in a quantity.
func readNumeric(s string, t Type, o Options) (Key, error) {
	as := value.AsNumber
	switch t {
	case Currency:
		as = value.AsMoney
		if o.Currency != "" && !value.IsCurrencyCode(o.Currency) {
			return Key{}, fmt.Errorf("the currency option %s is no code of ISO 4217", quote(o.Currency))
		}
	case Quantity:
		as = value.AsQuantity
	}
	v, err := value.Parse(s, as)
	if err != nil {
		return Key{}, fmt.Errorf("%s: %w", quote(s), err)
	}
	if t == Currency {
		v = v.Settle(o.Currency, o.UnitOptional)
	}
	if v.Ordinal && t != Integer {
		return Key{}, fmt.Errorf("%s is an ordinal", quote(s))
	}
	bare := t == Currency && v.Currency.IsZero() || t == Quantity && v.Low.Unit == nil ||
		t == Percent && v.Kind == value.Count
	if t == Quantity && v.Kind == value.Count {
		v.Kind = value.Quantity
	}
	if v.Doubt {
		return ambiguous(s), nil
	}
	if !v.Currency.IsZero() && v.Currency.Code() == "" {
		k := ambiguous(canonicalNumber(v))
		k.value = v // it matches nothing, but may certainly differ
		return k, nil
	}
	switch t {
	case Integer:
		fraction := func(n value.Number) bool { return n.Rat != nil && !n.Rat.IsInt() } // 5.0 has none
		if v.Kind == value.Count && (fraction(v.Low) || fraction(v.High)) {
			err = errors.New("has a fraction")
		}
	case Percent:
		v, err = asPercentage(v, o)
	}
	if err != nil {
		return Key{}, fmt.Errorf("%s %w", quote(s), err)
	}
	k := keyOf(v)
	for flag, set := range map[string]bool{FlagBare: bare, FlagWords: v.InWords,
		FlagUnit: v.Dropped&value.DroppedUnit != 0, FlagCurrency: v.Dropped&value.DroppedCurrency != 0} {
		if set {
			k.Flags = append(k.Flags, flag) // Normalize sorts them
		}
	}
	return k, nil
}

// asPercentage takes 0.5 for 50%. A bare number of one or more is a percentage only with [Options.BarePercent]:
// otherwise it keeps the key of the plain number, which equals no percentage.
func asPercentage(v value.Value, o Options) (value.Value, error) {
	if v.Kind != value.Count {
		return v, nil
	}
	if v.Dropped != 0 {
		return v, errors.New("has a unit other than the percent sign")
	}
	one := big.NewRat(1, 1)
	small := new(big.Rat).Abs(v.Low.Rat).Cmp(one) < 0 && (v.High.Rat == nil || v.High.Rat.Cmp(one) < 0)
	if small || o.BarePercent {
		v.Kind = value.Percent
	}
	if small {
		for _, n := range []*value.Number{&v.Low, &v.High} {
			if n.Rat != nil {
				n.Rat = new(big.Rat).Mul(n.Rat, big.NewRat(100, 1))
				n.Place += 2
			}
		}
	}
	return v, nil
}

// readDate reads a year, a month, a day, a decade or a century; or a time of day, or a range of two.
func readDate(s string) (Key, error) {
	v, err := value.Parse(s, value.AsDate)
	switch {
	case err != nil:
		if clock, wrong := value.ParseClock(s); wrong == nil {
			return keyOf(clock), nil
		}
		return Key{}, fmt.Errorf("%s: %w", quote(s), err)
	case v.Doubt:
		return ambiguous(s), nil
	}
	return keyOf(v), nil
}
