package limit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/internal/pace"
	"github.com/seed-5817661a/concur/model"
)

// Retry sends a request again after a temporary failure: a rate limit, an overloaded or unreachable endpoint,
// or a timeout. It does not repeat other failures. The wait between attempts is the endpoint's Retry-After if
// that is at most a minute; otherwise it grows exponentially, with full jitter. A request that times out is
// sent once more.
//
// Responses and errors have the number of attempts and the time between them.
type Retry struct {
	Name  string // provider:model, for errors
	Model model.Model
	Tries int // maximum number of attempts, including the first; default DefaultTries
	// Total limits the sum of the waits of one call; default DefaultTotal. If a Retry-After is longer than the
	// remaining time, the call ends. Total does not limit the time of attempts and queues.
	Total time.Duration
	// Jitter returns random numbers, uniform in [0,1); nil means math/rand/v2. It affects only waits.
	Jitter func() float64
	// OnRetry, if set, is called with each failure after which there is another attempt.
	OnRetry func(Again)
}

// Again is a failed attempt that will be repeated.
type Again struct {
	Request model.Identity
	Attempt int // number of the failed attempt, from 1
	Wait    time.Duration
	Err     error
}

// Complete sends the request until it gets a reply or a permanent failure, or reaches a limit.
func (r *Retry) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	tries, limit, jitter := cmp.Or(r.Tries, DefaultTries), cmp.Or(r.Total, DefaultTotal), r.Jitter
	if jitter == nil {
		jitter = rand.Float64
	}
	var f failure
	for {
		resp, err := r.Model.Complete(ctx, req)
		if _, unsent := errors.AsType[*OpenError](err); !unsent {
			f.tries++
		}
		if err == nil {
			resp.Attempts, resp.Waited = f.tries, f.waited
			return resp, nil
		}
		if f.err = err; faultOf(err) == noReply {
			f.slow++
		}
		if ctx.Err() != nil {
			return model.Response{}, r.giveUp(f, "")
		}
		wait, again, why := nextWait(f, tries, limit, jitter())
		if !again {
			return model.Response{}, r.giveUp(f, why)
		}
		if r.OnRetry != nil {
			r.OnRetry(Again{Request: req.Identity, Attempt: f.tries, Wait: wait, Err: err})
		}
		start := time.Now()
		stopped := pace.Sleep(ctx, wait)
		f.waited += time.Since(start)
		if stopped != nil {
			return model.Response{}, r.waitError(ctx, f)
		}
	}
}

// giveUp returns the last failure, with the number of attempts and the time of the waits.
func (r *Retry) giveUp(f failure, why string) error {
	e := asError(r.Name, f.err)
	e.Attempts, e.Waited = f.tries, f.waited
	switch {
	case why != "":
		e.Err = fmt.Errorf("%w; %s: gave up after %s", e.Err, why, f.effort())
	case f.tries > 1:
		e.Err = fmt.Errorf("%w; after %s", e.Err, f.effort())
	}
	return e
}

// waitError returns the error of a call whose ctx ended during a wait.
func (r *Retry) waitError(ctx context.Context, f failure) error {
	return &model.Error{
		Kind: model.KindOf(ctx.Err()), Model: r.Name, Attempts: f.tries, Waited: f.waited,
		Err: fmt.Errorf("wait to retry after %s: %w; the last failure: %v", f.effort(), context.Cause(ctx), f.err),
	}
}

func (f failure) effort() string {
	attempts := "1 attempt"
	if f.tries != 1 {
		attempts = fmt.Sprintf("%d attempts", f.tries)
	}
	return fmt.Sprintf("%s and %v of waiting", attempts, f.waited.Round(100*time.Millisecond))
}

// Defaults of Retry.
const (
	DefaultTries = 6
	DefaultTotal = 2 * time.Minute
)

// Waits between attempts double from firstBackoff to maxBackoff, with full jitter. The first four waits
// together are at most 15 s, so that a single call can fail often enough to open the Circuit.
const (
	firstBackoff = time.Second
	maxBackoff   = 30 * time.Second
)

// maxRetryAfter is the longest Retry-After that Retry obeys. A longer one is a mistake of the server, such as
// a time in milliseconds, or means a quota that a minute does not restore.
const maxRetryAfter = time.Minute

// malformedTries limits attempts with unreadable replies; slowTries limits attempts that time out. After a
// timeout, the second attempt may find the endpoint less busy; a third would only delay other requests.
const (
	malformedTries = 6
	slowTries      = 2
)

// failure is the state after a failed attempt.
type failure struct {
	err    error
	tries  int           // number of attempts so far
	slow   int           // number of attempts that timed out
	waited time.Duration // total time between attempts
}

// nextWait returns the wait before the next attempt. If there must be no further attempt, again is false and why is the
// reason, or "" if the failure itself explains it. jitter is in [0,1).
func nextWait(
	f failure, maxTries int, maxTotal time.Duration, jitter float64,
) (wait time.Duration, again bool, why string) {
	if model.KindOf(f.err) == model.ErrMalformed { // a proxy's error page is temporary, a wrong address is permanent
		maxTries = min(maxTries, malformedTries)
	}
	left := max(0, maxTotal-f.waited)
	required := min(retryAfter(f.err), maxRetryAfter)
	if wait = pace.Backoff(max(1, f.tries), firstBackoff, maxBackoff, jitter); required > 0 {
		// Do not retry before the demanded time, and do not retry all requests at the same moment after it.
		wait = min(left, required+time.Duration(jitter*float64(firstBackoff)))
	}
	switch {
	case !mayPass(f.err):
	case required > left:
		why = fmt.Sprintf("the endpoint asks to wait %v, and %v of waiting is left", retryAfter(f.err), left)
	case f.slow >= slowTries:
		why = "it timed out twice: lower --concurrency, or allow more time with ?timeout= " +
			"behind the model"
	case f.tries >= maxTries:
		why = "no tries are left"
	case wait > left:
		why = fmt.Sprintf("the limit of %v of waiting is reached", maxTotal)
	default:
		return wait, true, ""
	}
	return 0, false, why
}

// mayPass reports whether a failure is temporary. Wrong, refused or unpaid requests are permanent failures.
func mayPass(err error) bool {
	_, open := errors.AsType[*OpenError](err)
	temporary := []model.ErrorKind{model.ErrRateLimited, model.ErrUnavailable, model.ErrTimeout, model.ErrMalformed}
	return !open && slices.Contains(temporary, model.KindOf(err))
}

func retryAfter(err error) time.Duration {
	if e, ok := errors.AsType[*model.Error](err); ok {
		return max(0, e.RetryAfter)
	}
	return 0
}
