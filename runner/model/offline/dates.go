package offline

import (
	"strconv"
	"strings"
)

// date is a date in a text, to the precision that is written: month and day may be 0.
// Years before Christ are negative as written: 44 BC is -44.
type date struct {
	year, month, day int
	from, to         int // token range
	// side is 1 for the first and 2 for the second date of a range such as
	// "(1756–1791)", 0 elsewhere.
	side int
}

// dates finds the dates and years of a sentence in order.
func dates(w []word) []date {
	var out []date
	for i := 0; i < len(w); i++ {
		d, ok := dateAt(w, i)
		if !ok {
			continue
		}
		out = append(out, d)
		i = d.to - 1
	}
	for i := 0; i+1 < len(out); i++ {
		a, b := &out[i], &out[i+1]
		gap := b.from - a.to
		if gap == 1 && isDash(w[a.to].text) && a.year > 0 && b.year < 0 { // "384–322 BC": the era stands once
			a.year = -a.year
		}
		opened := a.from > 0 && w[a.from-1].text == "("
		if gap == 1 && opened && (isDash(w[a.to].text) || w[a.to].low == "to" || w[a.to].low == "until") {
			a.side, b.side = 1, 2
		}
	}
	return out
}

func isDash(s string) bool { return s == "-" || s == "–" || s == "—" }

func dateAt(w []word, i int) (date, bool) {
	if d, ok := dayMonth(w, i); ok {
		return d, true
	}
	if m := months()[w[i].low]; m > 0 && w[i].capital() {
		return monthFirst(w, i, m)
	}
	year, ok := yearNumber(w, i)
	if !ok {
		return date{}, false
	}
	return withEra(w, date{year: year, from: i, to: i + 1})
}

// dayMonth reads "20 July 1969" and "20th of July, 1969".
func dayMonth(w []word, i int) (date, bool) {
	day := dayNumber(w[i].low)
	if day == 0 {
		return date{}, false
	}
	j := i + 1
	if j < len(w) && w[j].low == "of" {
		j++
	}
	if j >= len(w) || months()[w[j].low] == 0 {
		return date{}, false
	}
	d := date{day: day, month: months()[w[j].low], from: i, to: j + 1}
	return yearBehind(w, d, j+1)
}

// monthFirst reads "July 20, 1969" and "July 1969".
func monthFirst(w []word, i, month int) (date, bool) {
	d := date{month: month, from: i, to: i + 1}
	j := i + 1
	if j < len(w) {
		if day := dayNumber(w[j].low); day > 0 {
			d.day, d.to = day, j+1
			j++
		}
	}
	return yearBehind(w, d, j)
}

func yearBehind(w []word, d date, j int) (date, bool) {
	if j < len(w) && w[j].text == "," {
		j++
	}
	if j < len(w) && len(w[j].low) >= 3 {
		if y, err := strconv.Atoi(w[j].low); err == nil && y > 0 && y < 2100 {
			d.year, d.to = y, j+1
			return withEra(w, d)
		}
	}
	return d, d.day > 0
}

func dayNumber(low string) int {
	low = strings.TrimRight(low, "sthndr")
	n, err := strconv.Atoi(low)
	if err != nil || n < 1 || n > 31 || len(low) > 2 {
		return 0
	}
	return n
}

// yearNumber takes four bare digits, or fewer with an era beside them.
func yearNumber(w []word, i int) (int, bool) {
	n, err := strconv.Atoi(w[i].low)
	if err != nil || n < 1 || n >= 2100 || !w[i].number() {
		return 0, false
	}
	before := i > 0 && (w[i-1].text == "AD" || w[i-1].text == "CE")
	if before || eraAt(w, i+1) != 0 || rangeEra(w, i) {
		return n, true
	}
	if len(w[i].text) != 4 || n < 1000 {
		return 0, false
	}
	if _, u := unitAt(w, i+1); u > 0 {
		return 0, false
	}
	return n, true
}

// rangeEra sees "384–322 BC" from its first number.
func rangeEra(w []word, i int) bool {
	return i+2 < len(w) && isDash(w[i+1].text) && w[i+2].number() && eraAt(w, i+3) != 0
}

func eraAt(w []word, i int) int {
	if i >= len(w) {
		return 0
	}
	switch strings.ReplaceAll(w[i].text, ".", "") {
	case "BC", "BCE":
		return -1
	case "AD", "CE":
		return 1
	default:
		return 0
	}
}

func withEra(w []word, d date) (date, bool) {
	if e := eraAt(w, d.to); e != 0 {
		d.to++
		d.year *= e
	}
	return d, true
}

// before orders dates; where one is less precise, by what both have.
func (d date) before(e date) int {
	switch {
	case d.year != e.year:
		return sign(d.year - e.year)
	case d.month == 0 || e.month == 0 || d.month != e.month:
		if d.month == 0 || e.month == 0 {
			return 0
		}
		return sign(d.month - e.month)
	case d.day == 0 || e.day == 0:
		return 0
	default:
		return sign(d.day - e.day)
	}
}

// yearText writes the year as answers do.
func (d date) yearText() string {
	if d.year < 0 {
		return strconv.Itoa(-d.year) + " BC"
	}
	return strconv.Itoa(d.year)
}

// dayText writes a full date as answers do.
func (d date) dayText() string {
	for name, n := range months() {
		if n == d.month {
			return strconv.Itoa(d.day) + " " + strings.ToUpper(name[:1]) + name[1:] + " " + d.yearText()
		}
	}
	return d.yearText()
}
