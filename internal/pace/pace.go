// Package pace computes the wait before a retry, for HTTP clients: it reads the time that the server asks for,
// computes a wait if the server asks for none, and waits.
package pace

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Longest is the maximum wait that a header can ask for.
const Longest = 365 * 24 * time.Hour

// RetryAfter reads Retry-After-Ms, or Retry-After in seconds or as a date. A date is compared with the server's
// own clock if the reply has it, else with now; if now is zero too, the wait is unknown. The result is 0 for a
// time in the past, and at most Longest. given reports whether there is a readable header.
func RetryAfter(h http.Header, now time.Time) (wait time.Duration, given bool) {
	if d, ok := readWait(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d, true
	}
	text := strings.TrimSpace(h.Get("Retry-After"))
	if d, ok := readWait(text, time.Second); ok {
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

// readWait reads a number of units as a wait, at least 0 and at most Longest.
func readWait(text string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(n) {
		return 0, false
	}
	return time.Duration(max(0, min(n*float64(unit), float64(Longest)))), true
}

// Backoff returns the wait after a number of failed tries. Its upper limit doubles with each try, from first to
// most. jitter, in [0,1), selects a part of this limit, so that calls that failed together do not retry
// together.
func Backoff(tries int, first, most time.Duration, jitter float64) time.Duration {
	return time.Duration(jitter * float64(min(most, first<<min(tries-1, 10))))
}

// Sleep waits for d. If ctx ends first, it returns the context's error.
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
