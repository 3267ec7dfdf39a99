package cite

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// date is a day, month or year; a month with a day of an unknown year; a decade or a
// century.
type date struct {
	text             string
	year, month, day int
	noYear           bool
	span             int   // 10 for a decade, 100 for a century that year begins
	also             *date // the other reading of 03/04/2024
}

const months = `(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?`

// form is one way to write dates: what it looks like, and what it means.
type form struct {
	pattern *regexp.Regexp
	read    func(m []string) []date
}

// forms are tried in order; what one has read is blanked for the next.
var forms = []form{
	{regexp.MustCompile(`\b(\d{1,4})-(\d{1,2})-(\d{1,2})(?:T\d\d:\d\d(?::\d\d)?Z?)?\b`), func(m []string) []date { return days(m[1], m[2], m[3]) }},
	{regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)?(?: ?(?:-|to|and) ?(\d{1,2})(?:st|nd|rd|th)?)?\.? (?:of )?` + months + `,? (?:of )?(\d{3,4})\b`), func(m []string) []date {
		return fromTo(m[4], m[3], m[1], m[2])
	}},
	{regexp.MustCompile(`\b` + months + ` (\d{1,2})(?:st|nd|rd|th)?(?: ?(?:-|to|and) ?(\d{1,2})(?:st|nd|rd|th)?)?,? (?:of )?(\d{3,4})\b`), func(m []string) []date {
		return fromTo(m[4], m[1], m[2], m[3])
	}},
	{regexp.MustCompile(`\b(\d{4})[,]? ` + months + ` (\d{1,2})\b`), func(m []string) []date { return days(m[1], m[2], m[3]) }},
	{regexp.MustCompile(`\b(\d{4})[/.](\d{1,2})[/.](\d{1,2})\b`), func(m []string) []date { return days(m[1], m[2], m[3]) }},
	{regexp.MustCompile(`\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b`), func(m []string) []date {
		return either(days(m[3], m[2], m[1]), days(m[3], m[1], m[2]))
	}},
	{regexp.MustCompile(`\b` + months + `,? (?:of )?(\d{4})\b`), func(m []string) []date { return days(m[2], m[1], "") }},
	{regexp.MustCompile(`(\d{3,4}) ?[年년] ?(\d{1,2}) ?[月월](?: ?(\d{1,2}) ?[日号號일])?`), func(m []string) []date { return days(m[1], m[2], m[3]) }},
	{regexp.MustCompile(`(\d{3}0) ?年代|\b(\d{3}0)'?s\b`), func(m []string) []date { return spans(m[1]+m[2], 10) }},
	{regexp.MustCompile(`(\d{3,4}) ?[年년]`), func(m []string) []date { return days(m[1], "", "") }},
	{regexp.MustCompile(`(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日号號일]`), func(m []string) []date { return dayOfYear(m[1], m[2]) }},
	{regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)?[ -](?i:century)\b(?: ?(?:(BCE?|B\.C\.)|AD|CE))?`), century},
	{regexp.MustCompile(`(\d{1,2}) ?世[纪紀]`), century},
	{regexp.MustCompile(`\b(\d{1,4}) ?(?:BCE?\b|B\.C\.)`), func(m []string) []date { return beforeChrist(m[1]) }},
	{regexp.MustCompile(`\b(?:AD|A\.D\.|CE) ?(\d{1,4})\b|\b(\d{1,4}) ?(?:AD|CE)\b|\b(\d{1,4}) ?A\.D\.`), func(m []string) []date { return days(m[1]+m[2]+m[3], "", "") }},
	{regexp.MustCompile(`\b(1\d|20)(\d\d)[-/](\d\d)\b`), func(m []string) []date { // 1939-45
		if m[3] <= m[2] {
			return nil
		}
		return append(days(m[1]+m[2], "", ""), days(m[1]+m[3], "", "")...)
	}},
	{regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ` + months), func(m []string) []date { return dayOfYear(m[2], m[1]) }},
	{regexp.MustCompile(`\b` + months + ` (\d{1,2})(?:st|nd|rd|th)?\b`), func(m []string) []date { return dayOfYear(m[1], m[2]) }},
}

