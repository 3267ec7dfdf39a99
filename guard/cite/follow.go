package cite

import (
	"math"
	"slices"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/value"
)

// follows reports whether a fact of a claim follows from its sources in one step. A later fact of the claim may
// be computed from such a fact, as in "over 7 years, 4,000 a year".
func (a *audit) follows(c *claim, f *fact) bool {
	if c.steps == nil {
		c.steps = newSteps(c.grounds)
		for i := range a.stated {
			c.steps.add(&a.stated[i])
		}
		for i := range c.facts {
			e := &c.facts[i]
			if e.Kind == value.Date {
				c.steps.add(e)
			}
			if e.Numeric() && e.Low.Rat.IsInt() && e.size > 1 && e.size <= maxCount &&
				!slices.Contains(c.steps.counts, e.size) {
				c.steps.counts = append(c.steps.counts, e.size)
			}
		}
	}
	gives := c.steps.give(f, c.answer) || a.isPaired(c, f)
	if gives {
		c.steps.add(f)
	}
	return gives
}

// These expressions match the words between two values of a claim that connect the values: 1853 or 1854, ten
// years before 1909.
var (
	eitherOr = lazy.Compile(`^ ?or(?: perhaps| maybe| even)? $`)
	apart    = lazy.Compile(`^ (?:(before|prior to|earlier than)|after|later than) (?:[^.;,]{0,50} (?:in|of|on) )?$`)
)

// isPaired reports whether a value needs no source of its own, because its neighbour has one. There are two
// cases: the second of two consecutive numbers ("1853 or 1854"), and a span between this date and a date in the
// sources.
func (a *audit) isPaired(c *claim, f *fact) bool {
	i := slices.IndexFunc(c.facts, func(e fact) bool { return e.Start == f.Start })
	isOther := func(first int, e *fact) bool {
		gap := c.prose[c.facts[first].End:c.facts[first+1].Start]
		return math.Abs(e.size-f.size) == 1 && eitherOr.MatchString(gap) &&
			(a.states(c, e) || c.steps.give(e, c.answer))
	}
	if i+1 < len(c.facts) && isOther(i, &c.facts[i+1]) || i > 0 && isOther(i-1, &c.facts[i-1]) {
		return true
	}
	for j := range c.facts {
		if c.steps.agree(f, &c.facts[j]) || c.steps.agree(&c.facts[j], f) {
			return true
		}
	}
	day, isDay := f.day()
	if i == 0 || !isDay || day.Year == 0 || c.facts[i-1].unit() != inMonths {
		return false
	}
	way, months := apart.FindStringSubmatch(c.prose[c.facts[i-1].End:f.Start]), int(c.facts[i-1].base)
	if way != nil && way[1] != "" {
		months = -months
	}
	there := day.Add(months, 0)
	return way != nil && slices.ContainsFunc(c.steps.dates,
		func(d value.Calendar) bool { return there.Within(d) || d.Within(there) })
}

// agree reports whether an age and a year in a claim together lead to a date in the sources. For example, a
// person who was born in 1958 became sixty in 2018, and was 60 until the birthday in 2019.
func (st *steps) agree(age, when *fact) bool {
	day, isDay := when.day()
	if !isDay || day.Year == 0 || age.Kind != value.Count || age.size < 1 ||
		!slices.Contains([]string{"turned", "turns", "turning", "aged", "age", "at"}, age.before) {
		return false
	}
	born := day.Year - int(age.size)
	return slices.ContainsFunc(st.dates, func(d value.Calendar) bool {
		return d.Year == born || age.before != "turned" && d.Year == born-1
	})
}

// accepts reports whether a number may be the rounded form of x, in base units without an offset. If x was
// converted from a unit with another factor, the number may also be rounded to its last nonzero digit.
func (n *fact) accepts(x, factor float64) bool {
	low, high := n.low, n.high
	if factor != n.factor {
		low, high = max(low, n.loose), max(high, n.loose)
	}
	return x > 0 && within(x, n.size*n.factor, low*n.factor, high*n.factor)
}

// give reports whether a number of a claim follows from the sources in one step. bare is true for the answer
// line, where the unit and the noun may be missing.
func (st *steps) give(c *fact, bare bool) bool {
	if c.Kind == value.Date {
		return st.giveDate(c, c.Date)
	}
	if !c.Numeric() || c.Relation == value.Between {
		return false
	}
	if st.giveRatio(c) || st.giveAgo(c) {
		return true
	}
	if st.places[placeOf(c)] {
		return false
	}
	for century := 1500; c.short && century <= 2000; century += 100 {
		if st.giveDate(c, value.Calendar{Year: century + int(c.size)}) {
			return true
		}
	}
	bare = bare && c.Kind == value.Count && c.Noun == ""
	year, isYear := c.Year()
	return isYear && st.giveDate(c, value.Calendar{Year: year}) || st.giveSpan(c, bare) || st.giveSum(c, bare) ||
		st.giveProduct(c)
}

