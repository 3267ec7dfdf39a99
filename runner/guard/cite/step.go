package cite

import (
	"math"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/value"
)

// steps are the values of a claim's sources from which a number may follow in one step: an
// age, a span, a difference, a sum, a ratio (methods.md §8, C4).
type steps struct {
	terms  []term
	dates  []value.Calendar
	months []int          // between two of the dates
	days   []int          // the same
	places map[place]bool // of the sources' numbers and dates
}

// place is where a number stands: a source with another number there contradicts a claim.
type place struct {
	measure
	around
}

func placeOf(f *fact) place {
	if _, ok := f.Year(); ok {
		return place{measure{kind: value.Date}, f.around}
	}
	return place{measureOf(f.Value), f.around}
}

// term is a number of a source. Terms of one measure can be added.
type term struct {
	measure
	base    float64 // in base units
	written float64 // in the unit as written
	factor  float64 // of that unit
	bare    bool    // it has neither unit nor noun
	months  int     // that it may count, as an age or a span; 0 for none
	days    int     // the same, of days
}

type measure struct {
	kind     value.Kind
	dim      value.Dimension
	currency string
}

func measureOf(v value.Value) measure { return measure{v.Kind, v.Low.Dim(), v.Currency.Name()} }

// maxSteps bounds the numbers and the dates that are combined with each other.
const maxSteps = 100

func newSteps(sources []*source) *steps {
	st := &steps{places: map[place]bool{}}
	for _, s := range sources {
		for i := range s.facts() {
			f := &s.facts()[i]
			if f.before != "" && f.after != "" {
				st.places[placeOf(f)] = true
			}
			st.add(f)
		}
	}
	return st
}

// follows reports whether a fact of a claim follows from its sources in one step. What is
// shown may be used for the next: over 7 years, 4,000 a year.
func (a *audit) follows(c *claim, f *fact) bool {
	if c.steps == nil {
		c.steps = newSteps(append([]*source{a.query}, c.sources...))
		for i := range c.facts {
			if c.facts[i].Kind == value.Date {
				c.steps.add(&c.facts[i])
			}
		}
	}
	gives := c.steps.give(f, c.answer)
	if gives {
		c.steps.add(f)
	}
	return gives
}

func (st *steps) addDate(d value.Calendar) {
	if len(st.dates) >= maxSteps || slices.Contains(st.dates, d) {
		return
	}
	for _, other := range st.dates {
		months, days := d.Between(other)
		st.months, st.days = append(st.months, months...), append(st.days, days...)
	}
	st.dates = append(st.dates, d)
}

// add makes a fact a term, or a date; the 930 of "in 930" may be a year, too.
func (st *steps) add(f *fact) {
	year, isYear := f.Year()
	switch {
	case isYear:
		st.addDate(value.Calendar{Year: year})
	case f.Kind == value.Date && strings.Contains(f.text, "'"): // 1970's may be of 1970
		st.addDate(value.Calendar{Year: f.Date.Year})
	case f.Kind == value.Date && f.Other == nil:
		st.addDate(f.Date)
	case f.Numeric() && f.Relation != value.Between && len(st.terms) < maxSteps:
		st.addTerm(f)
	}
}

func (st *steps) addTerm(f *fact) {
	t := term{measure: measureOf(f.Value), factor: f.factor, bare: f.Kind == value.Count && f.Noun == ""}
	t.base, _ = f.Low.Base().Float64()
	t.written, _ = f.Low.Rat.Float64()
	const early, oldest = 100, 150
	switch {
	case t.dim.String() == inMonths:
		t.months = int(t.base)
	case t.dim.String() == inSeconds:
		t.days = int(t.base / secondsOfDay)
	case (t.bare || f.Noun == "year") && !f.Ordinal && f.Low.Rat.IsInt() && t.base < oldest:
		t.months = int(t.base) * monthsOfYear
	}
	if t.bare && f.Low.Plain && f.before == "in" && t.base >= early && t.base < 1000 {
		st.addDate(value.Calendar{Year: int(t.base)})
	}
	st.terms = append(st.terms, t)
}

// What counts time: the base units of spans, and how many make a year and a day.
const (
	inMonths, inSeconds = "month", "s"
	monthsOfYear        = 12
	secondsOfDay        = 24 * 60 * 60
)

