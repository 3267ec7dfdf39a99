package answer

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

// Match compares an answer with a gold answer and its aliases, all read as type t. The tolerance widens numbers only.
// The reason says in a few words why the answer is right or wrong.
//
// Numbers match when they are equal, when they lie within the tolerance, or when the answer, written with at least as
// many decimals as the gold answer, rounds to it, half to even (docs/method.md §2.2, equality with the gold). An
// approximate answer such as "about 42" is compared as 42 is. A name that the answer explains in brackets, "Lima
// (Peru)", matches the gold without them. An ambiguous answer matches nothing.
func Match(pred, gold string, t Type, aliases []string, tol Tolerance, o Options) (ok bool, reason string) {
	if g, err := Normalize(gold, t, o); err == nil && o.Currency == "" {
		o.Currency = g.value.Currency.Code() // that an open sign of the answer stands for
	}
	p, err := Normalize(pred, t, o)
	if err != nil {
		return false, err.Error()
	}
	if p.Confidence == Ambiguous {
		return false, "ambiguous: " + quote(pred) + " can be read in several ways"
	}
	g, err := Normalize(gold, t, o)
	if err != nil {
		return false, "gold answer: " + err.Error()
	}
	if ok, reason = p.matches(g, tol, o); ok {
		return true, reason
	}
	for _, alias := range aliases {
		if a, err := Normalize(alias, t, o); err == nil {
			if ok, _ := p.matches(a, tol, o); ok {
				return true, "equal to alias " + quote(alias)
			}
		}
	}
	return false, reason
}

// matches is the one comparison, without aliases.
func (k Key) matches(gold Key, tol Tolerance, o Options) (bool, string) {
	switch {
	case gold.Confidence == Ambiguous:
		return false, "gold answer is ambiguous: " + quote(gold.Canonical())
	case k.Key == gold.Key:
		return true, "equal " + cmp.Or(plurals[k.Type], string(k.Type)+"s")
	case k.Type.Numeric():
		return matchNumbers(k.value, gold.value, tol, o)
	case k.Type == List:
		return false, compareLists(k.elements, gold.elements)
	case k.Type == Entity && gloss.ReplaceAllString(k.Key, "") == gold.Key:
		return true, "equal but for what the answer adds in brackets"
	case k.Type == Date && k.value.Kind == value.Date && k.value.Relation == value.Approx &&
		gold.value.Relation == value.Equal:
		k.value.Relation = value.Equal
		if k.value.Date == gold.value.Date {
			return true, "equal dates"
		}
	}
	have, want := k.Canonical(), gold.Canonical()
	if k.Type == Date && o.PrefixDate && k.value.Kind == value.Date && gold.value.Kind == value.Date &&
		k.value.Relation == gold.value.Relation && k.value.Date.Within(gold.value.Date) {
		return true, fmt.Sprintf("%s lies in %s", have, want)
	}
	return false, quote(have) + " is not " + quote(want)
}

// gloss is what a name adds in brackets: Lima (Peru).
var gloss = lazy.Compile(` \([^()]+\)$`)

// plurals are the names of several answers of types that do not just add an s.
var plurals = map[Type]string{Entity: "entities", Percent: "percentages", Currency: "amounts", Quantity: "quantities"}

// matchNumbers compares two numbers whose keys differ.
func matchNumbers(v, gold value.Value, tol Tolerance, o Options) (bool, string) {
	have, want := show(v), show(gold)
	if o.UnitOptional && v.Kind == value.Quantity && v.Low.Unit == nil {
		v.Low.Unit, v.High.Unit = gold.Low.Unit, gold.Low.Unit
	}
	switch {
	case v.Kind != gold.Kind, v.Low.Dim() != gold.Low.Dim():
		return false, fmt.Sprintf("%s and %s are different kinds of numbers", have, want)
	case v.Currency.Code() != gold.Currency.Code():
		return false, fmt.Sprintf("%s and %s are in different currencies", have, want)
	case value.Same(v, gold):
		return true, "equal but for the unit"
	case gold.Relation != value.Equal, v.Relation != value.Equal && v.Relation != value.Approx:
		return false, fmt.Sprintf("%s is not %s", have, want)
	}
	number := v.Low.In(gold.Low.Unit)
	distance := new(big.Rat).Sub(number.Rat, gold.Low.Rat)
	within := distance.Abs(distance).Cmp(tol.radius(gold.Low.Rat)) <= 0
	switch {
	case !within && gold.Low.Decimals() > 0 && value.RoundsTo(number, gold.Low):
		return true, fmt.Sprintf("%s rounds to %s", have, want)
	case within && tol.IsZero():
		return true, fmt.Sprintf("%s is equal to %s", have, want)
	case within:
		return true, fmt.Sprintf("%s is within %s ± %s", have, want, tol)
	case tol.IsZero():
		return false, fmt.Sprintf("%s is not %s", have, want)
	}
	return false, fmt.Sprintf("%s is outside %s ± %s", have, want, tol)
}

