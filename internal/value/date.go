package value

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

var (
	errNoDate    = errors.New("no date: write 1969-07-20, 20 July 1969, July 1969 or 1969")
	errTwoDigits = errors.New("two-digit year: write four digits, or AD 69")
)

// date is the result of [scanDate].
type date struct {
	Calendar
	other *Calendar // the second reading of 03/04/2024
}

// dateForms has the orders in which the parts of a date can be written. The first form that fits is used. A
// space in a form allows words such as "of". The letters are:
//
//	d day, m month, y year of three digits or more, n year next to an era, e era,
//	o s  19th century
//	Y M D C T  numbers with a sign after them: 年 月 日 世紀 年代, and the 1960s
var dateForms = []string{
	"m ne", "m y", "m d ne", "m d y", "m d",
	"d m ne", "d m y", "d m",
	"ymd", "ym", "ose", "os", "en", "ne", "y",
	"YMD", "YM", "Y", "MD", "C", "T",
}

// dateRoles maps a letter of [dateForms] to the class of date parts that it matches.
var dateRoles = map[rune]string{
	'm': "month", 'e': "era", 's': "span", 'd': "number", 'y': "number", 'n': "number", 'o': "number",
	'Y': "yearmark", 'M': "monthmark", 'D': "daymark", 'C': "centurymark", 'T': "decademark",
}

// scanDate reads a date at the beginning of s, in lower case, and returns its length; 0 if s does not begin
// with a date. A year alone is a date only if years is set. The error says why a text that looks like a date is
// not one.
func scanDate(s string, years bool) (d date, n int, err error) {
	if s != "" && (text.IsDigit(s[0]) || s[0] == '-') {
		if d, n, err := scanFigures(s, years); n > 0 {
			return d, n, err
		}
	}
	parts := dateParts(s)
	from := 0
	if len(parts) > 0 && parts[0].class == "weekday" {
		from = 1
	}
	for from < len(parts) && parts[from].class == "filler" {
		from++
	}
	for _, form := range dateForms {
		if (form == "y" || form == "ym") && !years {
			continue
		}
		if c, n := readForm(form, parts[from:]); n > 0 {
			return date{Calendar: c}, parts[from+n-1].end, c.check()
		}
	}
	if len(parts) == 1 && years && parts[0].class == "number" && !parts[0].ordinal {
		return date{}, 0, errTwoDigits
	}
	return date{}, 0, nil
}

// readForm reads parts as a date of one form, and returns the number of parts it used.
func readForm(form string, parts []datePart) (c Calendar, n int) {
	era := 1
	for _, role := range form {
		if role == ' ' {
			for n < len(parts) && parts[n].class == "filler" {
				n++
			}
			continue
		}
		if n == len(parts) || !parts[n].fits(role) {
			return c, 0
		}
		switch v := parts[n].value; role {
		case 'd', 'D':
			c.Day = v
		case 'm', 'M':
			c.Month = v
		case 'y', 'n', 'Y':
			c.Year = v
		case 'o', 'C':
			c.Year, c.Years = 100*v-99, 100
		case 'T':
			c.Year, c.Years = v, 10
		case 'e':
			era = v
		}
		n++
	}
	c.NoYear = c.Year == 0 && c.Years == 0
	switch {
	case c.NoYear && c.Day > daysIn(2000, c.Month), form == "en" && era < 0:
		return c, 0
	case era < 0 && c.Years > 0: // the 1st century BC begins with 100 BC
		c.Year = -98 - c.Year
	case era < 0:
		c.Year = 1 - c.Year
	}
	return c, n
}

// datePart is a word, figure or sign of a date.
type datePart struct {
	class   string // class in calendar.tsv, or "number"
	value   int
	digits  int
	ordinal bool // 20th: a day, never a year
	end     int
}

func (p datePart) fits(role rune) bool {
	if p.class != dateRoles[role] {
		return false
	}
	switch role {
	case 'd':
		return p.digits <= 2 && p.value >= 1 && p.value <= 31
	case 'y':
		return p.digits > 2 && p.value > 0 && !p.ordinal
	case 'n':
		return p.value > 0 && !p.ordinal // an era has no year 0
	}
	return p.value > 0 || role == 'e' || role == 's' || role == 'T'
}

// maxDateParts is the maximum number of parts of a date.
const maxDateParts = 10

// dateParts splits the beginning of s into the parts of a date, up to the first other word.
func dateParts(s string) []datePart {
	var parts []datePart
	for at := 0; len(parts) < maxDateParts; {
		part, ok := readDatePart(s[at:])
		if !ok {
			break
		}
		part.end += at
		parts = append(parts, part)
		rest := s[part.end:]
		gap := strings.TrimLeft(rest, " ,.-/")
		between := rest[:len(rest)-len(gap)]
		// A point between two parts ends a sentence, except after a day, as in "5. März", or after a short name
		// of a month.
		pointed := strings.Contains(between, ".") && part.digits != 1 && part.digits != 2 && part.end-at > 4
		dash := strings.Contains(between, "-") && strings.Contains(between, " ") // 1931 - June 28, 2016
		if len(between) > 3 || pointed || dash || between == "" && part.digits == 0 {
			break
		}
		at = len(s) - len(gap)
	}
	return parts
}

