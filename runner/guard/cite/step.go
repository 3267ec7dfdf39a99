package cite

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/value"
)

// steps are the values of a claim's sources from which a number may follow in one step: an
// age, a span, a difference, a sum, a ratio (methods.md §8, C4).
type steps struct {
	terms  []term
	lists  []float64 // sums of the numbers that a source lists, in base units, of kinds as in listed
	listed []measure
	counts []float64 // small numbers that the claim itself names
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
		var last value.Calendar
		for i := range s.facts() {
			f := &s.facts()[i]
			if y, ok := f.Year(); ok {
				last = value.Calendar{Year: y}
			} else if f.Kind == value.Date && f.Other == nil {
				last = f.Date
			} else if f.Low.Dim().String() == inMonths && is("apart", f.after) && last.Year > 0 { // in 1891, …, two years prior
				st.addDate(last.Add(int(f.base), 0))
				st.addDate(last.Add(-int(f.base), 0))
			}
			if f.before != "" && f.after != "" {
				st.places[placeOf(f)] = true
			}
			st.add(f)
		}
		st.addLists(s)
	}
	return st
}

// follows reports whether a fact of a claim follows from its sources in one step. What is
// shown may be used for the next: over 7 years, 4,000 a year.
func (a *audit) follows(c *claim, f *fact) bool {
	if c.steps == nil {
		c.steps = newSteps(append([]*source{a.query}, c.sources...))
		for i := range c.facts {
			e := &c.facts[i]
			if e.Kind == value.Date {
				c.steps.add(e)
			}
			if e.Numeric() && e.Low.Rat.IsInt() && e.size > 1 && e.size <= maxCount && !slices.Contains(c.steps.counts, e.size) {
				c.steps.counts = append(c.steps.counts, e.size)
			}
		}
	}
	gives := c.steps.give(f, c.answer) || a.pairs(c, f)
	if gives {
		c.steps.add(f)
	}
	return gives
}

// addLists adds the sums of what a source lists: 2 wins, 5 losses and 1 tie are 8 games.
func (st *steps) addLists(s *source) {
	const gap, fewest, most = 30, 3, 8
	facts := slices.DeleteFunc(slices.Clone(s.facts()), func(f fact) bool { return !f.Numeric() || f.Ordinal })
	for i := range facts {
		sum := 0.0
		for j, f := range facts[i:min(len(facts), i+most)] {
			if _, isYear := f.Year(); isYear || measureOf(f.Value) != measureOf(facts[i].Value) {
				break
			}
			if last := facts[max(i, i+j-1)]; j > 0 && (f.Start < last.End || f.Start > last.End+gap || strings.Contains(s.prose[last.End:f.Start], ". ")) {
				break
			}
			if sum += f.base; j+1 >= fewest {
				st.lists, st.listed = append(st.lists, sum), append(st.listed, measureOf(f.Value))
			}
		}
	}
}

// Between two values of a claim stand words by which one tells of the other: 1853 or 1854, ten years before 1909.
var (
	eitherOr = regexp.MustCompile(`^ ?or(?: perhaps| maybe| even)? $`)
	apart    = regexp.MustCompile(`^ (before|prior to|earlier than|after|later than) (?:[^.;,]{0,50} (?:in|of|on) )?$`)
)

// pairs reports whether a value of a claim needs no source of its own, since another beside it has one: as the
// other one of two that follow each other, or as the date from which a span leads to a date of the sources.
func (a *audit) pairs(c *claim, f *fact) bool {
	i := slices.IndexFunc(c.facts, func(e fact) bool { return e.Start == f.Start })
	other := func(first, last, e *fact) bool {
		return math.Abs(e.size-f.size) == 1 && eitherOr.MatchString(c.prose[first.End:last.Start]) && (a.states(c, e) || c.steps.give(e, c.answer))
	}
	if i+1 < len(c.facts) && other(f, &c.facts[i+1], &c.facts[i+1]) {
		return true
	}
	if i == 0 {
		return false
	}
	before := &c.facts[i-1]
	if other(before, f, before) {
		return true
	}
	way := apart.FindStringSubmatch(c.prose[before.End:f.Start])
	if way == nil || before.Low.Dim().String() != inMonths {
		return false
	}
	months, day := int(before.base), f.Date
	if y, ok := f.Year(); ok {
		day = value.Calendar{Year: y}
	}
	if !strings.HasPrefix(way[1], "after") && !strings.HasPrefix(way[1], "later") {
		months = -months
	}
	return day.Year > 0 && slices.ContainsFunc(c.steps.dates, func(d value.Calendar) bool { return day.Add(months, 0).Within(d) || d.Within(day.Add(months, 0)) })
}