// show writes a number in a reason, in the unit in which it was written.
func show(v value.Value) string {
	return written(v, func(n value.Number) string {
		const limit = 40
		s := decimal(n.Rat)
		if len(s) > limit {
			s = s[:limit] + "…"
		}
		if n.Unit != nil {
			s += " " + n.Unit.Name
		}
		return s
	})
}

// Same reports whether the equality of their type calls two answers equal, without the aliases and the tolerance of a
// gold answer: their keys are equal, one of them as a gold answer is met by the other ([Match]), or the more precise
// number rounds to the other ([SameRounded]). Ambiguous answers are the same as nothing. Like rounding, the relation is
// not transitive. Both keys must come from [Normalize] with the same type and the given options.
func Same(a, b Key, o Options) bool {
	if a.Type != b.Type || a.Confidence != Exact || b.Confidence != Exact {
		return false
	}
	met, _ := a.matches(b, Tolerance{}, o)
	meets, _ := b.matches(a, Tolerance{}, o)
	return met || meets || SameRounded(a, b)
}

// Settled reports whether the equality of their type alone decides whether two answers are the same: numbers, dates,
// truth values, choices, and lists of numbers, all of them read without doubt. Names, texts and other lists can be one
// in other words.
func Settled(a, b Key) bool {
	return a.Type == b.Type && a.Confidence == Exact && b.Confidence == Exact && a.isValue() && b.isValue()
}

func (k Key) isValue() bool {
	isName := func(e Key) bool { return e.Type == Entity }
	return k.Type.Numeric() || k.Type == Date || k.Type == Boolean || k.Type == Choice ||
		k.Type == List && !slices.ContainsFunc(k.elements, isName)
}

// SameRounded reports whether two answers, read as one type, give the same number to the
// precision of the less precise one ([value.SameRounded]).
func SameRounded(a, b Key) bool { return a.Type.Numeric() && value.SameRounded(a.value, b.value) }

// Differ reports whether two answers are certainly not the same ([value.Differ]): numbers or dates that differ beyond
// rounding, or another truth value or choice. It is a veto: false says nothing about equality, and every pair in
// doubt gives false. Both keys must come from [Normalize] with the same type.
func Differ(a, b Key) bool {
	switch {
	case a.Type != b.Type, a.Key == b.Key:
		return false
	case a.Type == Boolean, a.Type == Choice:
		return true
	}
	return a.value.Kind != value.None && b.value.Kind != value.None && value.Differ(a.value, b.value)
}

// ContainsTokens reports whether the tokens of keyword occur in message one after the
// other, as [text.Tokens] divides both: 4 occurs in neither 14 nor 4.5 nor -4, and digit
// grouping does not matter. A keyword without tokens occurs nowhere.
//
// In scripts that do not space words every character is a token, so a keyword may also be
// found inside a longer word there.
func ContainsTokens(message, keyword string) bool {
	want := text.Joined(text.Tokens(keyword, 0))
	return want != "" && strings.Contains(text.Joined(text.Tokens(message, 0)), want)
}

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
	case k.Confidence != Exact, len(k.Flags) > 0, v.Relation != value.Equal,
		v.Kind != value.Count && v.Kind != value.Percent:
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
	if err != nil || t.IsZero() || !typ.Numeric() || g.Confidence != Exact || g.value.Relation != value.Equal ||
		g.value.Low.Rat.Sign() == 0 {
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
