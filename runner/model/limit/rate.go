package limit

import (
	"context"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/runner/model"
)

// Rate holds requests and tokens per minute beneath an endpoint's limits. A request's
// tokens are estimated before it is sent (a quarter of its bytes, and OutputGuess), and
// corrected by the usage that the reply reports; a failure that is no timeout gives them
// back. Requests go in the order in which they came.
type Rate struct {
	RPM         int // requests in any 60 s at most; 0 is no limit
	TPM         int // input and output tokens in any 60 s at most; 0 is no limit
	OutputGuess int // tokens of a reply; default DefaultOutputGuess

	once    sync.Once
	turn    chan struct{} // held by the one request that is next
	changed chan struct{} // tells that one of a correction

	mu               sync.Mutex
	requests, tokens window
}

func (r *Rate) prepare() {
	r.once.Do(func() {
		r.turn, r.changed = make(chan struct{}, 1), make(chan struct{}, 1)
		r.requests.max, r.tokens.max = r.RPM, r.TPM
	})
}

// Wrap puts a model behind the limits. name is provider:model, as errors name it.
func (r *Rate) Wrap(name string, m model.Model) model.Model {
	r.prepare()
	return complete(func(ctx context.Context, req model.Request) (model.Response, error) {
		estimated := estimate(req, r.OutputGuess)
		c, err := r.enter(ctx, total(estimated))
		if err != nil {
			return model.Response{}, waited(ctx, name, "limits.rpm and limits.tpm", err)
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

// enter waits until n tokens and a request fit, and counts them.
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

// try counts a request of n tokens where it fits, and else says how long it must wait.
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
	default: // it will look again anyway
	}
}
