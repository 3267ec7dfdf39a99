package limit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/model"
)

// Defaults of Concurrency.
const (
	DefaultConcurrency = 32
	DefaultTimeout     = 2 * time.Minute
)

// Window is the time after a halving in which other rate limits do not halve the limit again, because
// concurrent requests are refused together.
const Window = 10 * time.Second

// Concurrency limits the concurrent requests to an endpoint, and adapts the limit as TCP adapts its window.
// It doubles the limit with every round of quick replies until the first sign of overload, and then adds one
// per round. A rate limit halves it. After a timeout it becomes half of the number of replies that came
// during that request, because the server handled these first. It stays between 1 and Most.
type Concurrency struct {
	Most  int // maximum of concurrent requests; default DefaultConcurrency
	Start int // limit at the start; default Most
	// Timeout is the timeout of one request. The limit doubles only if replies take at most a quarter of it, and
	// grows only if they take at most half. Default DefaultTimeout.
	Timeout time.Duration
	// OnChange, if set, is called with every change, in order. It must return soon, and must not call a model or
	// a method of this Concurrency.
	OnChange func(from, to int, why string)

	mu        sync.Mutex
	limit     int // 0 before the first call
	threshold int // below this value the limit doubles
	busy      int
	queue     []chan struct{} // waiting requests in the order of arrival; a channel is closed when its request gets a slot
	answered  int             // number of all replies
	cut       time.Time       // time when the limit was last lowered
	quiet     time.Time       // time since which requests are running and none has ended

	// State of the present round, which ends after as many replies as the limit:
	answers int
	slowest time.Duration
	full    bool // all slots were taken at some time
}

// attempt is a running request: the time when it was sent, and the number of replies before that.
type attempt struct {
	sent     time.Time
	answered int
}

// Wrap returns a model whose calls wait for the limit. name is provider:model, for errors.
func (c *Concurrency) Wrap(name string, m model.Model) model.Model {
	return complete(func(ctx context.Context, req model.Request) (model.Response, error) {
		if !c.acquire(ctx) {
			return model.Response{}, waitError(ctx, name, "a slot of limits.concurrency")
		}
		defer c.release() // also after a panic of the model
		c.mu.Lock()
		a := attempt{time.Now(), c.answered}
		c.mu.Unlock()
		resp, err := m.Complete(ctx, req)
		if ctx.Err() == nil { // otherwise the caller has cancelled
			c.learn(a, err)
		}
		return resp, err
	})
}

// Limit returns the current limit.
func (c *Concurrency) Limit() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.prepare()
	return c.limit
}

// Load is the current work of an endpoint.
type Load struct {
	Out    int       // number of running requests
	Queued int       // number of requests that wait for a slot
	Quiet  time.Time // time since which requests are running and none has ended
}

func (c *Concurrency) Load() Load {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Load{c.busy, len(c.queue), c.quiet}
}

func (c *Concurrency) prepare() {
	if c.limit != 0 {
		return
	}
	c.Most, c.Timeout = cmp.Or(c.Most, DefaultConcurrency), cmp.Or(c.Timeout, DefaultTimeout)
	c.limit, c.threshold = min(cmp.Or(c.Start, c.Most), c.Most), c.Most
}

// acquire waits for a slot. It returns false if ctx ended first.
func (c *Concurrency) acquire(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	slot := make(chan struct{})
	c.mu.Lock()
	c.prepare()
	c.queue = append(c.queue, slot)
	c.admit()
	c.mu.Unlock()
	select {
	case <-slot:
		return true
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.queue, slot); i >= 0 {
		c.queue = slices.Delete(c.queue, i, i+1)
	} else { // the slot was assigned at the same moment, so pass it on
		c.busy--
		c.admit()
	}
	return false
}

func (c *Concurrency) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy--
	c.quiet = time.Now()
	c.admit()
}

// admit assigns free slots to waiting requests, in order.
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

// learn adapts the limit to the result of a request.
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
		if c.cut.IsZero() || now.Sub(c.cut) >= Window {
			c.lower(now, c.limit/2, "the endpoint limits the rate")
		}
	case faultOf(err) == noReply && !a.sent.Before(c.cut): // earlier requests waited in a longer queue
		meanwhile := c.answered - a.answered
		c.lower(now, min(c.limit/2, meanwhile/2), fmt.Sprintf("a request timed out, while %d were answered", meanwhile))
	}
}

// grow ends a round, and raises the limit if replies were quick.
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
