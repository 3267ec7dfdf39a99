package fetch

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	maxPatience  = 20 * time.Second // the longest wait that a server gets
	firstBackoff = 500 * time.Millisecond
	maxBackoff   = 8 * time.Second
	longest      = 365 * 24 * time.Hour // stands for no limit, and bounds what a header can say
)

type verdict int

const (
	stop verdict = iota
	again
	tooLong // the server asks for more patience than there is
)

// outcome is what came of an attempt: a response or a failure.
type outcome struct {
	attempt int // from 0
	broken  int // connections that broke so far, this attempt's included
	resp    *Response
	failed  *failure
}

// decide says whether to ask again, and after what wait. The backoff has full jitter:
// uniform between 0 and a bound that doubles.
func decide(o outcome, retries int, remaining time.Duration, jitter func() float64) (time.Duration, verdict) {
	if o.attempt >= retries || !helps(o) {
		return 0, stop
	}
	if o.resp != nil && o.resp.asksToWait {
		if wait := o.resp.retryAfter; wait <= min(maxPatience, remaining) {
			return wait, again
		}
		return 0, tooLong
	}
	bound := min(maxBackoff, firstBackoff<<min(o.attempt, 10))
	wait := time.Duration(jitter() * float64(bound))
	if wait > remaining {
		return 0, stop
	}
	return wait, again
}

// helps tells failures that pass from those that stay. A 429 that does not say when to
// come back may be a used-up quota.
func helps(o outcome) bool {
	if o.failed != nil {
		return o.failed.broken && o.broken == 1
	}
	switch o.resp.Status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	case http.StatusTooManyRequests:
		return o.resp.asksToWait
	}
	return false
}

// retryAfter reads Retry-After-Ms, and Retry-After in seconds or as a date. A time in the
// past is 0.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	if n, ok := number(h.Get("Retry-After-Ms")); ok {
		return duration(n, time.Millisecond), true
	}
	text := h.Get("Retry-After")
	if n, ok := number(text); ok {
		return duration(n, time.Second), true
	}
	if at, err := http.ParseTime(strings.TrimSpace(text)); err == nil {
		return min(longest, max(0, at.Sub(now))), true
	}
	return 0, false
}

func number(text string) (float64, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return n, err == nil && !math.IsNaN(n)
}

func duration(n float64, unit time.Duration) time.Duration {
	return time.Duration(max(0, min(n*float64(unit), float64(longest))))
}
