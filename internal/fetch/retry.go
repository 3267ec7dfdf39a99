package fetch

import (
	"net/http"
	"time"

	"github.com/seed-5817661a/concur/internal/pace"
)

const (
	maxPatience  = 20 * time.Second // the longest wait that a server gets
	firstBackoff = 500 * time.Millisecond
	maxBackoff   = 8 * time.Second
)

type verdict int

const (
	stop verdict = iota
	again
	tooLong // the server asks for more patience than there is
)

// outcome is the result of an attempt: a response or a failure.
type outcome struct {
	attempt int // from 0
	broken  int // connections that broke so far, this attempt's included
	resp    *Response
	failed  *failure
}

// decide says whether to ask again, and after what wait.
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
	wait := pace.Backoff(o.attempt+1, firstBackoff, maxBackoff, jitter())
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
