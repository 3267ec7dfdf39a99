package limit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/seed-5817661a/concur/internal/pace"
	"github.com/seed-5817661a/concur/runner/model"
)

// Retry asks again where a failure may pass: rate limits, an endpoint that is overloaded
// or out of reach, timeouts. Every other kind is final at once. The wait between attempts
// is the endpoint's Retry-After up to a minute, or exponential with full jitter. A request
// that times out is sent once more.
//
// Responses and errors tell the number of attempts and the time waited between them.
type Retry struct {
	Name  string // provider:model, as errors name it
	Model model.Model
	Tries int // attempts at most, the first included; default DefaultTries
	// Total is what one call waits between attempts at most, all waits together; default
	// DefaultTotal. A Retry-After beyond what is left of it ends the call at once. Time
	// that attempts themselves take, or spend in queues, has limits of its own.
	Total time.Duration
	// Jitter is uniform in [0,1); nil is math/rand/v2. It moves waits and nothing else.
	Jitter func() float64
	// OnRetry, where set, is told of each failure that another attempt will follow.
	OnRetry func(Again)
}

// Again is an attempt that failed and will be repeated.
type Again struct {
	Request model.Identity
	Attempt int // that failed, from 1
	Wait    time.Duration
	Err     error
}

// Complete asks until there is an answer, a final failure, or no more patience.
func (r *Retry) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	tries, limit, jitter := cmp.Or(r.Tries, DefaultTries), cmp.Or(r.Total, DefaultTotal), r.Jitter
	if jitter == nil {
		jitter = rand.Float64
	}
	var f failed
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
		wait, again, why := next(f, tries, limit, jitter())
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
			return model.Response{}, r.stopped(ctx, f)
		}
	}
}

// giveUp is the last failure, with what was done about it.
func (r *Retry) giveUp(f failed, why string) error {
	e := asError(r.Name, f.err)
	e.Attempts, e.Waited = f.tries, f.waited
	switch {
	case why != "":
		e.Err = fmt.Errorf("%w; %s: gave up after %s", e.Err, why, f.effort())
	case f.tries > 1:
		e.Err = fmt.Errorf("%w; this after %s", e.Err, f.effort())
	}
	return e
}

// stopped is a wait that ctx ended.
func (r *Retry) stopped(ctx context.Context, f failed) error {
	return &model.Error{
		Kind: model.KindOf(ctx.Err()), Model: r.Name, Attempts: f.tries, Waited: f.waited,
		Err: fmt.Errorf("wait to ask again after %s: %w; the last failure: %v", f.effort(), context.Cause(ctx), f.err),
	}
}

func (f failed) effort() string {
	attempts := "1 attempt"
	if f.tries != 1 {
		attempts = fmt.Sprintf("%d attempts", f.tries)
	}
	return fmt.Sprintf("%s and %v of waiting", attempts, f.waited.Round(100*time.Millisecond))
}