func (st *steps) addDate(d value.Calendar) {
	if len(st.dates) >= maxSteps || slices.Contains(st.dates, d) {
		return
	}
	for _, other := range st.dates {
		months, days := d.Between(other)
		st.months, st.days = append(st.months, months...), append(st.days, days...)
		if d.Month == 0 && other.Month == 0 && len(months) > 0 {
			st.months = append(st.months, months[0]+monthsOfYear) // both years counted, as those of a season
		}
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
	case f.Noun == "year" && f.Ordinal: // the 24th year of the Republic
		t.months = int(t.base-1) * monthsOfYear
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

// accepts reports whether a number may round x, in base units that no offset moves. One that was converted from
// units of another factor is rounded to its last digit that is not zero.
func (n *fact) accepts(x, factor float64) bool {
	low, high := n.low, n.high
	if factor != n.factor {
		low, high = max(low, n.loose), max(high, n.loose)
	}
	return x > 0 && within(x, n.size*n.factor, low*n.factor, high*n.factor)
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
	if st.giveRatio(c) || st.agoes(c) {
		return true
	}
	if st.places[placeOf(c)] {
		return false
	}
	y, isYear := c.Year()
	for century := 1500; c.short && century <= 2000; century += 100 {
		if st.giveDate(c, value.Calendar{Year: century + int(c.size)}) {
			return true
		}
	}
	return isYear && st.giveDate(c, value.Calendar{Year: y}) || st.giveSpan(c, bare) || st.giveSum(c, bare) || st.giveProduct(c)
}

// agoes reports whether a number of years leads from a year of the sources to the present, which no source gives.
func (st *steps) agoes(c *fact) bool {
	const since, until, loose = 2000, 2050, 50
	return c.after == "ago" && c.Low.Dim().String() == inMonths && slices.ContainsFunc(st.dates, func(d value.Calendar) bool {
		now := float64(d.Year) + c.base/monthsOfYear
		return now <= until && (now >= since || c.Relation != value.Equal && now >= since-loose)
	})
}

// giveProduct reports whether a number is a number of the sources times a small one that the claim names (ten
// fathoms are 60 feet), or the share of one such number in another, or the sum of what a source lists.
func (st *steps) giveProduct(c *fact) bool {
	of := measureOf(c.Value)
	for _, n := range st.counts {
		if slices.ContainsFunc(st.terms, func(t term) bool { return t.measure == of && c.accepts(n*t.base, t.factor) }) ||
			of.kind == value.Percent && slices.ContainsFunc(st.counts, func(all float64) bool { return n < all && c.accepts(100*n/all, c.factor) }) {
			return true
		}
	}
	for i, sum := range st.lists {
		if st.listed[i] == of && c.accepts(sum, c.factor) {
			return true
		}
	}
	return false
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
	return slices.ContainsFunc(spans, func(n int) bool { return c.accepts(float64(n)*factor, c.factor) }) ||
		bare && slices.ContainsFunc(st.days, func(n int) bool { return c.accepts(float64(n), c.factor) })
}

// giveSum reports whether a number is the sum or the difference of two others of its
// measure, or what a percentage leaves of the whole. A number without unit or noun may have
// those of the other: from -39 °C to 357.
func (st *steps) giveSum(c *fact, bare bool) bool {
	of := measureOf(c.Value)
	sum := func(x, y, factor float64) bool { return c.accepts(math.Abs(x-y), factor) || c.accepts(x+y, factor) }
	for i, a := range st.terms {
		if a.kind == value.Percent && of.kind == value.Percent && c.accepts(100-a.base, 1) {
			return true
		}
		for _, b := range st.terms[i:] {
			same := a.measure == b.measure
			if same && a.measure == of && sum(a.base, b.base, a.factor) ||
				a.bare != b.bare && (a.measure == of || b.measure == of) && sum(a.written*a.factor*b.factor, b.written*a.factor*b.factor, c.factor) ||
				bare && (same || a.bare || b.bare) && sum(a.written, b.written, c.factor) {
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
				gives = same && (c.accepts(100*ratio, 1) || c.accepts(100*math.Abs(ratio-1), 1) || c.accepts(100*a.base/(a.base+b.base), 1))
			case value.Count:
				gives = same && c.accepts(ratio, 1) || a.kind == of.kind && c.accepts(a.written/b.written, 1)
			default:
				gives = a.measure == of && c.accepts(a.base/b.written, a.factor)
			}
			if gives {
				return true
			}
		}
	}
	return false
}
