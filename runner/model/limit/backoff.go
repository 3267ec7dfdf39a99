package limit

import (
	"errors"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/internal/pace"
	"github.com/seed-5817661a/concur/runner/model"
)

// The defaults of Retry.
const (
	DefaultTries = 6
	DefaultTotal = 2 * time.Minute
)

// The waits between attempts double from firstBackoff to maxBackoff, with full jitter. The
// first four sum to at most 15 s, which lets a single call meet with enough failures for
// Circuit in time.
const (
	firstBackoff = time.Second
	maxBackoff   = 30 * time.Second
)

// maxAsked is the longest Retry-After that is followed. One beyond it is a server's mistake,
// such as a time in milliseconds, or a quota that a retry in a minute finds used up again.
const maxAsked = time.Minute

// malformedTries bounds the attempts at an endpoint whose replies cannot be read, and
// slowTries those that end without a reply in time: the second one is sent later, with
// less beside it, and a third would only take the place of others.
const (
	malformedTries = 6
	slowTries      = 2
)

// failed is what is known after an attempt that failed.
type failed struct {
	err    error
	tries  int           // attempts so far
	slow   int           // of them, those that timed out
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
	asked := min(retryAfter(f.err), maxAsked)
	if asked > left {
		return 0, false, fmt.Sprintf("the endpoint asks to wait %v, and %v of waiting is left", retryAfter(f.err), left)
	}
	if f.slow >= slowTries {
		return 0, false, "it timed out twice and is not sent again as it is; lower --concurrency, or allow more time with ?timeout= behind the model"
	}
	if f.tries >= maxTries {
		return 0, false, "no tries are left"
	}
	if asked > 0 {
		// Never before the time that was named, and not all at once when it comes.
		return min(left, asked+time.Duration(jitter*float64(firstBackoff))), true, ""
	}
	wait = pace.Backoff(f.tries, firstBackoff, maxBackoff, jitter)
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
