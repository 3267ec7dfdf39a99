package answer

import (
	"errors"
	"strings"
)

// dateWord is one word of a date: a month name or a number.
type dateWord struct {
	month   int
	number  int
	digits  int
	ordinal bool // 20th: a day, never a year
}

// maxDateWords bounds what is still looked at as a date.
const maxDateWords = 12

// parseDateWords reads dates with a month name or an era.
func parseDateWords(s string) (date, error) {
	words := strings.FieldsFunc(collapseInitialisms(s), func(r rune) bool {
		return r == ' ' || r == ',' || r == '.' || r == '-' || r == '/'
	})
	if len(words) > maxDateWords {
		return date{}, errNoDate
	}
	before, era := false, false
	var parts []dateWord
	for i, w := range words {
		switch {
		case w == "the" || w == "of":
		case i == 0 && (w == "on" || w == "in"), isWeekday(w):
		case w == "bc" || w == "bce":
			before, era = true, true
		case w == "ad" || w == "ce":
			era = true
		default:
			part, ok := parseDateWord(w)
			if !ok {
				return date{}, errNoDate
			}
			parts = append(parts, part)
		}
	}
	d, yearDigits, ok := arrange(parts, era)
	switch {
	case !ok && len(parts) == 2 && parts[0].month+parts[1].month > 0:
		return date{}, errors.New("no year: give day, month and year")
	case !ok:
		return date{}, errNoDate
	case !era && yearDigits < 3:
		return date{}, errors.New("two-digit year: write four digits, or AD 69")
	case era && d.year == 0:
		return date{}, errors.New("there is no year 0 in an era")
	case before:
		d.year = 1 - d.year
	}
	return d, nil
}

func parseDateWord(w string) (dateWord, bool) {
	if m := monthNumber(w); m > 0 {
		return dateWord{month: m}, true
	}
	figures, ordinal := w, false
	for _, suffix := range []string{"st", "nd", "rd", "th"} {
		if rest, ok := strings.CutSuffix(w, suffix); ok {
			figures, ordinal = rest, true
		}
	}
	n, ok := shortNumber(figures)
	return dateWord{number: n, digits: len(figures), ordinal: ordinal}, ok
}

// arrange reads the parts as year, month year, day month year, month day year,
// year month or year month day. Only an era makes a year of one or two digits.
func arrange(p []dateWord, era bool) (d date, yearDigits int, ok bool) {
	var year, day dateWord
	month := 0
	switch {
	case len(p) == 1:
		year = p[0]
	case len(p) == 2 && p[0].month > 0:
		month, year = p[0].month, p[1]
	case len(p) == 2:
		year, month = p[0], p[1].month
	case len(p) == 3 && p[0].month > 0:
		month, day, year = p[0].month, p[1], p[2]
	case len(p) == 3 && p[0].digits > 2:
		year, month, day = p[0], p[1].month, p[2]
	case len(p) == 3:
		day, month, year = p[0], p[1].month, p[2]
	default:
		return date{}, 0, false
	}
	if year.digits == 0 || year.ordinal || len(p) > 1 && month == 0 {
		return date{}, 0, false
	}
	if len(p) == 3 && (day.number == 0 || day.digits > 2) {
		return date{}, 0, false
	}
	if len(p) == 2 && year.digits < 3 && !era {
		return date{}, 0, false // "20 July" has a day and no year
	}
	return date{year.number, month, day.number}, year.digits, true
}

func monthNumber(w string) int {
	switch w {
	case "january", "jan":
		return 1
	case "february", "feb":
		return 2
	case "march", "mar":
		return 3
	case "april", "apr":
		return 4
	case "may":
		return 5
	case "june", "jun":
		return 6
	case "july", "jul":
		return 7
	case "august", "aug":
		return 8
	case "september", "sept", "sep":
		return 9
	case "october", "oct":
		return 10
	case "november", "nov":
		return 11
	case "december", "dec":
		return 12
	}
	return 0
}

func isWeekday(w string) bool {
	switch w {
	case "monday", "mon", "tuesday", "tue", "tues", "wednesday", "wed", "thursday", "thu", "thur",
		"thurs", "friday", "fri", "saturday", "sat", "sunday", "sun":
		return true
	}
	return false
}