// giveDate reports whether a date follows from a date in the sources and an age or a span.
func (st *steps) giveDate(c *fact, claimed value.Calendar) bool {
	return !st.places[placeOf(c)] && slices.ContainsFunc(st.dates, func(d value.Calendar) bool {
		return slices.ContainsFunc(st.terms, func(t term) bool {
			return t.months+t.days > 0 && (d.Add(t.months, t.days).Within(claimed) ||
				d.Add(-t.months, -t.days).Within(claimed) ||
				t.bare && d.Add(-t.months-monthsOfYear, 0).Within(claimed)) // the year of birth, from an age
		})
	})
}

// giveAgo checks a number in "… years ago". It reports whether the number is the distance from a date in the
// sources to the present. The sources do not say which year is the present, so every year from since to until
// is accepted. If the number is not exact ("over 30"), the year may be up to loose years earlier.
func (st *steps) giveAgo(c *fact) bool {
	const since, until, loose = 2000, 2050, 50
	return c.after == "ago" && c.unit() == inMonths && slices.ContainsFunc(st.dates, func(d value.Calendar) bool {
		now := float64(d.Year) + c.base/monthsOfYear
		return now <= until && (now >= since || c.Relation != value.Equal && now >= since-loose)
	})
}

// giveSpan reports whether a number is the time between two dates, such as an age, a reign or "twelve years
// later". A number without a unit is a number of years. In the answer line it may also be a number of days.
func (st *steps) giveSpan(c *fact, bare bool) bool {
	spans, factor := st.months, 1.0
	switch {
	case c.Kind == value.Count && slices.Contains([]string{"", "year", "season", "seasons", "birthday", "anniversary"},
		c.Noun):
		factor = 1.0 / monthsOfYear
	case c.unit() == inSeconds:
		spans, factor = st.days, secondsOfDay
	case c.unit() != inMonths:
		return false
	}
	accepted := func(spans []int, factor float64) bool {
		return slices.ContainsFunc(spans, func(n int) bool { return c.accepts(float64(n)*factor, c.factor) })
	}
	return accepted(spans, factor) || bare && accepted(st.days, 1)
}

// giveSum reports whether a number is the sum or the difference of two numbers of the same measure, or 100 %
// minus a percentage. If one of the two numbers has no unit or noun, it gets that of the other, as in "from -39
// °C to 357".
func (st *steps) giveSum(c *fact, bare bool) bool {
	of := measureOf(c)
	sum := func(x, y, factor float64) bool { return c.accepts(math.Abs(x-y), factor) || c.accepts(x+y, factor) }
	for i, a := range st.terms {
		if a.kind == value.Percent && of.kind == value.Percent && c.accepts(100-a.base, 1) {
			return true
		}
		for _, b := range st.terms[i:] {
			same := a.measure == b.measure
			if same && a.measure == of && sum(a.base, b.base, a.factor) ||
				a.bare != b.bare && (a.measure == of || b.measure == of) &&
					sum(a.written*a.factor*b.factor, b.written*a.factor*b.factor, c.factor) ||
				bare && (same || a.bare || b.bare) && sum(a.written, b.written, c.factor) {
				return true
			}
		}
	}
	return false
}

// giveProduct reports whether a number has one of these origins:
//
//   - a number in the sources times a small number in the claim (ten fathoms are 60 feet);
//   - a number in the sources times a share that is also in the sources;
//   - the sum of the items of a list in a source.
func (st *steps) giveProduct(c *fact) bool {
	of := measureOf(c)
	for _, n := range st.counts {
		if slices.ContainsFunc(st.terms, func(t term) bool {
			return t.measure == of && c.accepts(n*t.base, t.factor)
		}) ||
			of.kind == value.Percent && slices.ContainsFunc(st.counts,
				func(all float64) bool { return n < all && c.accepts(100*n/all, 1) }) {
			return true
		}
	}
	return slices.ContainsFunc(st.lists[of], func(sum float64) bool { return c.accepts(sum, c.factor) })
}

// giveRatio reports whether a number is the ratio of two other numbers: a share of the whole or of the sum, a
// rise or fall in per cent, a mean, or a part of a unit.
func (st *steps) giveRatio(c *fact) bool {
	of := measureOf(c)
	for i, a := range st.terms {
		for j, b := range st.terms {
			if i == j || b.base == 0 {
				continue
			}
			same, ratio := a.measure == b.measure, a.base/b.base
			var gives bool
			switch of.kind {
			case value.Percent:
				gives = same && (c.accepts(100*ratio, 1) || c.accepts(100*math.Abs(ratio-1), 1) ||
					c.accepts(100*a.base/(a.base+b.base), 1))
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
