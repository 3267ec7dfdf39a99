package cite

import (
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/value"
)

// date is a date of a text, as written.
type date struct {
	value.Value
	text string
	around
}

// readings are the calendar dates that a text may mean: two of 03/04/2024.
func (d date) readings() []value.Calendar {
	if d.Other == nil {
		return []value.Calendar{d.Date}
	}
	return []value.Calendar{d.Date, *d.Other}
}

// states reports whether evidence d states claim c: the same date, or a finer one.
func (d date) states(c date) bool {
	return slices.ContainsFunc(c.readings(), func(claimed value.Calendar) bool {
		return slices.ContainsFunc(d.readings(), func(found value.Calendar) bool { return found.Within(claimed) })
	})
}

// hasYear reports whether a date of a source lies in a year.
func (s *source) hasYear(y int) bool {
	return slices.ContainsFunc(s.dates, func(d date) bool { return !d.Date.NoYear && d.Date.Years == 0 && d.Date.Year == y })
}

// backsDate reports whether a source states a date, at its precision or a finer one. A
// day and a year that stand apart, as in a table, count together.
func (s *source) backsDate(c date) bool {
	s.readValues()
	if slices.ContainsFunc(s.dates, func(d date) bool { return d.states(c) }) {
		return true
	}
	day := c.Date
	switch {
	case day.NoYear:
		return false
	case day.Month == 0:
		return slices.ContainsFunc(s.numbers, func(n number) bool {
			y, ok := n.Year()
			return ok && (value.Calendar{Year: y}).Within(day)
		})
	case day.Day == 0:
		// "In October 1957 … the next January" is January 1958.
		return s.stems[stem(strings.ToLower(time.Month(day.Month).String()))] && (s.hasYear(day.Year) || s.hasYear(day.Year-1))
	}
	anyYear := value.Calendar{Month: day.Month, Day: day.Day, NoYear: true}
	return slices.ContainsFunc(s.dates, func(d date) bool { return d.Date.NoYear && d.Date == anyYear }) &&
		s.backsDate(date{Value: value.Value{Kind: value.Date, Date: value.Calendar{Year: day.Year}}})
}
