package value

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

//go:embed locales.tsv
var localeTable string

// Locale defines how to read numbers and dates that are ambiguous by themselves. The zero value keeps them ambiguous.
type Locale struct {
	comma bool   // decimals follow a comma
	order string // order of day, month and year in numeric dates: dmy, mdy or ymd; "" if unknown
}

// locales returns the rows of locales.tsv by their tag in lower case.
var locales = sync.OnceValue(func() map[string]Locale {
	all := map[string]Locale{}
	for _, row := range text.Rows(localeTable, 3) {
		all[strings.ToLower(row[0])] = Locale{comma: row[1] == ",", order: strings.Trim(row[2], "-")}
	}
	return all
})

// LocaleOf returns the locale of a tag such as de, en-GB or pt_BR; the zero value for "". The error names known
// tags.
func LocaleOf(tag string) (Locale, error) {
	if tag == "" {
		return Locale{}, nil
	}
	l, ok := locales()[strings.ToLower(strings.ReplaceAll(tag, "_", "-"))]
	if !ok {
		return l, fmt.Errorf("unknown locale %q: use a language, such as de, or one with a region, such as en-GB or "+
			"en-US",
			tag)
	}
	return l, nil
}

// OpenDate reports whether the locale does not decide whether the day or the month comes first.
func (l Locale) OpenDate() bool { return l.order != "dmy" && l.order != "mdy" }

var (
	// openNumber matches a number that has either a group of three digits or three decimals: 1.234 and 1,234.
	openNumber = lazy.Compile(`[1-9][0-9]{0,2}[.,][0-9]{3}`)
	// openDate matches a date in which only the order decides which number is the day.
	openDate = lazy.Compile(`(0?[1-9]|1[0-2])([./-])(0?[1-9]|1[0-2])([./-])([12][0-9]{3})`)
)

// Plain rewrites the numbers and dates of a text that have two readings, in a form that has only the reading of
// this locale. For German, 1.234 becomes 1234, 1,234 becomes 1.234, and 03.04.2024 becomes 2024-04-03. Numbers
// change only if the locale has a decimal comma, and dates only if the locale has the day or the month first.
// Other text is unchanged.
func (l Locale) Plain(s string) string {
	if !strings.ContainsAny(s, ".,/-") {
		return s
	}
	if !l.OpenDate() {
		s = replaceAlone(openDate.Get(), "./-", s, func(date string) string {
			m := openDate.FindStringSubmatch(date)
			if m[2] != m[4] {
				return date
			}
			day, month := m[1], m[3]
			if l.order == "mdy" {
				day, month = month, day
			}
			return fmt.Sprintf("%s-%02s-%02s", m[5], month, day)
		})
	}
	if !l.comma {
		return s
	}
	return replaceAlone(openNumber.Get(), ".,", s, func(number string) string {
		if whole, share, ok := strings.Cut(number, ","); ok {
			return whole + "." + share
		}
		return strings.ReplaceAll(number, ".", "")
	})
}

// Local reverses [Locale.Plain] for a number. For German, 1.234, which Plain wrote as a number with three
// decimals, becomes 1,234.
func (l Locale) Local(s string) string {
	if !l.comma {
		return s
	}
	return replaceAlone(openNumber.Get(), ".,", s, func(number string) string {
		return strings.Replace(number, ".",
			",", 1)
	})
}

// replaceAlone replaces the matches of find in s. It does not replace a match with a digit directly before or
// after it, or with one of marks and a digit directly before or after it.
func replaceAlone(find *regexp.Regexp, marks, s string, with func(string) string) string {
	var b strings.Builder
	from := 0
	for _, at := range find.FindAllStringIndex(s, -1) {
		before, behind := s[:at[0]], s[at[1]:]
		if touches(before, marks, true) || touches(behind, marks, false) {
			continue
		}
		b.WriteString(s[from:at[0]])
		b.WriteString(with(s[at[0]:at[1]]))
		from = at[1]
	}
	if from == 0 {
		return s
	}
	return b.String() + s[from:]
}

// touches reports whether a digit, or one of marks with a digit, is at the end of s (if atEnd is set) or at its
// beginning.
func touches(s, marks string, atEnd bool) bool {
	runes := []rune(text.Head(s, 8))
	if atEnd {
		runes = []rune(strings.ToValidUTF8(s[max(0, len(s)-8):], ""))
		slices.Reverse(runes)
	}
	if len(runes) == 0 {
		return false
	}
	isFigure := func(r rune) bool { return r >= '0' && r <= '9' }
	if isFigure(runes[0]) || runes[0] == '_' || runes[0] == '\'' {
		return true
	}
	return len(runes) > 1 && strings.ContainsRune(marks, runes[0]) && isFigure(runes[1])
}
