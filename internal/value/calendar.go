package value

import (
	"fmt"
	"time"
)

// Calendar is a date of the Gregorian calendar with its precision.
type Calendar struct {
	// Year is the astronomical year: 44 BC is -43. For a decade or century it is the first year.
	Year  int
	Month int // 1 to 12; 0 if the date has no month
	Day   int // 1 to 31; 0 if the date has no day
	// NoYear is true for a month and a day without a year.
	NoYear bool
	// Years is the length of a period that begins with Year: 10 for a decade, 100 for a century, 0 for a date.
	Years int
}

// String returns the date in the form of ISO 8601: 1969-07-20, 1969-07, 1969 or -0043. A day without a year is
// --07-20. A period is written 1960s, 19th century or 1st century BC.
func (c Calendar) String() string {
	switch {
	case c.NoYear:
		return fmt.Sprintf("--%02d-%02d", c.Month, c.Day)
	case c.Years == 10:
		return fmt.Sprintf("%ds", c.Year)
	case c.Years == 100 && c.Year > 0:
		return ordinal((c.Year-1)/100+1) + " century"
	case c.Years == 100:
		return ordinal((1-c.Year)/100) + " century BC"
	}
	s := fmt.Sprintf("%04d", c.Year)
	if c.Year < 0 {
		s = fmt.Sprintf("%05d", c.Year)
	}
	if c.Month > 0 {
		s += fmt.Sprintf("-%02d", c.Month)
	}
	if c.Day > 0 {
		s += fmt.Sprintf("-%02d", c.Day)
	}
	return s
}

// ordinal returns 1st, 2nd, 3rd, 11th and so on.
func ordinal(n int) string {
	ending := map[int]string{1: "st", 2: "nd", 3: "rd"}[n%10]
	if ending == "" || n/10%10 == 1 {
		ending = "th"
	}
	return fmt.Sprintf("%d%s", n, ending)
}

// Within reports whether c is d, or a more precise date within d: 1969-07-20 is within 1969-07, 1969 and the
// 1960s. 1900 and 2000 are both within the 20th century, because writers disagree about the first year of a
// century.
func (c Calendar) Within(d Calendar) bool {
	switch {
	case d.NoYear:
		return c.Month == d.Month && c.Day == d.Day
	case c.NoYear:
		return false
	case d.Years > 0:
		return c.Years <= d.Years && (c.Year >= d.Year && c.Year < d.Year+d.Years ||
			d.Years == 100 && c.Years == 0 && c.Year == d.Year-1)
	case c.Years > 0:
		return false
	}
	return c.Year == d.Year && (d.Month == 0 || c.Month == d.Month) && (d.Day == 0 || c.Day == d.Day)
}

// check returns an error for a date that is not in the calendar.
func (c Calendar) check() error {
	if c.Month > 12 || c.Day > 0 && c.Day > daysIn(c.Year, c.Month) {
		return fmt.Errorf("no such day in the calendar: %s", c)
	}
	return nil
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// Between returns the full months and the days between two dates, in either order. One of the dates may lack
// the year.
//
// If the dates are not precise enough to decide whether the last month is full, months has two numbers. If only
// the years are known, the last year may also count as a whole year: between 1606 and October 1669 are 744 or
// 756 months. days has the days with the first day and without it. It is empty unless both dates have a day.
func (c Calendar) Between(d Calendar) (months, days []int) {
	if c.NoYear {
		c, d = d, c
	}
	if d.NoYear {
		d.Year = c.Year
	}
	if c.NoYear || c.Years > 0 || d.Years > 0 {
		return nil, nil
	}
	if c.time().After(d.time()) {
		c, d = d, c
	}
	years := d.Year - c.Year
	months = []int{12 * years}
	switch {
	case c.Month == 0 || d.Month == 0:
		months = append(months, 12*(years-1))
	default:
		full := 12*years + d.Month - c.Month
		if d.Day < c.Day {
			full--
		}
		months = append(months, full, full+1, full/12*12)
	}
	if c.Day > 0 && d.Day > 0 {
		n := int(d.time().Sub(c.time()).Hours()) / 24
		days = []int{n, n + 1}
	}
	return months, days
}

// Add returns the date after a number of months and days, or before it if they are negative. The result is as
// precise as the date and the numbers allow. If no precision is left, the result is a date that is within no
// other date.
func (c Calendar) Add(months, days int) Calendar {
	switch {
	case c.NoYear || c.Years > 0 || days != 0 && c.Day == 0 || months%12 != 0 && c.Month == 0:
		return Calendar{NoYear: true}
	case days == 0:
		first := time.Date(c.Year, time.Month(max(c.Month, 1)+months), 1, 0, 0, 0, 0, time.UTC)
		c.Year = first.Year()
		if c.Month > 0 {
			c.Month = int(first.Month())
		}
		return c
	}
	t := c.time().AddDate(0, months, days)
	return Calendar{Year: t.Year(), Month: int(t.Month()), Day: t.Day()}
}

func (c Calendar) time() time.Time {
	return time.Date(c.Year, time.Month(max(c.Month, 1)), max(c.Day, 1), 0, 0, 0, 0, time.UTC)
}
