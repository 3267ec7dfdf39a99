package answer

import (
	"fmt"
	"math/big"

	"github.com/seed-5817661a/concur/internal/value"
)

// Tolerance says how far a number may lie from the gold number. The zero value demands equality.
type Tolerance struct {
	bound    *big.Rat // not negative; nil is zero
	relative bool     // a share of the gold number
}

// ParseTolerance reads "" or "0" as exact, "0.5" as absolute and "1%" as relative to the gold number. For type
// percent an absolute tolerance counts percentage points.
func ParseTolerance(s string) (Tolerance, error) {
	if folded, _ := clean(s); folded == "" {
		return Tolerance{}, nil
	}
	k, err := Normalize(s, Decimal, Options{})
	v := k.value
	switch {
	case err != nil:
		return Tolerance{}, fmt.Errorf("parse tolerance: %w", err)
	case k.Confidence != Exact, len(k.Flags) > 0, v.Relation != value.Equal, v.Kind != value.Count && v.Kind != value.Percent:
		return Tolerance{}, fmt.Errorf("parse tolerance: %s: write a number such as 0.5, or a share such as 1%%", quote(s))
	case v.Low.Rat.Sign() < 0:
		return Tolerance{}, fmt.Errorf("parse tolerance: %s is negative: write 0 or more", quote(s))
	case v.Low.Rat.Sign() == 0:
		return Tolerance{}, nil
	}
	t := Tolerance{bound: v.Low.Rat, relative: v.Kind == value.Percent}
	if t.relative {
		t.bound = new(big.Rat).Quo(t.bound, big.NewRat(100, 1))
	}
	return t, nil
}

// IsZero reports whether only equality is in tolerance.
func (t Tolerance) IsZero() bool { return t.bound == nil }

// Equal reports whether two tolerances are the same.
func (t Tolerance) Equal(u Tolerance) bool { return t.String() == u.String() }

// String prints the tolerance in the form that [ParseTolerance] reads.
func (t Tolerance) String() string {
	switch {
	case t.IsZero():
		return "0"
	case t.relative:
		return decimal(new(big.Rat).Mul(t.bound, big.NewRat(100, 1))) + "%"
	}
	return decimal(t.bound)
}

// MarshalText is String, for JSON.
func (t Tolerance) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Share is the tolerance as a share of a gold number; nil without a tolerance, and if the gold
// is 0 or not one plain number.
func (t Tolerance) Share(gold string, typ Type, o Options) *big.Rat {
	g, err := Normalize(gold, typ, o)
	if err != nil || t.IsZero() || !typ.Numeric() || g.Confidence != Exact || g.value.Relation != value.Equal || g.value.Low.Rat.Sign() == 0 {
		return nil
	}
	return new(big.Rat).Quo(t.radius(g.value.Low.Rat), new(big.Rat).Abs(g.value.Low.Rat))
}

// radius is the absolute distance allowed around the gold number.
func (t Tolerance) radius(gold *big.Rat) *big.Rat {
	switch {
	case t.IsZero():
		return new(big.Rat)
	case t.relative:
		r := new(big.Rat).Mul(t.bound, gold)
		return r.Abs(r)
	}
	return t.bound
}

// decimal prints a number as a decimal where it has a short one, else as a fraction.
func decimal(r *big.Rat) string {
	const maxDecimals = 30
	if d, exact := r.FloatPrec(); exact && d < maxDecimals {
		return r.FloatString(d)
	}
	return r.RatString()
}
