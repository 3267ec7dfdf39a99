package limit

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/model"
)

// Rate keeps the requests and tokens per minute within an endpoint's limits. Before a request is sent, its
// tokens are estimated: a quarter of its bytes, plus OutputGuess. The usage in the reply corrects the
// estimate. After a failure other than a timeout, the tokens do not count. Requests are sent in the order of
// their arrival.
type Rate struct {
	RPM         int // limit of requests in any 60 s; 0 means no limit
	TPM         int // limit of input and output tokens in any 60 s; 0 means no limit
	OutputGuess int // estimated tokens of a reply; default DefaultOutputGuess

	once    sync.Once
	turn    chan struct{} // held by the request that is next
	changed chan struct{} // wakes that request after a correction

	mu               sync.Mutex
	requests, tokens window
}

func (r *Rate) prepare() {
	r.once.Do(func() {
		r.turn, r.changed = make(chan struct{}, 1), make(chan struct{}, 1)
		r.requests.max, r.tokens.max = r.RPM, r.TPM
	})
}

// Wrap returns a model whose calls wait for the limits. name is provider:model, for errors.
func (r *Rate) Wrap(name string, m model.Model) model.Model {
	r.prepare()
	return complete(func(ctx context.Context, req model.Request) (model.Response, error) {
		estimated := estimate(req, r.OutputGuess)
		c := r.enter(ctx, total(estimated))
		if c == nil {
			return model.Response{}, waitError(ctx, name, "limits.rpm and limits.tpm")
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

// enter waits until a request of n tokens fits, and counts it. It returns nil if ctx ended first.
func (r *Rate) enter(ctx context.Context, n int) *charge {
	if ctx.Err() != nil {
		return nil
	}
	select {
	case r.turn <- struct{}{}:
	case <-ctx.Done():
		return nil
	}
	defer func() { <-r.turn }()
	for {
		c, wait := r.try(n)
		if c != nil {
			return c
		}
		select {
		case <-time.After(wait):
		case <-r.changed:
		case <-ctx.Done():
			return nil
		}
	}
}

// try counts a request of n tokens if it fits; otherwise it returns the time to wait.
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
	default: // a wake-up is already pending
	}
}

// span is the period of limits per minute.
const span = time.Minute

// window has the charges of the last minute. Unlike a token bucket, it is exact: no minute has more than max,
// and a run below the limit is not slowed down. The caller must hold the lock.
type window struct {
	max     int // 0 means no limit
	charges []*charge
	sum     int
}

// charge is an amount that counts for a minute.
type charge struct {
	at     time.Time
	amount int
}

// wait returns the time until n more fit. An n above the whole limit waits until the window is empty.
func (w *window) wait(now time.Time, n int) time.Duration {
	if w.max <= 0 {
		return 0
	}
	w.expire(now)
	over := w.sum + min(n, w.max) - w.max
	for _, c := range w.charges {
		if over <= 0 {
			break
		}
		if over -= c.amount; over <= 0 {
			return c.at.Add(span).Sub(now)
		}
	}
	return 0
}

// add adds a charge of n that begins to count now.
func (w *window) add(now time.Time, n int) *charge {
	c := &charge{at: now, amount: n}
	if w.max > 0 {
		w.charges = append(w.charges, c)
		w.sum += n
	}
	return c
}

// correct sets the real amount of a charge, unless a minute has passed.
func (w *window) correct(now time.Time, c *charge, n int) {
	w.expire(now)
	if w.max > 0 && now.Sub(c.at) < span {
		w.sum += n - c.amount
		c.amount = n
	}
}

func (w *window) expire(now time.Time) {
	gone := 0
	for gone < len(w.charges) && now.Sub(w.charges[gone].at) >= span {
		w.sum -= w.charges[gone].amount
		w.charges[gone] = nil
		gone++
	}
	w.charges = w.charges[gone:]
}

// DefaultOutputGuess is the estimated length of a reply in tokens.
const DefaultOutputGuess = 512

// bytesPerToken is the usual estimate for English text.
const bytesPerToken = 4

// estimate returns the estimated usage of a request before it is sent.
func estimate(req model.Request, outputGuess int) model.Usage {
	n := 0
	for _, m := range req.Messages {
		n += len(m.Content) + len(m.Role) + len(m.ToolCallID)
		for _, c := range m.ToolCalls {
			n += len(c.ID) + len(c.Name) + len(c.Arguments)
		}
	}
	for _, t := range req.Tools {
		n += len(t.Name) + len(t.Description) + len(t.Parameters)
	}
	if req.Schema != nil {
		n += len(req.Schema.Schema)
	}
	output := cmp.Or(outputGuess, DefaultOutputGuess)
	if req.MaxTokens > 0 {
		output = min(output, req.MaxTokens)
	}
	return model.Usage{InputTokens: (n + bytesPerToken - 1) / bytesPerToken, OutputTokens: output}
}

// actual returns the usage that the provider reported or, without one, the estimate.
func actual(reported, estimated model.Usage) model.Usage {
	if reported.InputTokens <= 0 && reported.OutputTokens <= 0 {
		return estimated
	}
	reported.InputTokens, reported.OutputTokens = max(0, reported.InputTokens), max(0, reported.OutputTokens)
	return reported
}

func total(u model.Usage) int { return u.InputTokens + u.OutputTokens }
