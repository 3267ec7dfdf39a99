package limit

import (
	"errors"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/runner/model"
)

// The defaults of Retry.
const (
	DefaultTries = 6
	DefaultTotal = 2 * time.Minute
)

// The waits between attempts double from firstBackoff to maxBackoff, each with full
// jitter: uniform between 0 and its bound, so that calls which failed together do not
// return together. The first four sum to at most 15 s, which lets a single call meet with
// enough failures for Circuit in time.
const (
	firstBackoff = time.Second
	maxBackoff   = 30 * time.Second
)

// malformedTries bounds the attempts at an endpoint whose replies cannot be read.
const malformedTries = 6

// failed is what is known after an attempt that failed.
type failed struct {
	err    error
	tries  int           // attempts so far
	waited time.Duration // between them
}

// next says how long to wait before another attempt, or why there is none; why is "" also
// where the failure itself is reason enough. jitter is in [0,1).
func next(f failed, maxTries int, maxTotal time.Duration, jitter float64) (wait time.Duration, again bool, why string) {
	if !mayPass(f.err) {
		return 0, false, ""
	}
	if model.KindOf(f.err) == model.ErrMalformed { // a page from a proxy passes, a wrong address does not
		maxTries = min(maxTries, malformedTries)
	}
	left := max(0, maxTotal-f.waited)
	asked := retryAfter(f.err)
	if asked > left {
		return 0, false, fmt.Sprintf("the endpoint asks to wait %v, and %v of waiting is left", asked, left)
	}
	if f.tries >= maxTries {
		return 0, false, "no tries are left"
	}
	if asked > 0 {
		// Never before the time that was named, and not all at once when it comes.
		return min(left, asked+time.Duration(jitter*float64(firstBackoff))), true, ""
	}
	bound := min(maxBackoff, firstBackoff<<min(f.tries-1, 10))
	wait = time.Duration(jitter * float64(bound))
	if wait > left {
		return 0, false, fmt.Sprintf("the %v for waiting are used up", maxTotal)
	}
	return wait, true, ""
}

// mayPass tells failures that another attempt can mend from those that stay: what was
// asked is wrong, refused or not paid for.
func mayPass(err error) bool {
	if _, open := errors.AsType[*OpenError](err); open {
		return false
	}
	switch model.KindOf(err) {
	case model.ErrRateLimited, model.ErrUnavailable, model.ErrTimeout, model.ErrMalformed:
		return true
	default:
		return false
	}
}

func retryAfter(err error) time.Duration {
	if e, ok := errors.AsType[*model.Error](err); ok {
		return max(0, e.RetryAfter)
	}
	return 0
}
