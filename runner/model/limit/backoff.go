package limit

import (
	"errors"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/internal/pace"
	"github.com/seed-5817661a/concur/runner/model"
)

// Defaults of Retry.
const (
	DefaultTries = 6
	DefaultTotal = 2 * time.Minute
)

// The waits between attempts double from firstBackoff to maxBackoff, with full jitter. The
// first four are at most 15 s together, so that a single call can fail often enough for
// Circuit.
const (
	firstBackoff = time.Second
	maxBackoff   = 30 * time.Second
)

// maxRetryAfter is the longest Retry-After that is followed. A longer one is a server's
// mistake, such as a time in milliseconds, or a quota that a retry in a minute would find
// used up again.
const maxRetryAfter = time.Minute

// malformedTries limits attempts with unreadable replies, slowTries those that time out: the
// second is sent later, when the endpoint may be less busy, and a third would only delay
// other requests.
const (
	malformedTries = 6
	slowTries      = 2
)

// failure is the state after a failed attempt.
type failure struct {
	err    error
	tries  int           // attempts so far
	slow   int           // attempts that timed out
	waited time.Duration // between them
}

// next gives the wait before another attempt, or the reason to stop; why may be
// "" if the failure explains itself. jitter is in [0,1).
func next(f failure, maxTries int, maxTotal time.Duration, jitter float64) (wait time.Duration, again bool, why string) {
	if !mayPass(f.err) {
		return 0, false, ""
	}
	if model.KindOf(f.err) == model.ErrMalformed { // a proxy's error page is temporary, a wrong address is not
		maxTries = min(maxTries, malformedTries)
	}
	left := max(0, maxTotal-f.waited)
	required := min(retryAfter(f.err), maxRetryAfter)
	if required > left {
		return 0, false, fmt.Sprintf("the endpoint asks to wait %v, and %v of waiting is left", retryAfter(f.err), left)
	}
	if f.slow >= slowTries {
		return 0, false, "it timed out twice and is not sent again; lower --concurrency, or allow more time with ?timeout= behind the model"
	}
	if f.tries >= maxTries {
		return 0, false, "no tries are left"
	}
	if required > 0 {
		// Not before the required time, and not all requests at once after it.
		return min(left, required+time.Duration(jitter*float64(firstBackoff))), true, ""
	}
	wait = pace.Backoff(f.tries, firstBackoff, maxBackoff, jitter)
	if wait > left {
		return 0, false, fmt.Sprintf("the limit of %v of waiting is reached", maxTotal)
	}
	return wait, true, ""
}

// mayPass distinguishes temporary failures from permanent ones: wrong, refused or unpaid
// requests.
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
