package anthropic

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longest bounds what a header can ask for.
const longest = 365 * 24 * time.Hour

// retryAfter reads Retry-After-Ms, and Retry-After in seconds or as a date, which counts
// from the Date of the same reply. What is unknown, unreadable or past is 0.
func retryAfter(h http.Header) time.Duration {
	if d, ok := span(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	after := strings.TrimSpace(h.Get("Retry-After"))
	if d, ok := span(after, time.Second); ok {
		return d
	}
	at, err := http.ParseTime(after)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
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
