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

func placeOf(v value.Value, at around) place {
	if _, ok := v.Year(); ok {
		v = value.Value{Kind: value.Date}
	}
	return place{measureOf(v), at}
}

// term is a number of a source. Terms of one measure can be added.
type term struct {
	measure
	base    float64 // in base units
	written float64 // in the unit as written
	factor  float64 // of that unit
	bare    bool    // it has neither unit nor noun
	years   int     // that it may count, as an age or a span; 0 for none
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
		s.readValues()
		for _, m := range oneLater.FindAllStringSubmatch(s.prose, maxSteps) {
			numbers, _ := readValues("1 "+strings.ToLower(m[1]), 1)
			for i := range numbers {
				st.add(&numbers[i])
			}
		}
		for i := range s.numbers {
			n := &s.numbers[i]
			st.addPlace(n.Value, n.around)
			if year, ok := n.Year(); ok {
				st.addDate(value.Calendar{Year: year})
			} else {
				st.add(n)
			}
		}
		for _, d := range s.dates {
			st.addPlace(d.Value, d.around)
			if d.Other == nil {
				st.addDate(d.Date)
			}
		}
	}
	return st
}

func (st *steps) addPlace(v value.Value, at around) {
	if at.before != "" && at.after != "" {
		st.places[placeOf(v, at)] = true
	}
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

// clone may grow without the other.
func (st *steps) clone() *steps {
	c := *st
	c.terms, c.dates, c.months, c.days = slices.Clip(c.terms), slices.Clip(c.dates), slices.Clip(c.months), slices.Clip(c.days)
	return &c
}

// add makes a number a term; one such as the 930 of "in 930" may be a year, too.
func (st *steps) add(n *number) {
	if !n.Numeric() || n.Relation == value.Between || len(st.terms) >= maxSteps {
		return
	}
	t := term{measure: measureOf(n.Value), factor: 1}
	if n.Low.Unit != nil {
		t.factor = float(n.Low.Unit.Factor)
	}
	t.base, _ = n.Low.Base().Float64()
	t.written, _ = n.Low.Rat.Float64()
	t.bare = n.Kind == value.Count && n.Noun == ""
	const early, oldest = 100, 150
	switch {
	case t.dim.String() == inMonths:
		t.years = int(t.base / monthsOfYear)
	case t.dim.String() == inSeconds:
		t.days = int(t.base / secondsOfDay)
	case !t.bare && n.Noun != "year" || n.Ordinal || !n.Low.Rat.IsInt():
	case t.base < oldest:
		t.years = int(t.base)
	}
	if t.bare && n.Low.Plain && n.before == "in" && t.base >= early && t.base < 1000 {
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

// oneLater is a span of one unit, in words that give no number.
var oneLater = regexp.MustCompile(`(?i)\b(?:an?|next|following|previous) (day|week|month|year|decade|century)\b`)

// shareWords tell that a number is a ratio.
var shareWords = regexp.MustCompile(`(?i)\b(?:times|twice|per|each|averaged?|mean|ratio|share|an? (?:year|month|week|day|hour|head|match|game))\b`)

// goal is a claimed number, with all that it may be rounded from.
type goal struct {
	*number
	least, most float64 // in base units
}

func newGoal(c *number) goal {
	factor := 1.0
	if c.Low.Unit != nil {
		factor = float(c.Low.Unit.Factor)
	}
	low := min(float(c.low), c.size/2) // nothing rounds to a number by half its size
	eps := slack * max(c.size, 1)
	return goal{c, (c.size - low - eps) * factor, (c.size + float(c.high) + eps) * factor}
}

func (g goal) accepts(x float64) bool { return x > 0 && x >= g.least && x <= g.most }

// give reports whether a claimed number follows in one step. In a sentence that speaks of
// a share it may be a ratio; bare is a number on the answer line, where the unit and the noun
// may be left out.
func (st *steps) give(c *number, share, bare bool) bool {
	if !c.Numeric() || c.Relation == value.Between || st.places[placeOf(c.Value, c.around)] {
		return false
	}
	if y, ok := c.Year(); ok && st.giveDate(date{Value: value.Value{Date: value.Calendar{Year: y}}, around: c.around}) {
		return true
	}
	bare = bare && c.Kind == value.Count && c.Noun == ""
	share = share || bare || c.Kind == value.Percent || c.Low.Fraction
	g := newGoal(c)
	return st.giveSpan(g) || st.giveSum(g, bare) || share && st.giveRatio(g)
}

// giveDate reports whether a date follows from another and an age or a span.
func (st *steps) giveDate(c date) bool {
	return !st.places[placeOf(c.Value, c.around)] && slices.ContainsFunc(st.dates, func(d value.Calendar) bool {
		return slices.ContainsFunc(st.terms, func(t term) bool {
			return t.years+t.days > 0 && (d.Add(t.years, t.days).Within(c.Date) || d.Add(-t.years, -t.days).Within(c.Date))
		})
	})
}

// giveSpan reports whether a number is the time between two dates: an age, a reign, "twelve
// years later". A number without a unit counts years.
func (st *steps) giveSpan(c goal) bool {
	unit := c.Low.Dim().String()
	spans, factor := st.months, 1.0
	switch {
	case c.Kind == value.Count && slices.Contains([]string{"", "birthday", "anniversary"}, c.Noun):
		factor = 1.0 / monthsOfYear
	case unit == inSeconds:
		spans, factor = st.days, secondsOfDay
	case unit != inMonths:
		return false
	}
	return slices.ContainsFunc(spans, func(n int) bool { return c.accepts(float64(n) * factor) })
}

// giveSum reports whether a number is the sum or the difference of two others of its
// measure, or what a percentage leaves of the whole. A number without unit or noun may have
// those of the other: from -39 °C to 357.
func (st *steps) giveSum(c goal, bare bool) bool {
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

// giveRatio reports whether a number is the ratio of two others.
func (st *steps) giveRatio(c goal) bool {
	whole := 1.0
	if c.Kind == value.Percent {
		whole = 100
	} else if c.Kind != value.Count {
		return false
	}
	for i, a := range st.terms {
		for j, b := range st.terms {
			if i != j && b.base != 0 && (a.measure == b.measure && c.accepts(whole*a.base/b.base) ||
				whole == 1 && a.kind == value.Count && c.accepts(a.written/b.written)) {
				return true
			}
		}
	}
	return false
}
