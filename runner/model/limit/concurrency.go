package limit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/runner/model"
)

// The defaults of Concurrency.
const (
	DefaultConcurrency = 32
	DefaultWindow      = 10 * time.Second
	DefaultTimeout     = 2 * time.Minute
)

// Concurrency bounds the requests in flight at an endpoint and adapts the bound as TCP does
// its window: it doubles with every round of quick answers until the endpoint first objects,
// then grows by one a round. A rate limit halves it. A timeout cuts it to half of what was
// answered while that request was out, since a server that answers in turn gave the others
// their answers instead. It never exceeds Most nor falls below 1.
type Concurrency struct {
	Most  int // in flight at most; default DefaultConcurrency
	Start int // in flight at first; default Most
	// Timeout is what one request may take. The bound doubles only while answers come within
	// a quarter of it, and grows only while they come within half. Default DefaultTimeout.
	Timeout time.Duration
	// Window is the time after a rate limit's halving in which there is no other: the
	// requests that were out together are limited together. Default DefaultWindow.
	Window time.Duration
	// OnChange, where set, is told of every change, in order. It must return promptly and
	// call neither a model nor a method of this Concurrency.
	OnChange func(from, to int, why string)

	mu        sync.Mutex
	limit     int // 0 before the first call
	threshold int // below it the bound doubles
	busy      int
	queue     []chan struct{} // in order of arrival; closed when a slot is given
	answered  int             // in all
	cut       time.Time       // when the bound was last lowered
	quiet     time.Time       // since when requests are out and none has ended

	// Of the round, which is as many answers as the bound:
	answers int
	slowest time.Duration
	full    bool // every slot was taken at some time
}

// attempt is a request in flight: when it was sent, and how many had been answered by then.
type attempt struct {
	sent     time.Time
	answered int
}

// Wrap puts a model behind the bound. name is provider:model, as errors name it.
func (c *Concurrency) Wrap(name string, m model.Model) model.Model {
	return complete(func(ctx context.Context, req model.Request) (model.Response, error) {
		if err := c.acquire(ctx); err != nil {
			return model.Response{}, waited(ctx, name, "a slot of limits.concurrency", err)
		}
		defer c.release() // also where the model panics
		a := c.begin()
		resp, err := m.Complete(ctx, req)
		if ctx.Err() == nil { // else it was the caller who left
			c.learn(a, err)
		}
		return resp, err
	})
}

// Limit is the bound in force.
func (c *Concurrency) Limit() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.prepare()
	return c.limit
}

// Load is what an endpoint has to do.
type Load struct {
	Out    int       // requests in flight
	Queued int       // requests that wait for a slot
	Quiet  time.Time // since when requests are in flight and none has ended
}

// Load tells how much is in flight and waits.
func (c *Concurrency) Load() Load {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Load{c.busy, len(c.queue), c.quiet}
}

func (c *Concurrency) prepare() {
	if c.limit != 0 {
		return
	}
	c.Most, c.Timeout, c.Window = cmp.Or(c.Most, DefaultConcurrency), cmp.Or(c.Timeout, DefaultTimeout), cmp.Or(c.Window, DefaultWindow)
	c.limit, c.threshold = min(cmp.Or(c.Start, c.Most), c.Most), c.Most
}

func (c *Concurrency) acquire(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	slot := make(chan struct{})
	c.mu.Lock()
	c.prepare()
	c.queue = append(c.queue, slot)
	c.admit()
	c.mu.Unlock()
	select {
	case <-slot:
		return nil
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.queue, slot); i >= 0 {
		c.queue = slices.Delete(c.queue, i, i+1)
	} else { // it was given in the same moment, and another may have it
		c.busy--
		c.admit()
	}
	return context.Cause(ctx)
}

func (c *Concurrency) begin() attempt {
	c.mu.Lock()
	defer c.mu.Unlock()
	return attempt{time.Now(), c.answered}
}

func (c *Concurrency) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy--
	c.quiet = time.Now()
	c.admit()
}

// admit gives free slots to those who wait.
func (c *Concurrency) admit() {
	for c.busy < c.limit && len(c.queue) > 0 {
		if c.busy == 0 {
			c.quiet = time.Now()
		}
		close(c.queue[0])
		c.queue = c.queue[1:]
		c.busy++
	}
	c.full = c.full || c.busy >= c.limit
}

// learn adapts the bound to how a request ended.
func (c *Concurrency) learn(a attempt, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	switch {
	case err == nil:
		c.answered++
		c.answers++
		c.slowest = max(c.slowest, now.Sub(a.sent))
		if c.answers >= c.limit {
			c.grow()
		}
	case model.KindOf(err) == model.ErrRateLimited:
		c.answers = 0
		if c.cut.IsZero() || now.Sub(c.cut) >= c.Window {
			c.lower(now, c.limit/2, "the endpoint limits the rate")
		}
	case faultOf(err) == noReply && !a.sent.Before(c.cut): // those sent earlier met with a longer queue
		meanwhile := c.answered - a.answered
		c.lower(now, min(c.limit/2, meanwhile/2), fmt.Sprintf("a request timed out, while %d were answered", meanwhile))
	}
}

// grow ends a round.
func (c *Concurrency) grow() {
	answers, slowest, full := c.answers, c.slowest, c.full
	c.answers, c.slowest, c.full = 0, 0, c.busy >= c.limit
	to := c.limit + 1
	if c.limit < c.threshold && slowest < c.Timeout/4 {
		to = min(2*c.limit, c.threshold)
	}
	if to = min(to, c.Most); to > c.limit && full && slowest < c.Timeout/2 {
		c.change(to, fmt.Sprintf("%d answers within %v", answers, slowest.Round(time.Millisecond)))
	}
}

func (c *Concurrency) lower(now time.Time, to int, why string) {
	if c.limit == 1 {
		return
	}
	c.cut, c.threshold = now, max(1, c.limit/2)
	c.answers, c.slowest, c.full = 0, 0, false
	c.change(max(1, to), why)
}

func (c *Concurrency) change(to int, why string) {
	from := c.limit
	c.limit = to
	c.admit()
	if c.OnChange != nil {
		c.OnChange(from, to, why)
	}
}
