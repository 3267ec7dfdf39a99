package offline

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/internal/value"
)

// relative is a day beside today.
var relative = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:today|yesterday|tomorrow|(?:(a|one|two|three|four|five|six|seven|[0-9]{1,3}) (day|week)s?) (ago|from today|from now))\b`)
})

// dated writes relative dates of the question as dates, or else adds the last one of the
// conversation, and gives "how many years ago" its two dates.
func dated(q, dates string, talk []message) string {
	_, rest, _ := strings.Cut(dates, "today: ")
	_, day, _ := strings.Cut(strings.TrimSpace(strings.SplitN(rest, "\n", 2)[0]), ", ")
	today, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return q
	}
	if i := strings.Index(strings.ToLower(q), "how many years"); i == 0 {
		for _, m := range slices.Backward(talk) {
			for _, v := range slices.Backward(value.Find(m.text, maxSpoken)) {
				if v.Kind == value.Date {
					return "How many years passed between " + v.Of(m.text) + " and " + today.Format("2 January 2006") + "?"
				}
			}
		}
	}
	day = relative().FindString(q)
	if day != "" {
		return strings.Replace(q, day, "on "+written(day, today), 1)
	}
	for _, m := range slices.Backward(talk) {
		if day := relative().FindString(m.text); m.user && day != "" {
			return strings.TrimRight(q, " ?") + ", if " + strings.ToLower(day) + " is " + written(day, today) + "?"
		}
	}
	return q
}

// written is a relative day as a date.
func written(day string, today time.Time) string {
	days := map[string]int{"yesterday": -1, "tomorrow": 1}[strings.ToLower(day)]
	if m := relative().FindStringSubmatch(day); m[1] != "" {
		n := cmp.Or(slices.Index([]string{"", "one", "two", "three", "four", "five", "six", "seven"}, strings.ToLower(m[1])), -1)
		if strings.EqualFold(m[1], "a") {
			n = 1
		}
		if digits, err := strconv.Atoi(m[1]); err == nil {
			n = digits
		}
		if days = n; strings.EqualFold(m[2], "week") {
			days *= 7
		}
		if strings.EqualFold(m[3], "ago") {
			days = -days
		}
	}
	return today.AddDate(0, 0, days).Format("2 January 2006")
}
