package value

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

var (
	// errDayOrMonth marks 03/04/2024, which is a date with two readings.
	errDayOrMonth = errors.New("day or month may come first")
	errNoDate     = errors.New("no date: write 1969-07-20, 20 July 1969, July 1969 or 1969")
	errTwoDigits  = errors.New("two-digit year: write four digits, or AD 69")
)

// date is what [scanDate] read.
type date struct {
	Calendar
	other *Calendar // the second reading of 03/04/2024
}

// scanDate reads a date at the start of s, in lower case, and returns its length; 0 if s
// does not start with one. A year alone counts only with years. The error tells why what
// looks like a date is not one.
func scanDate(s string, years bool) (d date, n int, err error) {
	first, _ := utf8.DecodeRuneInString(s)
	if d, n := scanMarked(s); n > 0 {
		return d, n, d.check()
	}
	if text.IsUnspaced(first) {
		return date{}, 0, nil
	}
	if text.IsDigit(byte(first)) && first < utf8.RuneSelf || first == '-' {
		if d, n, err := scanFigures(s, years); n > 0 {
			return d, n, err
		}
	}
	return scanDateWords(s, years)
}

// scanFigures reads dates of digits and one kind of separator, and decades.
func scanFigures(s string, years bool) (d date, n int, err error) {
	sign, start := 1, 0
	if s[0] == '-' {
		sign, start = -1, 1
	}
	sep := byte(0)
	var parts []string
	n = start
	for n < len(s) && text.IsDigit(s[n]) && len(parts) < 4 {
		from := n
		for n < len(s) && text.IsDigit(s[n]) {
			n++
		}
		parts = append(parts, s[from:n])
		if n+1 >= len(s) || !text.IsDigit(s[n+1]) || strings.IndexByte("-/.", s[n]) < 0 || sep != 0 && s[n] != sep {
			break
		}
		sep = s[n]
		n++
	}
	if len(parts) == 0 || len(parts) > 3 {
		return date{}, 0, nil
	}
	var f [3]int
	for i, p := range parts {
		v, ok := shortNumber(p)
		if !ok || i > 0 && len(p) > 2 && (i < len(parts)-1 || len(parts[0]) == 4) {
			return date{}, 0, nil // 1969-1970 is no month of a year
		}
		f[i] = v
	}
	if len(parts) == 1 {
		return scanYear(s, n, sign, f[0], years)
	}
	if text.StartsWord(s[n:]) {
		end := clockEnd(s, n)
		if end == n || years { // an answer of an instant would lose its time
			return date{}, 0, nil
		}
		n = end
	}
	d.Calendar, err = arrangeFigures(f, parts, sign, sep)
	switch {
	case errors.Is(err, errDayOrMonth):
		d.Calendar = Calendar{Year: f[2], Month: f[1], Day: f[0]}
		d.other = &Calendar{Year: f[2], Month: f[0], Day: f[1]}
		return d, n, nil
	case errors.Is(err, errNoDate):
		return date{}, 0, nil
	case err == nil:
		err = d.check()
	}
	return d, n, err
}

// clockEnd is behind the time of day of 1969-07-20T20:17:40Z.
func clockEnd(s string, n int) int {
	if s[n] != 't' || n+1 >= len(s) || !text.IsDigit(s[n+1]) {
		return n
	}
	return n + 1 + len(s[n+1:]) - len(strings.TrimLeft(s[n+1:], "0123456789:.z+"))
}

// scanYear reads a year alone, 1960s and 1960's.
func scanYear(s string, n, sign, year int, years bool) (date, int, error) {
	digits := n
	if sign < 0 {
		digits--
	}
	if rest := s[n:]; sign > 0 && digits == 4 && year%10 == 0 {
		after := strings.TrimPrefix(strings.TrimPrefix(rest, "'"), "s")
		if strings.HasSuffix(rest[:len(rest)-len(after)], "s") && !text.StartsWord(after) {
			return date{Calendar: Calendar{Year: year, Years: 10}}, len(s) - len(after), nil
		}
	}
	switch {
	case !years || text.StartsWord(s[n:]):
		return date{}, 0, nil
	case sign < 0 && digits != 4:
		return date{}, n, errors.New("a negative year needs four digits; write 44 BC or -0043")
	}
	// Figures that an era or a month follows are for the reader of words.
	if d, m, err := scanDateWords(s, years); m > n {
		return d, m, err
	}
	if digits < 3 {
		return date{}, n, errTwoDigits
	}
	return date{Calendar: Calendar{Year: sign * year}}, n, nil
}

