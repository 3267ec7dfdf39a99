package answer

import (
	"errors"
	"fmt"
	"strings"
)

// readDate reads a year, a month or a day of the Gregorian calendar, in ISO 8601
// form, in English words, or as day, month and year in figures where these can be
// read in one way only. Years before Christ are astronomical: 44 BC is -0043.
func readDate(text string) (reading, error) {
	relation, rest := cutApproximately(text)
	d, err := parseDate(rest)
	if errors.Is(err, errDayOrMonth) {
		return ambiguous(text), nil
	}
	if err != nil {
		return reading{}, fmt.Errorf("%s: %w", quote(text), err)
	}
	if relation == approx {
		return exactly(tagApprox, string(approx)+d.String()), nil
	}
	return exactly(tagDate, d.String()), nil
}

var (
	// errDayOrMonth marks 03/04/2024, which is no error of the answer's form.
	errDayOrMonth = errors.New("day or month may come first")
	errNoDate     = errors.New("no date: write 1969-07-20, 20 July 1969, July 1969 or 1969")
)

// date is a day, or a month if day is 0, or a year if month is 0 too.
type date struct{ year, month, day int }

func (d date) String() string {
	s := fmt.Sprintf("%04d", d.year)
	if d.year < 0 {
		s = fmt.Sprintf("-%04d", -d.year)
	}
	if d.month > 0 {
		s += fmt.Sprintf("-%02d", d.month)
	}
	if d.day > 0 {
		s += fmt.Sprintf("-%02d", d.day)
	}
	return s
}

// check refuses what is not in the calendar.
func (d date) check() error {
	if d.month > 12 || d.day > 0 && d.day > daysIn(d.year, d.month) {
		return fmt.Errorf("no such day in the calendar: %s", d)
	}
	return nil
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

func parseDate(s string) (date, error) {
	if s == "" {
		return date{}, errNoDate
	}
	d, err := parseFigures(s)
	if errors.Is(err, errNoDate) {
		d, err = parseDateWords(s)
	}
	if err != nil {
		return date{}, err
	}
	return d, d.check()
}

// parseFigures reads dates of digits and one kind of separator.
func parseFigures(s string) (date, error) {
	sign := 1
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		s, sign = rest, -1
	}
	sep := strings.IndexAny(s, "-/.")
	parts := []string{s}
	if sep >= 0 {
		parts = strings.Split(s, s[sep:sep+1])
	}
	if len(parts) > 3 {
		return date{}, errNoDate
	}
	var n [3]int
	for i, p := range parts {
		v, ok := shortNumber(p)
		if !ok {
			return date{}, errNoDate
		}
		n[i] = v
	}
	first, last := len(parts[0]), len(parts[len(parts)-1])
	for i, p := range parts {
		if len(p) > 2 && i > 0 && (i < len(parts)-1 || first == 4) {
			return date{}, errNoDate // 1969-1970 is no month of a year
		}
	}
	switch {
	case len(parts) == 1:
		return yearAlone(s, sign*n[0], sign)
	case sign < 0 && first != 4:
		return date{}, errNoDate
	case first == 4 && len(parts) == 3:
		return ordered(sign*n[0], n[1], n[2])
	case first == 4 && s[sep] != '.':
		return ordered(sign*n[0], n[1], -1)
	case last == 4 && len(parts) == 3:
		return dayMonth(n[0], n[1], n[2])
	case last == 4 && s[sep] != '.' && n[0] >= 1 && n[0] <= 12:
		return date{n[1], n[0], 0}, nil
	case len(parts) == 3:
		return date{}, errors.New("two-digit year: write four digits")
	}
	return date{}, errNoDate
}

// ordered builds a date from year, month and day; day is -1 where none is given.
func ordered(year, month, day int) (date, error) {
	if month == 0 || day == 0 {
		return date{}, errors.New("a month or day of zero")
	}
	return date{year, month, max(day, 0)}, nil
}

func yearAlone(s string, year, sign int) (date, error) {
	switch {
	case sign < 0 && len(s) != 4:
		return date{}, errors.New("a negative year needs four digits; write 44 BC or -0043")
	case len(s) < 3:
		return date{}, errors.New("two-digit year: write four digits, or AD 69")
	}
	return date{year: year}, nil
}

// dayMonth reads figures in which the year stands last.
func dayMonth(a, b, year int) (date, error) {
	switch {
	case a == 0 || b == 0:
		return date{}, errors.New("a month or day of zero")
	case a == b || a > 12:
		return date{year, b, a}, nil
	case b > 12:
		return date{year, a, b}, nil
	}
	return date{}, errDayOrMonth
}

// shortNumber reads one to four digits.
func shortNumber(s string) (int, bool) {
	if s == "" || len(s) > 4 {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}
