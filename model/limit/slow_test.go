package limit_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/limit"
)

// slots is a server that handles a fixed number of requests at a time, in the order of arrival. Like local
// servers, it drops a request whose caller has left.
type slots struct {
	free  chan struct{}
	takes func(model.Request) time.Duration

	mu     sync.Mutex
	sent   map[model.Identity]int
	beside map[model.Identity]int // number of running requests when this one was last sent
	out    int
}

func newSlots(n int, takes func(model.Request) time.Duration) *slots {
	return &slots{free: make(chan struct{}, n), takes: takes, sent: map[model.Identity]int{}, beside: map[model.Identity]int{}}
}

func (s *slots) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	s.mu.Lock()
	s.sent[req.Identity]++
	s.beside[req.Identity] = s.out
	s.out++
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.out--
		s.mu.Unlock()
	}()
	select {
	case s.free <- struct{}{}:
		defer func() { <-s.free }()
		return slow(s.takes(req), answer)(ctx, req)
	case <-ctx.Done():
		return model.Response{}, fail(model.KindOf(ctx.Err()), ctx.Err())
	}
}

// TestOneSlotServer uses a server that answers one request at a time, 10 s each, for 32 traces with six
// requests each. No request may be lost, whatever the limit is at the start. If a reply takes longer than the
// timeout, the request is given up after its second try, with advice.
func TestOneSlotServer(t *testing.T) {
	const traces, requests, takes = 32, 6, 10 * time.Second
	for _, c := range []struct {
		name    string
		start   int
		endless int           // every endless-th request never ends; 0 means none
		within  time.Duration // maximum time of the whole test
		resent  int           // maximum number of requests that are sent twice
	}{
		{"loopback", 4, 0, traces * requests * takes, 0},
		{"32 at once", 32, 0, traces*requests*takes + 10*time.Minute, 32},
		{"32 at once, some endless", 32, 40, traces*requests*takes + 40*time.Minute, 60},
	} {
		synctest.Test(t, func(t *testing.T) {
			server := newSlots(1, func(r model.Request) time.Duration {
				// Not the first requests of a trace, because an endpoint that has never replied is given up.
				if n := r.Identity.Trace*requests + r.Identity.Step; c.endless > 0 && n%c.endless == 0 && r.Identity.Step > 0 {
					return time.Hour
				}
				return takes
			})
			m, err := limit.Wrap(within(limit.DefaultTimeout, server.Complete), limit.Options{
				Name: name, Retry: limit.Retry{Tries: 10},
				Endpoint: limit.Endpoint{Concurrency: &limit.Concurrency{Start: c.start, Most: 64}, Circuit: &limit.Circuit{}},
			})
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			var all sync.WaitGroup
			var mu sync.Mutex
			answered, givenUp, lastQueue := 0, 0, 0
			for trace := range traces {
				all.Go(func() {
					for step := range requests {
						id := model.Identity{Trace: trace, Step: step}
						_, err := m.Complete(t.Context(), model.Request{Identity: id})
						mu.Lock()
						if err == nil {
							answered++
						} else if givenUp++; !strings.Contains(err.Error(), "--concurrency") {
							t.Errorf("%s: %v", c.name, err)
						}
						mu.Unlock()
					}
				})
			}
			all.Wait()
			resent := 0
			for id, n := range server.sent {
				if n > 2 {
					t.Errorf("%s: %+v was sent %d times", c.name, id, n)
				}
				if resent += n - 1; n > 1 {
					lastQueue = max(lastQueue, server.beside[id])
				}
			}
			endless := 0
			if c.endless > 0 {
				endless = (traces*requests + c.endless - 1) / c.endless
			}
			if answered < traces*requests-endless-c.resent/10 || answered+givenUp != traces*requests || resent > c.resent {
				t.Errorf("%s: %d answered, %d given up, %d sent twice", c.name, answered, givenUp, resent)
			}
			if took := time.Since(start); took > c.within || lastQueue > 16 {
				t.Errorf("%s: took %v, with up to %d beside a second try", c.name, took, lastQueue)
			}
			t.Logf("%s: %d answered, %d given up, %d sent twice, %d beside a second try at most, %v", c.name, answered, givenUp, resent, lastQueue, time.Since(start))
		})
	}
}

// A server that is fast enough gets the maximum within a second.
func TestConcurrencyReachesWhatAServerBears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bound := &limit.Concurrency{Start: 4, Most: 64}
		m := bound.Wrap(name, slow(100*time.Millisecond, answer))
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		var all sync.WaitGroup
		for range 64 {
			all.Go(func() {
				for ctx.Err() == nil {
					if _, err := m.Complete(ctx, model.Request{}); err != nil && !errors.Is(err, context.DeadlineExceeded) {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if bound.Limit() != 64 {
			t.Errorf("%d after a second", bound.Limit())
		}
		if l := bound.Load(); l.Out != 0 || l.Queued != 0 {
			t.Errorf("%+v when all is over", l)
		}
	})
}

// A limit that is not reached does not grow.
func TestConcurrencyStaysWhereItIsNotNeeded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bound := &limit.Concurrency{Start: 4, Most: 64}
		m := bound.Wrap(name, slow(time.Millisecond, answer))
		for range 100 {
			if _, err := m.Complete(t.Context(), model.Request{}); err != nil {
				t.Fatal(err)
			}
		}
		if bound.Limit() != 4 {
			t.Errorf("%d after calls one by one", bound.Limit())
		}
	})
}

// TestLoad checks the numbers of running and waiting requests, and the time since which none has ended.
func TestLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bound := &limit.Concurrency{Most: 2}
		m := bound.Wrap(name, slow(time.Minute, answer))
		time.Sleep(time.Hour)
		start := time.Now()
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() { _, _ = m.Complete(t.Context(), model.Request{}) })
		}
		time.Sleep(30 * time.Second)
		if l := bound.Load(); l != (limit.Load{Out: 2, Queued: 1, Quiet: start}) {
			t.Errorf("%+v", l)
		}
		time.Sleep(45 * time.Second)
		if l := bound.Load(); l != (limit.Load{Out: 1, Quiet: start.Add(time.Minute)}) {
			t.Errorf("%+v", l)
		}
		all.Wait()
	})
}

// TestServerThatLosesOneInThree checks that no request is lost, and that the server is not given up.
func TestServerThatLosesOneInThree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newSlots(1, func(model.Request) time.Duration { return time.Second })
		var mu sync.Mutex
		sent := 0
		m, err := limit.Wrap(fake(func(ctx context.Context, req model.Request) (model.Response, error) {
			resp, err := server.Complete(ctx, req)
			mu.Lock()
			defer mu.Unlock()
			if sent++; sent%3 == 0 && err == nil {
				return model.Response{}, reset()
			}
			return resp, err
		}), limit.Options{Name: name, Endpoint: limit.Endpoint{Concurrency: &limit.Concurrency{Start: 4, Most: 64}, Circuit: &limit.Circuit{}}})
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for i := range 200 {
			all.Go(func() {
				if _, err := m.Complete(t.Context(), model.Request{Identity: model.Identity{Trace: i}}); err != nil {
					t.Errorf("request %d: %v", i, err)
				}
			})
		}
		all.Wait()
	})
}
