package answer

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets/resultset"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

// Match compares an answer with a gold answer and its aliases, all read as type t. The tolerance applies only
// to numbers. reason says in a few words why the answer is right or wrong.
//
// Numbers match if they are equal or within the tolerance, or if the answer has at least as many decimals as
// the gold and rounds to it (half to even): docs/method.md §2.2, equality with the gold. The approximate answer
// "about 42" is compared in the same way as 42. A name with an explanation in brackets, "Lima (Peru)", matches
// the gold without the brackets. An ambiguous answer matches no gold.
func Match(pred, gold string, t Type, aliases []string, tol Tolerance, o Options) (ok bool, reason string) {
	if g, err := Normalize(gold, t, o); err == nil && o.Currency == "" {
		o.Currency = g.value.Currency.Code() // the currency of a sign such as $ in the answer
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

// matches compares an answer with a gold answer, without aliases.
func (k Key) matches(gold Key, tol Tolerance, o Options) (bool, string) {
	switch {
	case gold.Confidence == Ambiguous:
		return false, "gold answer is ambiguous: " + quote(gold.Canonical())
	case k.Key == gold.Key:
		return true, "equal " + cmp.Or(plurals[k.Type], string(k.Type)+"s")
	case k.Type.Numeric():
		return matchNumbers(k.value, gold.value, tol, o)
	case k.Type == Table:
		return matchTables(k, gold, o)
	case k.Type == List:
		return false, compareLists(k.elements, gold.elements)
	case k.Type == Entity && gloss.ReplaceAllString(k.Key, "") == gold.Key:
		return true, "equal apart from the answer's addition in brackets"
	case k.Type == Entity && withoutLoneArticle(k.Key) == gold.Key:
		return true, "equal apart from the answer's article"
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

// matchTables compares two tables whose keys differ.
func matchTables(k, gold Key, o Options) (bool, string) {
	if k.Key == deniedKey || gold.Key == deniedKey {
		return false, quote(k.Canonical()) + " is not " + quote(gold.Canonical())
	}
	why := resultset.Difference(k.table, gold.table, o.Ordered)
	return why == "", cmp.Or(why, "equal tables")
}

// gloss matches the addition in brackets after a name: Lima (Peru).
var gloss = lazy.Compile(` \([^()]+\)$`)

// plurals has the irregular plurals of the names of types.
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
		return true, "equal apart from the unit"
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

// show writes a number for a reason, in its original unit.
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

// Same reports whether two answers are equal by the rules of their type, without the aliases and the tolerance
// of a gold. They are equal in three cases: their keys are equal; one would match the other if that were a gold
// ([Match]); the more precise number rounds to the other ([SameRounded]). An ambiguous answer is not the same
// as any other. Because of rounding, the relation is not transitive. Both keys must come from [Normalize] with
// the same type and the given options.
func Same(a, b Key, o Options) bool {
	if a.Type != b.Type || a.Confidence != Exact || b.Confidence != Exact {
		return false
	}
	met, _ := a.matches(b, Tolerance{}, o)
	meets, _ := b.matches(a, Tolerance{}, o)
	return met || meets || SameRounded(a, b)
}

// Settled reports whether the rules of the type are enough to decide whether two answers are the same. They are
// enough for numbers, dates, truth values, choices, tables, and lists of numbers, if the answers are not ambiguous.
// They are not enough for names, texts and other lists, because these can express the same meaning in other
// words.
func Settled(a, b Key) bool {
	return a.Type == b.Type && a.Confidence == Exact && b.Confidence == Exact && a.isValue() && b.isValue()
}

func (k Key) isValue() bool {
	isName := func(e Key) bool { return e.Type == Entity }
	return k.Type.Numeric() || k.Type == Date || k.Type == Boolean || k.Type == Choice || k.Type == Table ||
		k.Type == List && !slices.ContainsFunc(k.elements, isName)
}

// SameRounded reports whether two answers of one type are the same number after the more precise one is rounded
// to the precision of the other ([value.SameRounded]).
func SameRounded(a, b Key) bool { return a.Type.Numeric() && value.SameRounded(a.value, b.value) }

// Differ reports whether two answers are certainly different ([value.Differ]): numbers or dates that differ by
// more than rounding, different truth values, or different choices. false does not mean that they are equal: if
// there is any doubt, the result is false. Both keys must come from [Normalize] with the same type.
func Differ(a, b Key) bool {
	switch {
	case a.Type != b.Type, a.Key == b.Key:
		return false
	case a.Type == Boolean, a.Type == Choice:
		return true
	}
	return a.value.Kind != value.None && b.value.Kind != value.None && value.Differ(a.value, b.value)
}

// ContainsTokens reports whether message contains the tokens of keyword one after the other; [text.Tokens]
// splits both. The keyword 4 is not in 14, 4.5 or -4. The grouping of digits does not matter. If a keyword has
// no tokens, no message contains it.
//
// In scripts without spaces between words every character is a token, so a keyword may be found inside a longer
// word there.
func ContainsTokens(message, keyword string) bool {
	want := text.Joined(text.Tokens(keyword, 0))
	return want != "" && strings.Contains(text.Joined(text.Tokens(message, 0)), want)
}

// Tolerance is the maximum distance of a number from the gold number. The zero value requires equality.
type Tolerance struct {
	bound    *big.Rat // not negative; nil is zero
	relative bool     // bound is a share of the gold number
}

// ParseTolerance reads a tolerance: "" or "0" is exact, "0.5" absolute, and "1%" relative to the gold number.
// For the type percent, an absolute tolerance is in percentage points.
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

// IsZero reports whether the tolerance requires equality.
func (t Tolerance) IsZero() bool { return t.bound == nil }

// Equal reports whether two tolerances are equal.
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

// MarshalText returns String, for JSON.
func (t Tolerance) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads the form of String exactly.
func (t *Tolerance) UnmarshalText(text []byte) error {
	number, relative := strings.CutSuffix(string(text), "%")
	bound, ok := new(big.Rat).SetString(number)
	if !ok || bound.Sign() < 0 {
		return fmt.Errorf("parse tolerance: %s: write a number such as 0.5, or a share such as 1%%", quote(string(text)))
	}
	*t = Tolerance{}
	if relative {
		bound.Quo(bound, big.NewRat(100, 1))
	}
	if bound.Sign() > 0 {
		*t = Tolerance{bound, relative}
	}
	return nil
}

// Share returns the tolerance as a share of a gold number. It is nil if the tolerance is zero, if the gold is
// 0, and if the gold is not a single plain number.
func (t Tolerance) Share(gold string, typ Type, o Options) *big.Rat {
	g, err := Normalize(gold, typ, o)
	if err != nil || t.IsZero() || !typ.Numeric() || g.Confidence != Exact || g.value.Relation != value.Equal ||
		g.value.Low.Rat.Sign() == 0 {
		return nil
	}
	return new(big.Rat).Quo(t.radius(g.value.Low.Rat), new(big.Rat).Abs(g.value.Low.Rat))
}

// radius returns the maximum distance from the gold number, as an absolute number.
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

// decimal prints a number as a decimal if that is short, else as a fraction.
func decimal(r *big.Rat) string {
	const maxDecimals = 30
	if d, exact := r.FloatPrec(); exact && d < maxDecimals {
		return r.FloatString(d)
	}
	return r.RatString()
}
