package value

import (
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// dates reads a date at the current place, or two that share a part: 1939-45, 5-7 July 1969, July 16-24, 1969.
// A month in lower case must come after its day, because march and may are also words.
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
	if m := twoYears.FindStringSubmatch(s); m != nil && m[3] > m[2] && (n == 0 || n == len("2003-04")) {
		first, _ := scanDigits(m[1] + m[2])
		second, _ := scanDigits(m[1] + m[3])
		f.add(Value{Kind: Date, Date: Calendar{Year: first}}, 4)
		f.at++
		f.add(Value{Kind: Date, Date: Calendar{Year: second}}, 2)
		return true
	}
	if n == 0 {
		first, m := firstOfTwo(s)
		if m > 0 {
			f.add(Value{Kind: Date, Date: first}, m)
		}
		return m > 0
	}
	var second Calendar
	var gap, m int
	if text.IsDigit(s[n-1]) {
		second, gap, m = secondDay(&d.Calendar, s[n:])
	}
	f.add(Value{Kind: Date, Date: d.Calendar, Other: d.other, Doubt: d.other != nil}, n)
	if m > 0 {
		f.at += gap
		f.add(Value{Kind: Date, Date: second}, m)
	}
	return true
}

// These expressions match the parts of a range of dates: twoYears the -45 of 1939-45, dayJoint the text between
// two days or months, and toDay the "-24, 1969" after "July 16".
var (
	twoYears = lazy.Compile(`^(1[0-9]|20)([0-9]{2})-([0-9]{2})(?:$|[^\pL\pM\p{Nd}])`)
	dayJoint = lazy.Compile(`^(?:-| - | to | and )`)
	toDay    = lazy.Compile(dayJoint.String() + `([0-9]{1,2})(?:,? ?([0-9]{4})\b)?`)
)

// firstOfTwo reads the first date of a range. This date may lack parts that only the second date has: the 5 of
// "5-7 July 1969" gets month and year from it, and the January of "January and August 2008" gets the year. n is
// the length of the first date.
func firstOfTwo(s string) (first Calendar, n int) {
	part, ok := readDatePart(s)
	joint := dayJoint.FindString(s[part.end:])
	rest := s[part.end+len(joint):]
	if !ok || joint == "" || rest == "" {
		return first, 0
	}
	d, m, err := scanDate(rest, false)
	switch {
	case m == 0 || err != nil:
	case part.fits('d') && !part.ordinal && text.IsDigit(rest[0]) && d.Day > part.value && d.other == nil:
		d.Day = part.value
		return d.Calendar, part.end
	case part.class == "month" && d.Day == 0 && d.Month > part.value:
		return Calendar{Year: d.Year, Month: part.value}, part.end
	}
	return first, 0
}

// secondDay reads the "-24, 1969" after "July 16". gap is the length of the text before the second day. n is
// the length of the text up to the year, the year included. The year is also set in first.
func secondDay(first *Calendar, rest string) (second Calendar, gap, n int) {
	m := toDay.FindStringSubmatch(rest)
	if m == nil || !first.NoYear || m[2] == "" && (rest[0] != '-' || text.StartsWord(rest[len(m[0]):])) {
		return second, 0, 0
	}
	second = Calendar{Month: first.Month, NoYear: m[2] == ""}
	second.Day, _ = scanDigits(m[1])
	second.Year, _ = scanDigits(m[2])
	if second.Day <= first.Day || second.check() != nil {
		return second, 0, 0
	}
	first.Year, first.NoYear = second.Year, second.NoYear
	gap = len(dayJoint.FindString(rest))
	return second, gap, len(m[0]) - gap
}
