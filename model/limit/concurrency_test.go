package limit_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/limit"
)

// crowd counts the concurrent calls; each call takes a second.
type crowd struct {
	now, most atomic.Int64
	err       atomic.Pointer[model.Error]
}

func (c *crowd) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	n := c.now.Add(1)
	defer c.now.Add(-1)
	for m := c.most.Load(); n > m && !c.most.CompareAndSwap(m, n); m = c.most.Load() {
	}
	resp, err := slow(time.Second, answer)(ctx, req)
	if e := c.err.Load(); e != nil && err == nil {
		return model.Response{}, e
	}
	return resp, err
}

func TestConcurrencyBoundsWhatIsInFlight(t *testing.T) {
	for _, c := range []struct{ start, want int }{{1, 1}, {4, 4}, {0, limit.DefaultConcurrency}} {
		synctest.Test(t, func(t *testing.T) {
			var endpoint crowd
			m := (&limit.Concurrency{Most: c.start}).Wrap(name, &endpoint)
			var all sync.WaitGroup
			for range 100 {
				all.Go(func() {
					if _, err := m.Complete(t.Context(), model.Request{}); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if got := int(endpoint.most.Load()); got != c.want {
				t.Errorf("%d at once, want %d", got, c.want)
			}
		})
	}
}

func TestConcurrencyAdapts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var history []string
		c := &limit.Concurrency{Most: 8, OnChange: func(from, to int, why string) {
			history = append(history, fmt.Sprintf("%d>%d", from, to))
			if why == "" {
				t.Error("no reason")
			}
		}}
		var endpoint crowd
		m := c.Wrap(name, &endpoint)
		round := func(n int) { // makes n concurrent calls
			var all sync.WaitGroup
			for range n {
				all.Go(func() { _, _ = m.Complete(t.Context(), model.Request{}) })
			}
			all.Wait()
		}
		endpoint.err.Store(rateLimited(0).(*model.Error))
		round(8) // eight rate limits within the window halve the limit once
		if c.Limit() != 4 {
			t.Errorf("limit %d after one round", c.Limit())
		}
		time.Sleep(limit.Window)
		round(4)
		for range 3 { // down to the minimum, and not lower
			time.Sleep(limit.Window)
			round(1)
		}
		if c.Limit() != 1 {
			t.Errorf("limit %d", c.Limit())
		}
		endpoint.err.Store(fail(model.ErrUnavailable, nil)) // such a failure does not change the limit
		round(1)
		endpoint.err.Store(nil)
		endpoint.most.Store(0)
		round(1 + 2 + 3)
		if c.Limit() != 4 {
			t.Errorf("limit %d after three rounds", c.Limit())
		}
		round(100)
		if got, want := fmt.Sprint(history), "[8>4 4>2 2>1 1>2 2>3 3>4 4>5 5>6 6>7 7>8]"; got != want || endpoint.most.Load() != 8 {
			t.Errorf("history %s, want %s; %d at once", got, want, endpoint.most.Load())
		}
	})
}

func TestConcurrencyEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var endpoint crowd
		c := &limit.Concurrency{Most: 1}
		m := c.Wrap(name, &endpoint)
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				mine := ctx
				if i%2 == 0 {
					mine = t.Context()
				}
				_, err := m.Complete(mine, model.Request{})
				if i%2 == 0 && err != nil {
					t.Error(err)
				}
			})
		}
		time.Sleep(2500 * time.Millisecond)
		cancel()
		start := time.Now()
		all.Wait()
		if took := time.Since(start); took > 10*time.Second || endpoint.most.Load() != 1 {
			t.Errorf("those who stayed took %v, %d at once", took, endpoint.most.Load())
		}
		_, err := m.Complete(ctx, model.Request{})
		wantKind(t, err, model.ErrCancelled, "limits.concurrency")
	})
}

// A slot that is assigned to a call in the moment when the call ends is not lost.
func TestConcurrencyLosesNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &limit.Concurrency{Most: 1}
		for range 200 {
			ctx, cancel := context.WithCancel(t.Context())
			holder := c.Wrap(name, fake(func(context.Context, model.Request) (model.Response, error) {
				time.Sleep(time.Second)
				cancel() // and free the slot at once
				return answer, nil
			}))
			var both sync.WaitGroup
			both.Go(func() { _, _ = holder.Complete(t.Context(), model.Request{}) })
			synctest.Wait()
			both.Go(func() { _, _ = c.Wrap(name, &script{}).Complete(ctx, model.Request{}) })
			both.Wait()
		}
		if _, err := c.Wrap(name, &script{}).Complete(t.Context(), model.Request{}); err != nil {
			t.Error(err)
		}
	})
}

func TestConcurrencyFreesTheSlotOfAPanic(t *testing.T) {
	c := &limit.Concurrency{Most: 1}
	m := c.Wrap(name, fake(func(context.Context, model.Request) (model.Response, error) { panic("no") }))
	for range 3 {
		func() {
			defer func() { _ = recover() }()
			_, _ = m.Complete(t.Context(), model.Request{})
		}()
	}
	if _, err := c.Wrap(name, &script{}).Complete(t.Context(), model.Request{}); err != nil {
		t.Error(err)
	}
}
