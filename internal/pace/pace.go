// Package pace is what clients of HTTP share about waiting before they ask again: how long
// the server asks for, how long to wait where it does not say, and the wait itself.
//
// It imports no package of this module.
package pace

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Longest bounds what a header can ask for.
const Longest = 365 * 24 * time.Hour

// RetryAfter reads Retry-After-Ms, and Retry-After in seconds or as a date, which counts from the server's own clock
// where the reply tells it, else from now, else (where now is zero) is unknown. A time in the past is 0, a year is
// the most. given says that there is one that can be read.
func RetryAfter(h http.Header, now time.Time) (wait time.Duration, given bool) {
	if d, ok := span(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d, true
	}
	text := strings.TrimSpace(h.Get("Retry-After"))
	if d, ok := span(text, time.Second); ok {
		return d, true
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	if theirs, err := http.ParseTime(h.Get("Date")); err == nil {
		now = theirs
	} else if now.IsZero() {
		return 0, false
	}
	return min(max(0, at.Sub(now)), Longest), true
}

func span(text string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(n) {
		return 0, false
	}
	return time.Duration(max(0, min(n*float64(unit), float64(Longest)))), true
}

// Backoff is the wait after so many tries that failed: its bound doubles with each from first to most, and jitter, in
// [0,1), takes any part of it, so that calls which failed together do not return together.
func Backoff(tries int, first, most time.Duration, jitter float64) time.Duration {
	return time.Duration(jitter * float64(min(most, first<<min(tries-1, 10))))
}

// Sleep waits for d, or for ctx, whose error it then gives.
func Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
