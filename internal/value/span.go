package value

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// dates reads a date here, or two that share a part: 1939-45, 5-7 July 1969, July 16-24,
// 1969. A month in lower case must follow its day, since march and may are words, too.
func (f *finder) dates(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	if unicode.IsLetter(first) && !text.IsUnspaced(first) {
		word, _ := text.FirstWord(s)
		class := dateWords()[word].class
		shown, _ := utf8.DecodeRuneInString(f.String[f.at:])
		if class == "" || class == "filler" || class == "span" || !unicode.IsUpper(shown) {
			return false
		}
	} else if first == '-' {
		return false
	}
	d, n, err := scanDate(s, false)
	if err != nil {
		n = 0
	}
	v, digits := scanDigits(s)
	noApril := n == len("2003-04") && s[4] == '-' && d.Month > d.Year%100 // from 2003 to 2004
	if digits == 4 && (n == 0 || noApril) && f.years(s, v) {
		return true
	}
	if n == 0 {
		first, m := firstOfTwo(s)
		if m > 0 {
			f.add(Value{Kind: Date, Date: first}, m)
		}
		return m > 0
	}
	second, gap, m := secondDay(d.Calendar, s[n:])
	if m > 0 && text.IsDigit(s[n-1]) {
		d.Year, d.NoYear = second.Year, second.NoYear
	}
	f.add(Value{Kind: Date, Date: d.Calendar, Other: d.other, Doubt: d.other != nil}, n)
	if m > 0 && text.IsDigit(s[n-1]) {
		f.at += gap
		f.add(Value{Kind: Date, Date: second}, m)
	}
	return true
}

// years reads 1939-45 as the years 1939 and 1945.
func (f *finder) years(s string, year int) bool {
	rest, ok := strings.CutPrefix(s[4:], "-")
	end, digits := scanDigits(rest)
	if !ok || year < 1000 || year > 2099 || digits != 2 || end <= year%100 || text.StartsWord(rest[2:]) {
		return false
	}
	f.add(Value{Kind: Date, Date: Calendar{Year: year}}, 4)
	f.at++
	f.add(Value{Kind: Date, Date: Calendar{Year: year - year%100 + end}}, 2)
	return true
}

// dayJoints stand between the days of a span.
var dayJoints = []string{"-", " - ", " to ", " and "}

// firstOfTwo gives the 5 of "5-7 July 1969" the month and year of the second day, and the
// January of "January and August 2008" its year. n is its length.
func firstOfTwo(s string) (first Calendar, n int) {
	part, ok := readDatePart(s)
	if !ok || part.class != "month" && (!part.fits('d') || part.ordinal) {
		return first, 0
	}
	for _, joint := range dayJoints {
		rest, follows := strings.CutPrefix(s[part.end:], joint)
		if !follows || rest == "" {
			continue
		}
		d, m, err := scanDate(rest, false)
		isDay := part.class != "month" && text.IsDigit(rest[0]) && d.Day > part.value && d.other == nil
		switch {
		case m == 0 || err != nil:
		case isDay:
			d.Day = part.value
			return d.Calendar, part.end
		case part.class == "month" && d.Day == 0 && d.Month > part.value:
			return Calendar{Year: d.Year, Month: part.value}, part.end
		}
	}
	return first, 0
}

// secondDay reads the "-24, 1969" behind "July 16": the gap before the second day, and its
// length with the year.
func secondDay(d Calendar, rest string) (second Calendar, gap, n int) {
	for _, joint := range dayJoints {
		s, ok := strings.CutPrefix(rest, joint)
		day, n := scanDigits(s)
		if !ok || !d.NoYear || n == 0 || n > 2 || day <= d.Day {
			continue
		}
		d.Day = day
		behind := strings.TrimPrefix(strings.TrimPrefix(s[n:], ","), " ")
		if year, m := scanDigits(behind); m == 4 && !text.StartsWord(behind[m:]) {
			d.Year, d.NoYear = year, false
			n = len(s) - len(behind) + m
		} else if joint != "-" || text.StartsWord(s[n:]) {
			break
		}
		if d.check() != nil {
			break
		}
		return d, len(joint), n
	}
	return d, 0, 0
}
