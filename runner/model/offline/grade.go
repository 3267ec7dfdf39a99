package offline

import (
	"math/big"
	"slices"
	"strings"
)

// grade is what one part of a reference says of an answer, worst first. The table of its
// scores stands in docs/offline-model.md.
type grade int

const (
	gradeOther grade = iota // another value of the same kind
	gradeNone               // nothing of the kind
	gradePart               // at least half of a name's words, or a keyword is missing
	gradeHeld               // the reference, within other words
	gradeEqual              // the reference in another notation
)

// score is 1..5, never 3: no rule tells an important qualification.
func (g grade) score() int { return [...]int{1, 1, 2, 4, 5}[g] }

// confidence is 0..100, and low where only words were counted.
func (g grade) confidence() int { return [...]int{90, 60, 60, 75, 95}[g] }

// against grades an answer by one accepted answer: equal, held within other words, in
// part, another value, or nothing of the kind.
func (r reference) against(q inquiry, want, answer string) grade {
	a, b := gistOf(want), gistOf(answer)
	if q.differ(want, answer) == "" || r.tolerated(q, a, b) {
		return gradeEqual
	}
	switch {
	case a.yes != 0:
		return either(b.yes != 0, gradeOther, gradeNone)
	case len(a.dates) > 0:
		if slices.ContainsFunc(b.dates, func(d date) bool { return sameDates(a.dates, []date{d}) }) && len(b.dates) == 1 && !b.denied {
			return gradeHeld
		}
		return either(len(b.dates) > 0 || len(b.counts) > 0, gradeOther, gradeNone)
	case len(a.counts) > 0:
		return r.counted(q, a, b)
	}
	return q.named(a, b, want, answer)
}

func either(first bool, a, b grade) grade {
	if first {
		return a
	}
	return b
}

// counted grades by a number: the answer holds it beside words, or holds another one.
func (r reference) counted(q inquiry, a, b gist) grade {
	var own []measure // what the question itself does not give
	for _, m := range b.counts {
		if !q.terms[m.value.RatString()] || len(b.counts) == 1 {
			own = append(own, m)
		}
	}
	for _, d := range b.dates {
		own = append(own, yearMeasure(d.year))
	}
	switch {
	case len(own) == 0:
		return gradeNone
	case len(own) != len(a.counts) || b.denied != a.denied || a.bound != b.bound:
		return gradeOther
	}
	b.counts, b.dates = own, nil
	if sameMeasures(a.counts, own, false, q.wanted, q.share) || r.tolerated(q, a, b) {
		return either(within(a.names, b.names), gradeHeld, gradePart)
	}
	return gradeOther
}

// tolerated says whether an answer is one number within the tolerance of the reference's.
func (r reference) tolerated(q inquiry, a, b gist) bool {
	if r.tolerance == nil || len(a.counts) != 1 || len(b.counts) != 1 || len(b.dates) > 0 || a.bound != b.bound || b.denied {
		return false
	}
	x, y := a.counts[0], b.counts[0]
	one := big.NewRat(1, 1)
	same := sameMeasure(measure{one, x.unit}, measure{one, y.unit}, q.wanted, q.share)
	allowed := measure{new(big.Rat).Set(r.tolerance), x.unit}
	if r.relative {
		allowed.value.Mul(allowed.value, new(big.Rat).Abs(x.value))
	}
	if !same { // bring both to one unit; temperatures have no common zero
		if x.unit.dim != y.unit.dim || x.unit.dim == "temperature" {
			return false
		}
		var ok [3]bool
		x.value, ok[0] = x.inBase()
		y.value, ok[1] = y.inBase()
		allowed.value, ok[2] = allowed.inBase()
		if !ok[0] || !ok[1] || !ok[2] {
			return false
		}
	}
	gap := new(big.Rat).Sub(x.value, y.value)
	return gap.Abs(gap).Cmp(allowed.value) <= 0
}

// named grades by a name: the answer holds it beside other words without offering
// alternatives, shares half of its words, or shares none.
func (q inquiry) named(a, b gist, want, answer string) grade {
	shared := 0
	for _, w := range a.names {
		if within([]word{w}, b.names) {
			shared++
		}
	}
	switch {
	case mentions(respell(answer), respell(want)) && !b.denied && !offers(a, answer):
		return gradeHeld
	case 2*shared >= len(a.names):
		return gradePart
	case shared == 0 && len(b.names) > 0 && b.names[0].capital():
		return gradeOther
	default:
		return gradeNone
	}
}

// offers says whether an answer names alternatives, or more things than the reference.
func offers(a gist, answer string) bool {
	for _, w := range tokens(answer) {
		if w.low == "or" || w.text == "/" || w.text == ";" {
			return true
		}
	}
	return !a.listed && severalNames(answer)
}

// severalNames says whether a text is a list of capitalised names: "Paris and London".
func severalNames(text string) bool {
	parts := strings.FieldsFunc(strings.ReplaceAll(text, " and ", ","), func(r rune) bool { return r == ',' || r == '&' })
	named := 0
	for _, p := range parts {
		if w := tokens(p); len(w) > 0 && len(w) <= longestName && !slices.ContainsFunc(w, func(w word) bool { return w.alpha() && !w.capital() && !weak()[w.low] }) {
			named++
		}
	}
	return len(parts) > 1 && named == len(parts)
}

// mentions says whether a text holds the words of a keyword one behind the other.
func mentions(text, keyword string) bool {
	t, k := plainWords(text), plainWords(keyword)
	for i := 0; len(k) > 0 && i+len(k) <= len(t); i++ {
		if slices.Equal(t[i:i+len(k)], k) {
			return true
		}
	}
	return false
}

func plainWords(text string) []string {
	var out []string
	for _, w := range tokens(text) {
		if (w.alpha() || w.number()) && !(w.low == "the" || w.low == "a" || w.low == "an") {
			out = append(out, fold(plainWord(w)))
		}
	}
	return out
}
