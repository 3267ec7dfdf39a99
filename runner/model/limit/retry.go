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

// Retry asks again after a temporary failure: a rate limit, an endpoint that is overloaded or
// unreachable, a timeout. Every other kind is final. The wait between attempts is the
// endpoint's Retry-After up to a minute, or exponential with full jitter. A request that times
// out is sent once more.
//
// Responses and errors have the number of attempts and the time between them.
type Retry struct {
	Name  string // provider:model, for errors
	Model model.Model
	Tries int // limit of attempts, the first included; default DefaultTries
	// Total limits the sum of the waits of one call; default DefaultTotal. A Retry-After
	// beyond the rest of it ends the call. The time of attempts and queues is limited
	// elsewhere.
	Total time.Duration
	// Jitter is uniform in [0,1); nil means math/rand/v2. It only affects waits.
	Jitter func() float64
	// OnRetry, if set, gets each failure that is followed by another attempt.
	OnRetry func(Again)
}

// Again is a failed attempt that will be repeated.
type Again struct {
	Request model.Identity
	Attempt int // that failed, from 1
	Wait    time.Duration
	Err     error
}

// Complete asks until there is a reply, a permanent failure, or a limit is reached.
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
			return model.Response{}, r.waitError(ctx, f)
		}
	}
}

// giveUp is the last failure with the effort that was made.
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

// waitError is the error of a wait that ctx ended.
func (r *Retry) waitError(ctx context.Context, f failure) error {
	return &model.Error{
		Kind: model.KindOf(ctx.Err()), Model: r.Name, Attempts: f.tries, Waited: f.waited,
		Err: fmt.Errorf("wait to ask again after %s: %w; the last failure: %v", f.effort(), context.Cause(ctx), f.err),
	}
}

func (f failure) effort() string {
	attempts := "1 attempt"
	if f.tries != 1 {
		attempts = fmt.Sprintf("%d attempts", f.tries)
	}
	return fmt.Sprintf("%s and %v of waiting", attempts, f.waited.Round(100*time.Millisecond))
}