// dates lists the dates of a text, and gives the text without them. Bare years stay:
// they are numbers, too.
func dates(text string, limit int) ([]date, string) {
	var out []date
	if strings.IndexFunc(text, func(r rune) bool { return r >= '0' && r <= '9' }) < 0 {
		return nil, text
	}
	for _, f := range forms {
		found := f.pattern.FindAllStringSubmatchIndex(text, limit-len(out)+1)
		var taken [][]int
		for _, m := range found {
			fields := make([]string, len(m)/2)
			for i := range fields {
				fields[i] = group(text, m, i)
			}
			read := f.read(fields)
			for i := range read {
				read[i].text = strings.TrimSpace(fields[0])
			}
			out = append(out, read...)
			if len(read) > 0 {
				taken = append(taken, m)
			}
		}
		text = blank(text, taken)
		if len(out) > limit {
			return out[:limit], text
		}
	}
	return out, text
}

// blank writes spaces over what was read, so that offsets stay and nothing is read twice.
// The first is a semicolon, which keeps the words on both sides apart.
func blank(text string, taken [][]int) string {
	if len(taken) == 0 {
		return text
	}
	out := []byte(text)
	for _, m := range taken {
		for i := m[0]; i < m[1]; i++ {
			out[i] = ' '
		}
		out[m[0]] = ';'
	}
	return string(out)
}

// days reads a day, a month or a year, unless the calendar has none such.
func days(year, month, day string) []date {
	if len(year) > 0 && len(year) < 3 && (month != "" || day != "") {
		return nil // 5-7-12 is no date
	}
	y, err := strconv.Atoi(year)
	if err != nil {
		return nil
	}
	d := date{year: y, month: monthNumber(month), day: figure(day)}
	if month != "" && d.month == 0 || day == "" && d.day > 0 || day != "" && d.day == 0 {
		return nil
	}
	text := fmt.Sprintf("%04d", y)
	if d.month > 0 {
		text += fmt.Sprintf("-%02d", d.month)
	}
	if d.day > 0 {
		text += fmt.Sprintf("-%02d", d.day)
	}
	if k, err := answer.Normalize(text, answer.Date, answer.Options{}); err != nil || k.Confidence != answer.Exact {
		return nil
	}
	return []date{d}
}

// fromTo reads one day of a month, or with last the first and last of several.
func fromTo(year, month, first, last string) []date {
	out := days(year, month, first)
	if last != "" {
		out = append(out, days(year, month, last)...)
	}
	return out
}

// either joins the two readings of a date in which day or month may come first.
func either(a, b []date) []date {
	if len(a) > 0 && len(b) > 0 {
		a[0].also = &b[0]
		return a
	}
	return append(a, b...)
}

func figure(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

func monthNumber(s string) int {
	if n := figure(s); n > 0 {
		return n
	}
	if len(s) < 3 {
		return 0
	}
	names := []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
	return slices.Index(names, strings.ToLower(s[:3])) + 1
}

func dayOfYear(month, day string) []date {
	m, d := monthNumber(month), figure(day)
	if m < 1 || m > 12 || d < 1 || d > 31 {
		return nil
	}
	return []date{{month: m, day: d, noYear: true}}
}

func beforeChrist(year string) []date {
	y := figure(year)
	if y == 0 {
		return nil
	}
	return []date{{year: 1 - y}}
}

func spans(first string, years int) []date {
	y := figure(first)
	if y == 0 {
		return nil
	}
	return []date{{year: y, span: years}}
}

func century(m []string) []date {
	n := figure(m[1])
	if n == 0 {
		return nil
	}
	if len(m) > 2 && m[2] != "" {
		return []date{{year: -100*n + 1, span: 100}} // 1st century BC: -99 to 0
	}
	return []date{{year: 100*(n-1) + 1, span: 100}}
}

// implies reports whether evidence d states claim c: the same date, or a finer one.
func (d date) implies(c date) bool {
	if c.also != nil && d.implies(*c.also) || d.also != nil && d.also.implies(c) {
		return true
	}
	switch {
	case c.noYear:
		return c.month == d.month && c.day == d.day
	case d.noYear:
		return false
	case c.span > 0 && d.span > 0:
		return c.span >= d.span && c.holds(d.year)
	case c.span > 0:
		return c.holds(d.year)
	case d.span > 0:
		return false
	}
	return c.year == d.year && (c.month == 0 || c.month == d.month) && (c.day == 0 || c.day == d.day)
}

// holds reports whether a year lies in the decade or century. Both 1900 and 2000 pass
// for the 20th century, since writers differ.
func (d date) holds(year int) bool {
	return year >= d.year && year < d.year+d.span || d.span == 100 && year == d.year-1
}
