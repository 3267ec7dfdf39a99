package limit

import (
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
)

// Concurrency bounds the requests in flight at an endpoint and adapts the bound: it is
// halved when the endpoint limits the rate, and grows by one with every round of answers
// (additive increase, multiplicative decrease). It never exceeds Start nor falls below 1.
type Concurrency struct {
	Start int // in flight at first and at most; default DefaultConcurrency
	// Window is the time after a halving in which there is no other: the requests that were
	// out together are limited together. Default DefaultWindow.
	Window time.Duration
	// OnChange, where set, is told of every change, in order. It must return promptly and
	// call neither a model nor a method of this Concurrency.
	OnChange func(from, to int, why string)

	mu      sync.Mutex
	limit   int // 0 before the first call
	busy    int
	answers int // since the last change
	halved  time.Time
	queue   []chan struct{} // in order of arrival; closed when a slot is given
}

// Wrap puts a model behind the bound. name is provider:model, as errors name it.
func (c *Concurrency) Wrap(name string, m model.Model) model.Model {
	return complete(func(ctx context.Context, req model.Request) (model.Response, error) {
		if err := c.acquire(ctx); err != nil {
			return model.Response{}, &model.Error{Kind: model.KindOf(ctx.Err()), Model: name, Err: fmt.Errorf("wait for a slot of limits.concurrency: %w", err)}
		}
		defer c.release() // also where the model panics
		resp, err := m.Complete(ctx, req)
		c.learn(err)
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

func (c *Concurrency) prepare() {
	if c.limit == 0 {
		c.limit = c.most()
	}
}

func (c *Concurrency) most() int {
	if c.Start <= 0 {
		return DefaultConcurrency
	}
	return c.Start
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

func (c *Concurrency) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy--
	c.admit()
}

// admit gives free slots to those who wait.
func (c *Concurrency) admit() {
	for c.busy < c.limit && len(c.queue) > 0 {
		close(c.queue[0])
		c.queue = c.queue[1:]
		c.busy++
	}
}

// learn adapts the bound to how a request ended.
func (c *Concurrency) learn(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err == nil:
		if c.answers++; c.answers >= c.limit && c.limit < c.most() {
			c.change(c.limit+1, fmt.Sprintf("%d answers without a rate limit", c.answers))
		}
	case model.KindOf(err) == model.ErrRateLimited:
		c.answers = 0
		if now := time.Now(); c.limit > 1 && (c.halved.IsZero() || now.Sub(c.halved) >= c.window()) {
			c.halved = now
			c.change(c.limit/2, "the endpoint limits the rate")
		}
	}
}

func (c *Concurrency) change(to int, why string) {
	from := c.limit
	c.limit, c.answers = to, 0
	c.admit()
	if c.OnChange != nil {
		c.OnChange(from, to, why)
	}
}

func (c *Concurrency) window() time.Duration {
	if c.Window <= 0 {
		return DefaultWindow
	}
	return c.Window
}