// accepts reports whether a number may round x, in base units that no offset moves.
func (n *fact) accepts(x float64) bool {
	return x > 0 && within(x, n.size*n.factor, n.low*n.factor, n.high*n.factor)
}

// give reports whether a claimed number follows in one step. bare is a number on the answer
// line, where the unit and the noun may be left out.
func (st *steps) give(c *fact, bare bool) bool {
	if c.Kind == value.Date {
		return st.giveDate(c, c.Date)
	}
	if !c.Numeric() || c.Relation == value.Between {
		return false
	}
	bare = bare && c.Kind == value.Count && c.Noun == ""
	if st.giveRatio(c) {
		return true
	}
	if st.places[placeOf(c)] {
		return false
	}
	y, isYear := c.Year()
	return isYear && st.giveDate(c, value.Calendar{Year: y}) || st.giveSpan(c, bare) || st.giveSum(c, bare)
}

// giveDate reports whether a date follows from another and an age or a span.
func (st *steps) giveDate(c *fact, claimed value.Calendar) bool {
	return !st.places[placeOf(c)] && slices.ContainsFunc(st.dates, func(d value.Calendar) bool {
		return slices.ContainsFunc(st.terms, func(t term) bool {
			return t.months+t.days > 0 && (d.Add(t.months, t.days).Within(claimed) || d.Add(-t.months, -t.days).Within(claimed) ||
				t.bare && d.Add(-t.months-monthsOfYear, 0).Within(claimed)) // the year of birth by an age
		})
	})
}

// giveSpan reports whether a number is the time between two dates: an age, a reign, "twelve
// years later". A number without a unit counts years, on the answer line also days.
func (st *steps) giveSpan(c *fact, bare bool) bool {
	unit := c.Low.Dim().String()
	spans, factor := st.months, 1.0
	switch {
	case c.Kind == value.Count && slices.Contains([]string{"", "year", "birthday", "anniversary"}, c.Noun):
		factor = 1.0 / monthsOfYear
	case unit == inSeconds:
		spans, factor = st.days, secondsOfDay
	case unit != inMonths:
		return false
	}
	return slices.ContainsFunc(spans, func(n int) bool { return c.accepts(float64(n) * factor) }) ||
		bare && slices.ContainsFunc(st.days, func(n int) bool { return c.accepts(float64(n)) })
}

// giveSum reports whether a number is the sum or the difference of two others of its
// measure, or what a percentage leaves of the whole. A number without unit or noun may have
// those of the other: from -39 °C to 357.
func (st *steps) giveSum(c *fact, bare bool) bool {
	of := measureOf(c.Value)
	sum := func(x, y float64) bool { return c.accepts(math.Abs(x-y)) || c.accepts(x+y) }
	for i, a := range st.terms {
		if a.kind == value.Percent && of.kind == value.Percent && c.accepts(100-a.base) {
			return true
		}
		for _, b := range st.terms[i:] {
			same := a.measure == b.measure
			if same && a.measure == of && sum(a.base, b.base) ||
				a.bare != b.bare && (a.measure == of || b.measure == of) && sum(a.written*a.factor*b.factor, b.written*a.factor*b.factor) ||
				bare && (same || a.bare || b.bare) && sum(a.written, b.written) {
				return true
			}
		}
	}
	return false
}

// giveRatio reports whether a number is the ratio of two others: a share of the whole or of
// the sum, the percentage of a rise or a fall, a mean, a part of a unit.
func (st *steps) giveRatio(c *fact) bool {
	of := measureOf(c.Value)
	for i, a := range st.terms {
		for j, b := range st.terms {
			if i == j || b.base == 0 {
				continue
			}
			same, ratio := a.measure == b.measure, a.base/b.base
			var gives bool
			switch of.kind {
			case value.Percent:
				gives = same && (c.accepts(100*ratio) || c.accepts(100*math.Abs(ratio-1)) || c.accepts(100*a.base/(a.base+b.base)))
			case value.Count:
				gives = same && c.accepts(ratio) || a.kind == of.kind && c.accepts(a.written/b.written)
			default:
				gives = a.measure == of && c.accepts(a.base/b.written)
			}
			if gives {
				return true
			}
		}
	}
	return false
}