// dateWord matches july, or b.c. with or without its last point.
var dateWord = lazy.Compile(`^(?:[\pL\pM](?:\.[\pL\pM])+\.?|[\pL\pM]{1,32})`)

// readDatePart reads one part at the start of s.
func readDatePart(s string) (datePart, bool) {
	if v, n := scanDigits(s); n > 0 {
		return datePart{class: "number", value: v, digits: n, end: n}.behindFigures(s[n:])
	}
	n := len(dateWord.FindString(s))
	e, ok := dateWords()[s[:n]]
	switch {
	case e.class == "epoch":
		p, ok := readDatePart(s[n:])
		p.value += int(e.value)
		p.end += n
		return p, ok && p.class == "yearmark"
	case !ok || strings.HasSuffix(e.class, "mark") || n < len(s) && text.IsDigit(s[n]):
		return datePart{}, false
	}
	return datePart{class: e.class, value: int(e.value), end: n}, true
}

// behindFigures reads the sign or suffix directly after digits: 3月, 1960s, 4th, 44BC.
func (p datePart) behindFigures(s string) (datePart, bool) {
	if p.digits > 4 {
		return p, false
	}
	sign := strings.TrimPrefix(s, " ")
	_, first := utf8.DecodeRuneInString(sign)
	_, second := utf8.DecodeRuneInString(sign[first:])
	for _, n := range []int{first + second, first} {
		if class := dateWords()[sign[:n]].class; strings.HasSuffix(class, "mark") {
			p.class, p.end = class, p.end+len(s)-len(sign)+n
			return p, class != "decademark" || p.value%10 == 0
		}
	}
	after := strings.TrimPrefix(strings.TrimPrefix(s, "'"), "s")
	switch {
	case p.digits == 4 && p.value%10 == 0 && strings.HasSuffix(s[:len(s)-len(after)], "s") && !text.StartsWord(after):
		p.class, p.end = "decademark", p.end+len(s)-len(after)
	case ordinalEnding.MatchString(s):
		p.ordinal, p.end = true, p.end+len("th")
	case text.StartsWord(s):
		era, ok := readDatePart(s)
		return p, ok && era.class == "era"
	}
	return p, true
}

var ordinalEnding = lazy.Compile(`^(?:st|nd|rd|th)\b`)

// figureDate matches two or three numbers with separators between them, or a negative year.
var figureDate = lazy.Compile(`^(-?)(\d+)(?:([-/.])(\d+)(?:([-/.])(\d+))?)?`)

// compactDate matches year, month and day without separators.
var compactDate = lazy.Compile(`^([12][0-9]{3})(0[1-9]|1[0-2])([0-2][0-9]|3[01])(?:$|[^0-9])`)

// scanFigures reads dates of digits with one kind of separator, and negative years. In the forms, y is a number
// of four digits, and d one of one or two digits.
func scanFigures(s string, years bool) (d date, n int, err error) {
	m := figureDate.FindStringSubmatch(s)
	if m == nil || m[5] != "" && m[5] != m[3] || m[3] == "." && m[5] == "" || separated(s[len(m[0]):], "-/.") {
		return date{}, 0, nil
	}
	var f [3]int
	shape, n := m[1], len(m[0])
	for i, figure := range []string{m[2], m[4], m[6]} {
		f[i], _ = scanDigits(figure)
		shape += [...]string{"", "d", "d", "x", "y", "x"}[min(len(figure), 5)]
	}
	if compact := compactDate.FindStringSubmatch(s); years && compact != nil && m[1]+m[3] == "" { // 20210305
		for i := range f {
			f[i], _ = scanDigits(compact[i+1])
		}
		shape = "ydd"
		m[5] = "-"
	}
	year := f[0] * (1 - 2*len(m[1]))
	if text.StartsWord(s[n:]) {
		if s[n] != 't' || n+1 >= len(s) || !text.IsDigit(s[n+1]) { // an instant: its day is the date
			return date{}, 0, nil
		}
		n = len(s) - len(strings.TrimLeft(s[n+1:], "0123456789:.z+"))
	}
	switch shape {
	case "ydd", "-ydd":
		d.Calendar = Calendar{Year: year, Month: f[1], Day: f[2]}
	case "yd", "-yd":
		d.Calendar = Calendar{Year: year, Month: f[1]}
	case "dy":
		d.Calendar = Calendar{Year: f[1], Month: f[0]}
	case "ddy":
		d.Calendar = Calendar{Year: f[2], Month: f[1], Day: f[0]}
		if other := (Calendar{Year: f[2], Month: f[0], Day: f[1]}); f[1] > 12 {
			d.Calendar = other
		} else if f[0] <= 12 && f[0] != f[1] {
			d.other = &other
		}
	case "ddd":
		return date{}, n, errTwoDigits
	case "-y":
		if years {
			return date{Calendar: Calendar{Year: year}}, n, nil
		}
	}
	if whole := m[5] != ""; !whole && (d.Month == 0 || d.Month > 12) {
		return date{}, 0, nil
	} else if d.Month == 0 || whole && d.Day == 0 {
		return date{}, n, errors.New("a month or day of zero")
	}
	return d, n, d.check()
}
