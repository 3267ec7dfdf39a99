package value

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// datePart is a word of a date: a month, an era, a number, or a word between them.
type datePart struct {
	class   string // that of calendar.tsv, or number
	value   int
	digits  int
	ordinal bool // 20th: a day, never a year
	end     int
}

// maxDateParts bounds the words of a date.
const maxDateParts = 10

// scanDateWords reads a date with a month name, an era or a century. years lets figures of
// three or four digits be a year.
func scanDateWords(s string, years bool) (d date, n int, err error) {
	parts := dateParts(s)
	if len(parts) == 0 {
		return date{}, 0, nil
	}
	p := dateReader{parts: parts, years: years}
	if p.class() == "weekday" {
		p.next()
	}
	for p.class() == "filler" {
		p.next()
	}
	c, ok := p.read()
	if !ok {
		return date{}, 0, p.err
	}
	if !years && c.Month == 0 && c.Years == 0 && !p.era {
		return date{}, 0, nil
	}
	return date{Calendar: c}, parts[p.at-1].end, errors.Join(p.err, c.check())
}

// dateParts splits the start of s into the words of a date, up to the first other word.
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
		// A point ends a sentence but behind a day, "5. März", and a short month.
		pointed := strings.Contains(between, ".") && part.digits != 1 && part.digits != 2 && part.end-at > 4
		dash := strings.Contains(between, "-") && strings.Contains(between, " ") // 1931 - June 28, 2016
		if len(between) > 3 || pointed || dash || gap == rest && part.class != "number" {
			break
		}
		at = len(s) - len(gap)
	}
	return parts
}

// readDatePart reads one word at the start of s.
func readDatePart(s string) (datePart, bool) {
	n := 0
	for n < len(s) && text.IsDigit(s[n]) {
		n++
	}
	if n > 0 {
		v, ok := shortNumber(s[:n])
		p := datePart{class: "number", value: v, digits: n, end: n}
		if m := ordinalEnding(s[n:]); m > 0 {
			p.ordinal, p.end = true, n+m
		}
		return p, ok && !text.StartsWord(s[p.end:]) || ok && eraFollows(s[p.end:])
	}
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		if !text.IsWord(r) && !(r == '.' && text.StartsWord(s[n+size:])) {
			break
		}
		n += size
	}
	if strings.Contains(s[:n], ".") && strings.HasPrefix(s[n:], ".") {
		n++ // b.c.
	}
	w, ok := dateWords()[s[:n]]
	if !ok || strings.HasSuffix(w.class, "mark") || w.class == "epoch" {
		return datePart{}, false
	}
	return datePart{class: w.class, value: int(w.value), end: n}, true
}

// eraFollows reports whether an era is written without a space: 44BC.
func eraFollows(s string) bool {
	p, ok := readDatePart(s)
	return ok && p.class == "era"
}

// ordinalEnding is the length of st, nd, rd or th at the start of s.
func ordinalEnding(s string) int {
	for _, ending := range []string{"st", "nd", "rd", "th"} {
		if strings.HasPrefix(s, ending) && !text.StartsWord(s[2:]) {
			return 2
		}
	}
	return 0
}

// dateReader goes through the words of a date.
type dateReader struct {
	parts []datePart
	at    int
	years bool // figures alone may be a year
	era   bool
	err   error
}

func (p *dateReader) class() string {
	if p.at >= len(p.parts) {
		return ""
	}
	return p.parts[p.at].class
}

func (p *dateReader) next() datePart {
	p.at++
	return p.parts[p.at-1]
}

// ahead is the class of the part after the fillers from here, and where it stands.
func (p *dateReader) ahead(from int) (class string, at int) {
	for at = from; at < len(p.parts) && p.parts[at].class == "filler"; at++ {
	}
	if at == len(p.parts) {
		return "", at
	}
	return p.parts[at].class, at
}

// read reads year, month year, day month year, month day year, year month, year month
// day, a century, or a day of a month.
func (p *dateReader) read() (c Calendar, ok bool) {
	switch p.class() {
	case "month":
		c.Month = p.next().value
		return p.behindMonth(c)
	case "era":
		before := p.next().value < 0
		if p.class() != "number" || p.parts[p.at].ordinal || before {
			return c, false
		}
		p.era = true
		return p.withYear(c, p.next())
	case "number":
		first := p.next()
		class, at := p.ahead(p.at)
		switch {
		case class == "month" && first.digits <= 2:
			if first.value == 0 || first.value > 31 {
				return c, false
			}
			c.Day, c.Month = first.value, p.parts[at].value
			p.at = at + 1
			return p.behindDay(c)
		case class == "month" && !first.ordinal && at == p.at:
			c.Month = p.next().value
			if p.class() == "number" && p.parts[p.at].digits <= 2 {
				c.Day = p.next().value
			}
			c.Year = first.value
			return c, c.Day > 0 || p.years
		case class == "span" && at == p.at:
			p.next()
			c = Calendar{Year: 100*(first.value-1) + 1, Years: 100}
			if p.class() == "era" && p.next().value < 0 {
				c.Year = 1 - 100*first.value
			}
			return c, first.value > 0
		case first.ordinal:
			return c, false
		}
		return p.withYear(c, first)
	}
	return c, false
}

// behindMonth reads what follows a month that stands first.
func (p *dateReader) behindMonth(c Calendar) (Calendar, bool) {
	class, at := p.ahead(p.at)
	if class != "number" {
		return c, false
	}
	n := p.parts[at]
	follows, _ := p.ahead(at + 1)
	if n.digits > 2 || follows == "era" && !n.ordinal {
		if n.ordinal {
			return c, false
		}
		p.at = at + 1
		return p.withYear(c, n)
	}
	if n.value == 0 || n.value > 31 {
		return c, false
	}
	p.at = at + 1
	c.Day = n.value
	return p.behindDay(c)
}

// behindDay reads the year behind a day and a month, if there is one.
func (p *dateReader) behindDay(c Calendar) (Calendar, bool) {
	class, at := p.ahead(p.at)
	if class == "number" && !p.parts[at].ordinal {
		follows, _ := p.ahead(at + 1)
		if year := p.parts[at]; year.digits > 2 || follows == "era" {
			p.at = at + 1
			return p.withYear(c, year)
		}
	}
	if c.Day > daysIn(2000, c.Month) {
		return c, false
	}
	c.NoYear = true
	return c, true
}

// withYear sets the year, with the era behind it.
func (p *dateReader) withYear(c Calendar, year datePart) (Calendar, bool) {
	before := false
	if p.class() == "era" {
		p.era = true
		before = p.next().value < 0
	}
	switch {
	case !p.era && year.digits < 3:
		return c, false
	case p.era && year.value == 0:
		p.err = errors.New("there is no year 0 in an era")
		return c, false
	}
	c.Year = year.value
	if before {
		c.Year = 1 - year.value
	}
	return c, true
}
