package cite

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/value"
)

// steps has the values in a claim's sources from which a number of the claim may follow in one step: as an age,
// a span, a difference, a sum or a ratio (docs/method.md §8, C4).
type steps struct {
	terms  []term
	dates  []value.Calendar
	months []int                 // spans between two of the dates, in months
	days   []int                 // the same spans in days
	lists  map[measure][]float64 // sums of the items that a source lists, in base units
	places map[place]bool        // places of the numbers and dates in the sources
	counts []float64             // small numbers in the claim
}

// place identifies a number by its measure and the words before and after it. If a source has another number at
// the same place, the source contradicts the claim.
type place struct {
	measure
	around
}

func placeOf(f *fact) place {
	if _, ok := f.Year(); ok {
		return place{measure{kind: value.Date}, f.around}
	}
	return place{measureOf(f), f.around}
}

// term is a number in a source. Terms of the same measure can be added.
type term struct {
	measure
	base    float64 // size in base units
	written float64 // size in the unit as written
	factor  float64 // number of base units in that unit
	bare    bool    // it has neither unit nor noun
	months  int     // length in months if it is an age or a span, otherwise 0
	days    int     // the same length in days
}

type measure struct {
	kind     value.Kind
	dim      value.Dimension
	currency string
}

func measureOf(f *fact) measure { return measure{f.Kind, f.Low.Dim(), f.Currency.Name()} }

// maxSteps limits the number of values that are combined in pairs.
const maxSteps = 100

// Base units of spans, the months of a year and the seconds of a day.
const (
	inMonths, inSeconds = "month", "s"
	monthsOfYear        = 12
	secondsOfDay        = 24 * 60 * 60
)

func newSteps(sources []*source) *steps {
	st := &steps{places: map[place]bool{}, lists: map[measure][]float64{}}
	for _, s := range sources {
		var last value.Calendar
		facts := s.facts()
		for i := range facts {
			f := &facts[i]
			if day, ok := f.day(); ok {
				last = day
			} else if f.unit() == inMonths && inClass("apart", f.after) && last.Year > 0 { // "in 1891, …, two years prior"
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

// unit returns the base units of a quantity; "" if it has no unit.
func (n *fact) unit() string { return n.Low.Dim().String() }

// day returns the date or the year that a fact states. ok is false if the fact is neither a date nor a year, or
// has two readings.
func (n *fact) day() (value.Calendar, bool) {
	if y, ok := n.Year(); ok {
		return value.Calendar{Year: y}, true
	}
	return n.Date, n.Kind == value.Date && n.Other == nil
}

// addLists adds sums of items that a source lists. For "2 wins, 5 losses and 1 tie" it adds 8.
func (st *steps) addLists(s *source) {
	const gap, fewest, most = 30, 3, 8
	var run []*fact
	for _, f := range s.facts() {
		if _, isYear := f.Year(); isYear || !f.Numeric() || f.Ordinal {
			continue
		}
		if n := len(run); n == most || n > 0 && (measureOf(&f) != measureOf(run[0]) || f.Start < run[n-1].End ||
			f.Start > run[n-1].End+gap ||
			strings.Contains(s.prose[run[n-1].End:f.Start], ". ")) {
			run = nil
		}
		run = append(run, &f)
		for from, sum := len(run)-1, 0.0; from >= 0; from-- {
			if sum += run[from].base; len(run)-from >= fewest {
				st.lists[measureOf(&f)] = append(st.lists[measureOf(&f)], sum)
			}
		}
	}
}

func (st *steps) addDate(d value.Calendar) {
	if len(st.dates) >= maxSteps || slices.Contains(st.dates, d) {
		return
	}
	for _, other := range st.dates {
		months, days := d.Between(other)
		st.months, st.days = append(st.months, months...), append(st.days, days...)
		if d.Month == 0 && other.Month == 0 && len(months) > 0 {
			st.months = append(st.months, months[0]+monthsOfYear) // count the first and the last year, as for a season
		}
	}
	st.dates = append(st.dates, d)
}

// add adds a fact as a term, as a date, or as both: the 930 in "in 930" may be a number or a year.
func (st *steps) add(f *fact) {
	day, isDay := f.day()
	switch {
	case f.Kind == value.Date && strings.Contains(f.text, "'"): // 1970's may mean the year 1970
		st.addDate(value.Calendar{Year: f.Date.Year})
	case isDay:
		st.addDate(day)
	case f.Numeric() && f.Relation != value.Between && len(st.terms) < maxSteps:
		st.addTerm(f)
	}
}

func (st *steps) addTerm(f *fact) {
	t := term{measure: measureOf(f), factor: f.factor, bare: f.Kind == value.Count && f.Noun == ""}
	t.base, _ = f.Low.Base().Float64()
	t.written, _ = f.Low.Rat.Float64()
	const early, oldest = 100, 150
	switch {
	case f.unit() == inMonths:
		t.months = int(t.base)
	case f.unit() == inSeconds:
		t.days = int(t.base / secondsOfDay)
	case f.Ordinal && (f.Noun == "anniversary" || f.Noun == "birthday"):
		t.months = int(t.base) * monthsOfYear
	case f.Noun == "year" && f.Ordinal: // for example "the 24th year of the Republic"
		t.months = int(t.base-1) * monthsOfYear
	case (t.bare || f.Noun == "year") && !f.Ordinal && f.Low.Rat.IsInt() && t.base < oldest:
		t.months = int(t.base) * monthsOfYear
	}
	if t.bare && f.Low.Plain && f.before == "in" && t.base >= early && t.base < 1000 {
		st.addDate(value.Calendar{Year: int(t.base)})
	}
	st.terms = append(st.terms, t)
}
