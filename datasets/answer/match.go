package answer

import (
	"fmt"
	"math/big"
	"strings"
)

// Match compares an answer with a gold answer and its aliases, all read as type t.
// The tolerance widens numbers only. The reason says in a few words why the answer
// is right or wrong.
//
// Numbers match when they are equal, when they lie within the tolerance, or when
// the answer, written with at least as many decimals as the gold answer, rounds to
// it (half to even): section 2.2, step 5. An approximate answer such as "about 42"
// matches a plain gold number only within a tolerance that is not zero. An
// ambiguous answer matches nothing.
func Match(pred, gold string, t Type, aliases []string, tol Tolerance, o Options) (ok bool, reason string) {
	o = o.withGold(gold, t)
	p, err := read(pred, t, o)
	if err != nil {
		return false, err.Error()
	}
	if p.key.Confidence == Ambiguous {
		return false, "ambiguous: " + quote(pred) + " can be read in several ways"
	}
	g, err := read(gold, t, o)
	if err != nil {
		return false, "gold answer: " + err.Error()
	}
	ok, reason = p.matches(g, tol, o)
	if ok {
		return true, reason
	}
	for _, alias := range aliases {
		a, err := read(alias, t, o)
		if err != nil {
			continue
		}
		if ok, _ := p.matches(a, tol, o); ok {
			return true, "equal to alias " + quote(alias)
		}
	}
	return false, reason
}

// withGold takes the currency of an open sign from the gold answer.
func (o Options) withGold(gold string, t Type) Options {
	if t != Currency || o.Currency != "" {
		return o
	}
	if g, err := read(gold, t, o); err == nil {
		o.Currency = g.num.currency.code()
	}
	return o
}

// matches is the one comparison, without aliases.
func (r reading) matches(gold reading, tol Tolerance, o Options) (bool, string) {
	switch {
	case gold.key.Confidence == Ambiguous:
		return false, "gold answer is ambiguous: " + quote(gold.key.Canonical())
	case r.key.Key == gold.key.Key:
		return true, "equal " + plural(r.key.Type)
	case r.key.Type.Numeric():
		return r.num.matches(gold.num, tol, o)
	case r.key.Type == List:
		return false, compareLists(r.key.elements, gold.key.elements)
	}
	have, want := r.key.Canonical(), gold.key.Canonical()
	if r.key.Type == Date && o.PrefixDate && strings.HasPrefix(have, want+"-") {
		return true, fmt.Sprintf("%s lies in %s", have, want)
	}
	return false, quote(have) + " is not " + quote(want)
}

func plural(t Type) string {
	switch t {
	case Entity:
		return "entities"
	case Percent:
		return "percentages"
	case Currency:
		return "amounts"
	case Quantity:
		return "quantities"
	}
	return string(t) + "s"
}

// matches compares two amounts whose keys differ.
func (q amount) matches(gold amount, tol Tolerance, o Options) (bool, string) {
	have, want := q.show(), gold.show()
	if o.UnitOptional && q.syntax == measure && q.low.unit == nil {
		q.low.unit, q.high.unit = gold.low.unit, gold.low.unit
	}
	switch {
	case q.mark != gold.mark, q.currency.none() != gold.currency.none(), q.low.dim() != gold.low.dim():
		return false, fmt.Sprintf("%s and %s are different kinds of numbers", have, want)
	case q.currency.code() != gold.currency.code():
		return false, fmt.Sprintf("%s and %s are in different currencies", have, want)
	case q.relation == gold.relation && q.sameBounds(gold):
		return true, "equal but for the unit"
	case gold.relation != equal, q.relation != equal && q.relation != approx:
		return false, fmt.Sprintf("%s is not %s", have, want)
	case q.relation == approx && tol.IsZero():
		return false, fmt.Sprintf("%s is approximate, %s is exact", have, want)
	}
	number := q.low.in(gold.low.unit)
	distance := new(big.Rat).Sub(number.rat, gold.low.rat)
	within := distance.Abs(distance).Cmp(tol.radius(gold.low.rat, gold.mark)) <= 0
	if q.relation == equal && !within && roundsTo(number, gold.low) {
		return true, fmt.Sprintf("%s rounds to %s", have, want)
	}
	switch {
	case within:
		return true, fmt.Sprintf("%s is within %s ± %s", have, want, tol)
	case tol.IsZero():
		return false, fmt.Sprintf("%s is not %s", have, want)
	}
	return false, fmt.Sprintf("%s is outside %s ± %s", have, want, tol)
}

// sameBounds compares values only, in base units.
func (q amount) sameBounds(r amount) bool {
	return q.low.base().Cmp(r.low.base()) == 0 &&
		(q.relation != between || q.high.base().Cmp(r.high.base()) == 0)
}

// show prints an amount in a reason, in the unit in which it was written.
func (q amount) show() string {
	if q.relation == between {
		return q.showNumber(q.low) + ".." + q.showNumber(q.high)
	}
	return string(q.relation) + q.showNumber(q.low)
}

func (q amount) showNumber(v value) string {
	switch {
	case !q.currency.none():
		return q.currency.name() + " " + shorten(show(v.rat))
	case v.unit != nil:
		return shorten(show(v.rat)) + " " + v.unit.name
	case q.mark == percent:
		return shorten(show(new(big.Rat).Mul(v.rat, big.NewRat(100, 1)))) + "%"
	case q.mark == points:
		return shorten(show(v.rat)) + " pp"
	}
	return shorten(show(v.rat))
}

func shorten(s string) string {
	const limit = 40
	if len(s) > limit {
		return s[:limit] + "…"
	}
	return s
}

// roundsTo reports whether p, which must be written with at least the decimals of
// gold, rounds to it at those decimals, half to even.
func roundsTo(p, gold value) bool {
	return p.decimals >= gold.decimals && roundHalfEven(p.rat, gold.decimals).Cmp(gold.rat) == 0
}

// roundHalfEven rounds to d decimals; a number just between two goes to the even.
func roundHalfEven(r *big.Rat, d int) *big.Rat {
	unit := pow(big.NewRat(10, 1), d)
	scaled := new(big.Rat).Mul(r, unit)
	// Euclidean division: the remainder is never negative, also below zero.
	floor, rest := new(big.Int).DivMod(scaled.Num(), scaled.Denom(), new(big.Int))
	switch rest.Lsh(rest, 1).Cmp(scaled.Denom()) {
	case 1:
		floor.Add(floor, big.NewInt(1))
	case 0:
		floor.Add(floor, new(big.Int).And(floor, big.NewInt(1)))
	}
	return new(big.Rat).Quo(new(big.Rat).SetInt(floor), unit)
}
