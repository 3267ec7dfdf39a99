package limit

import (
	"context"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/runner/model"
)

// Rate keeps requests and tokens per minute within an endpoint's limits. A request's tokens
// are estimated before it is sent (a quarter of its bytes, and OutputGuess), and corrected by
// the usage in the reply; a failure other than a timeout returns them. Requests are sent in
// the order of their arrival.
type Rate struct {
	RPM         int // limit of requests in any 60 s; 0 means none
	TPM         int // limit of input and output tokens in any 60 s; 0 means none
	OutputGuess int // tokens of a reply; default DefaultOutputGuess

	once    sync.Once
	turn    chan struct{} // taken by the next request
	changed chan struct{} // wakes it after a correction

	mu               sync.Mutex
	requests, tokens window
}

func (r *Rate) prepare() {
	r.once.Do(func() {
		r.turn, r.changed = make(chan struct{}, 1), make(chan struct{}, 1)
		r.requests.max, r.tokens.max = r.RPM, r.TPM
	})
}

// Wrap puts a model behind the limits. name is provider:model, for errors.
func (r *Rate) Wrap(name string, m model.Model) model.Model {
	r.prepare()
	return complete(func(ctx context.Context, req model.Request) (model.Response, error) {
		estimated := estimate(req, r.OutputGuess)
		c, err := r.enter(ctx, total(estimated))
		if err != nil {
			return model.Response{}, waitError(ctx, name, "limits.rpm and limits.tpm", err)
		}
		resp, err := m.Complete(ctx, req)
		switch {
		case err == nil:
			r.correct(c, total(actual(resp.Usage, estimated)))
		case model.KindOf(err) != model.ErrTimeout && model.KindOf(err) != model.ErrCancelled:
			r.correct(c, 0)
		}
		return resp, err
	})
}

// enter waits until a request of n tokens fits, and counts it.
func (r *Rate) enter(ctx context.Context, n int) (*charge, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	select {
	case r.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-r.turn }()
	for {
		c, wait := r.try(n)
		if c != nil {
			return c, nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-r.changed:
		case <-ctx.Done():
			timer.Stop()
			return nil, context.Cause(ctx)
		}
		timer.Stop()
	}
}

// try counts a request of n tokens if it fits, or gives the necessary wait.
func (r *Rate) try(n int) (*charge, time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if wait := max(r.requests.wait(now, 1), r.tokens.wait(now, n)); wait > 0 {
		return nil, wait
	}
	r.requests.add(now, 1)
	return r.tokens.add(now, n), 0
}

func (r *Rate) correct(c *charge, n int) {
	r.mu.Lock()
	r.tokens.correct(time.Now(), c, n)
	r.mu.Unlock()
	select {
	case r.changed <- struct{}{}:
	default: // a wake-up is pending already
	}
}