// arrangeFigures decides which figure is the year.
func arrangeFigures(f [3]int, parts []string, sign int, sep byte) (Calendar, error) {
	first, last := len(parts[0]), len(parts[len(parts)-1])
	switch {
	case sign < 0 && first != 4:
		return Calendar{}, errNoDate
	case first == 4 && len(parts) == 3:
		return ordered(sign*f[0], f[1], f[2])
	case first == 4 && sep != '.' && f[1] <= 12:
		return ordered(sign*f[0], f[1], -1)
	case last == 4 && len(parts) == 3 && first <= 2:
		return dayMonth(f[0], f[1], f[2])
	case last == 4 && len(parts) == 2 && sep != '.' && first <= 2 && f[0] >= 1 && f[0] <= 12:
		return Calendar{Year: f[1], Month: f[0]}, nil
	case len(parts) == 3 && first <= 2 && last <= 2:
		return Calendar{}, errTwoDigits
	}
	return Calendar{}, errNoDate
}

// ordered builds a date from year, month and day; day is -1 where none is given.
func ordered(year, month, day int) (Calendar, error) {
	if month == 0 || day == 0 {
		return Calendar{}, errors.New("a month or day of zero")
	}
	return Calendar{Year: year, Month: month, Day: max(day, 0)}, nil
}

// dayMonth reads figures in which the year stands last.
func dayMonth(a, b, year int) (Calendar, error) {
	switch {
	case a == 0 || b == 0:
		return Calendar{}, errors.New("a month or day of zero")
	case a == b || a > 12:
		return Calendar{Year: year, Month: b, Day: a}, nil
	case b > 12:
		return Calendar{Year: year, Month: a, Day: b}, nil
	}
	return Calendar{}, errDayOrMonth
}

// shortNumber reads one to four digits.
func shortNumber(s string) (int, bool) {
	if s == "" || len(s) > 4 {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		if !text.IsDigit(s[i]) {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

// scanMarked reads figures with the signs of Chinese, Japanese and Korean: 2024年3月5日,
// 令和6年, 1960年代, 20世纪. n is 0 for anything else.
func scanMarked(s string) (d date, n int) {
	epoch := 0
	if r, size := utf8.DecodeRuneInString(s); size > 1 && text.IsUnspaced(r) {
		_, second := utf8.DecodeRuneInString(s[size:])
		w := dateWords()[s[:size+second]]
		if w.class != "epoch" {
			return date{}, 0
		}
		epoch, n = int(w.value), size+second
	}
	at := n
	for _, part := range []string{"yearmark", "monthmark", "daymark"} {
		start := at + len(s[at:]) - len(strings.TrimLeft(s[at:], " "))
		if n == 0 || at == n {
			start = at
		}
		end := start
		for end < len(s) && text.IsDigit(s[end]) {
			end++
		}
		v, ok := shortNumber(s[start:end])
		class, width := dateMark(s[end:])
		switch {
		case !ok:
			return d, n * sureMark(d)
		case class == "decademark" && part == "yearmark" && v%10 == 0:
			return date{Calendar: Calendar{Year: v + epoch, Years: 10}}, end + width
		case class == "centurymark" && part == "yearmark":
			return date{Calendar: Calendar{Year: 100*(v-1) + 1, Years: 100}}, end + width
		case class != part && part == "yearmark" && class == "monthmark":
			d.NoYear = true
			continue
		case class != part:
			return d, n * sureMark(d)
		case part == "yearmark":
			d.Year = v + epoch
		case part == "monthmark":
			d.Month = v
		default:
			d.Day = v
		}
		at = end + width
		n = at
	}
	return d, n * sureMark(d)
}

// sureMark is 1 for a date that marks make sure of: a year, or a month with its day.
func sureMark(d date) int {
	if d.NoYear && d.Day == 0 || d.Calendar == (Calendar{}) || d.Day > 0 && d.Month == 0 {
		return 0
	}
	return 1
}

// dateMark reads the sign behind figures.
func dateMark(s string) (class string, width int) {
	s2 := strings.TrimPrefix(s, " ")
	r, size := utf8.DecodeRuneInString(s2)
	if size < 2 || r == utf8.RuneError {
		return "", 0
	}
	_, second := utf8.DecodeRuneInString(s2[size:])
	for _, w := range []int{size + second, size} {
		if m := dateWords()[s2[:w]]; strings.HasSuffix(m.class, "mark") {
			return m.class, len(s) - len(s2) + w
		}
	}
	return "", 0
}
