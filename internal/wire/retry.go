package wire

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longest bounds what a header can ask for.
const longest = 365 * 24 * time.Hour

// RetryAfter reads Retry-After-Ms, and Retry-After in seconds or as a date, which counts
// from the endpoint's own clock where the reply tells it, else from now, else (where now is
// zero) is unknown. What is unknown, unreadable or past is 0; a year is the most.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	if d, ok := span(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	text := strings.TrimSpace(h.Get("Retry-After"))
	if d, ok := span(text, time.Second); ok {
		return d
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	if theirs, err := http.ParseTime(h.Get("Date")); err == nil {
		now = theirs
	} else if now.IsZero() {
		return 0
	}
	return min(max(0, at.Sub(now)), longest)
}

func span(text string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(n) {
		return 0, false
	}
	return time.Duration(max(0, min(n*float64(unit), float64(longest)))), true
}
