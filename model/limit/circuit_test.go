package limit_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/limit"
	"github.com/seed-5817661a/concur/model/openai"
)

// circuited returns a model with retries and a circuit.
func circuited(c *limit.Circuit, m model.Model) model.Model {
	wrapped, err := limit.Wrap(m, limit.Options{Name: name, Endpoint: limit.Endpoint{Circuit: c}})
	if err != nil {
		panic(err)
	}
	return wrapped
}

func TestCircuitOpensOnADeadEndpoint(t *testing.T) {
	for _, concurrency := range []int{1, 3, 64} {
		synctest.Test(t, func(t *testing.T) {
			opened := 0
			c := &limit.Circuit{OnOpen: func(*limit.OpenError) { opened++ }}
			m := circuited(c, fake(func(context.Context, model.Request) (model.Response, error) { return model.Response{}, refused() }))
			start := time.Now()
			var all sync.WaitGroup
			for range concurrency {
				all.Go(func() {
					for c.Open() == nil {
						_, _ = m.Complete(t.Context(), model.Request{})
					}
					_, err := m.Complete(t.Context(), model.Request{})
					open, ok := errors.AsType[*limit.OpenError](err)
					if !ok || open.Failures < limit.DefaultFailures || open.Over < limit.DefaultGiveUp/5*2 {
						t.Errorf("%v", err)
					}
					if e := wantKind(t, err, model.ErrUnavailable, "given up after"); e.Attempts != 0 {
						t.Errorf("a call that was not sent has %d attempts", e.Attempts)
					}
				})
			}
			all.Wait()
			if took := time.Since(start); took < limit.DefaultGiveUp/5*2 || took > limit.DefaultGiveUp || opened != 1 {
				t.Errorf("%d at once: open after %v, told %d times", concurrency, took, opened)
			}
		})
	}
}

func TestCircuitOpensOnAWrongKey(t *testing.T) {
	var told *limit.OpenError
	c := &limit.Circuit{OnOpen: func(e *limit.OpenError) { told = e }}
	m := &script{errs: []error{wrongKey()}}
	call := circuited(c, m)
	_, err := call.Complete(t.Context(), model.Request{})
	wantKind(t, err, model.ErrAuth, "status 401")
	_, err = call.Complete(t.Context(), model.Request{})
	wantKind(t, err, model.ErrAuth, "given up after 1 failure")
	if open, ok := errors.AsType[*limit.OpenError](err); !ok || open != told || m.calls != 1 {
		t.Errorf("%v, told %v, %d calls", err, told, m.calls)
	}
}

// A call that is stopped by the open circuit does not count as an attempt, even if it had already begun.
func TestCircuitRefusalIsNoAttempt(t *testing.T) {
	c := &limit.Circuit{}
	m := c.Watch(name, &script{errs: []error{wrongKey()}})
	_, _ = m.Complete(t.Context(), model.Request{})
	_, err := (&limit.Retry{Name: name, Model: m}).Complete(t.Context(), model.Request{})
	if e := wantKind(t, err, model.ErrAuth, "given up"); e.Attempts != 0 {
		t.Errorf("%d attempts", e.Attempts)
	}
}

func TestCircuitDecides(t *testing.T) {
	quota := fail(model.ErrQuota, errors.New("no money"))
	repeat := func(n int, err error) []error {
		var errs []error
		for range n {
			errs = append(errs, err)
		}
		return errs
	}
	for _, c := range []struct {
		name string
		errs []error // one per second; nil is a success
		open bool
	}{
		{"successes", repeat(30, nil), false},
		{"refused for long", repeat(11, refused()), true},
		{"refused, not for long", repeat(7, refused()), false},
		{"a success resets", append(append(repeat(7, refused()), nil), repeat(9, refused())...), false},
		{"a reply resets", append(append(repeat(7, reset()), rateLimited(0)), repeat(7, reset())...), false},
		{"failures of the server", repeat(11, broken()), true},
		{"failures of the server, not for long", repeat(7, broken()), false},
		{"failures of the server, later", append([]error{nil}, repeat(100, broken())...), false},
		{"failures of the server for minutes", append([]error{nil}, repeat(122, broken())...), true},
		{"failures that say when to come back", repeat(60, overloaded(time.Second)), false},
		{"an absurd time to come back", repeat(11, overloaded(time.Hour)), true},
		{"timeouts from the start", repeat(5, slowReply()), true},
		{"timeouts, later", append([]error{nil}, repeat(60, slowReply())...), false},
		{"rate limits", repeat(60, rateLimited(0)), false},
		{"nothing but rate limits", repeat(122, rateLimited(0)), true},
		{"nothing but rate limits that say when to come back", repeat(122, rateLimited(time.Second)), true},
		{"rate limits, later", append([]error{nil}, repeat(500, rateLimited(0))...), false},
		{"rate limits and successes", append(append(repeat(100, rateLimited(0)), nil), repeat(100, rateLimited(0))...), false},
		{"nothing but rate limits, later", append([]error{nil}, repeat(602, rateLimited(0))...), true},
		{"no money", repeat(5, quota), true},
		{"money for some", append(append(repeat(4, quota), nil), repeat(4, quota)...), false},
		{"one request forbidden", []error{nil, wrongKey(), nil, wrongKey()}, false},
		{"key withdrawn", append([]error{nil}, repeat(5, wrongKey())...), true},
		{"no endpoint of models", repeat(11, fail(model.ErrMalformed, io.EOF)), true},
		{"some pages of a proxy", repeat(7, fail(model.ErrMalformed, io.EOF)), false},
		{"pages of a proxy, later", append([]error{nil}, repeat(60, fail(model.ErrMalformed, io.EOF))...), false},
		{"bad requests from the start", repeat(5, fail(model.ErrBadRequest, io.EOF)), true},
		{"four bad requests", repeat(4, fail(model.ErrBadRequest, io.EOF)), false},
		{"bad requests, later", append([]error{nil}, repeat(60, fail(model.ErrBadRequest, io.EOF))...), false},
		{"cancelled calls are not seen", append(append(repeat(5, refused()), fail(model.ErrCancelled, context.Canceled)), repeat(6, refused())...), true},
	} {
		synctest.Test(t, func(t *testing.T) {
			circuit := &limit.Circuit{}
			m := circuit.Watch(name, &script{errs: c.errs})
			for range c.errs {
				_, _ = m.Complete(t.Context(), model.Request{})
				time.Sleep(time.Second)
			}
			if open := circuit.Open() != nil; open != c.open {
				t.Errorf("%s: open is %v", c.name, open)
			}
		})
	}
}

// If one model does not exist, the run ends, although another model of the endpoint works.
func TestCircuitOpensOnAModelThatNeverAnswers(t *testing.T) {
	c := &limit.Circuit{}
	good := c.Watch("p:good", &script{errs: []error{nil}})
	bad := c.Watch("p:bad", fake(func(context.Context, model.Request) (model.Response, error) {
		return model.Response{}, fail(model.ErrBadRequest, errors.New("no such model"))
	}))
	for range limit.DefaultFailures {
		if c.Open() != nil {
			t.Fatalf("open too early: %v", c.Open())
		}
		_, _ = good.Complete(t.Context(), model.Request{})
		_, _ = bad.Complete(t.Context(), model.Request{})
	}
	want := "no such model; the endpoint is given up after 5 failures in a row"
	if open := c.Open(); open == nil || !strings.HasSuffix(open.Error(), want) {
		t.Errorf("%v", open)
	}
}

// TestCircuitGivesUpInTime checks that an endpoint that never works is given up before GiveUp has passed. It
// makes one call after another, with all kinds of failures and any duration of a failure.
func TestCircuitGivesUpInTime(t *testing.T) {
	for what, err := range map[string]error{
		"dead": refused(), "always 500": broken(), "no HTTP": fail(model.ErrUnavailable, errors.New("malformed HTTP response")),
		"no endpoint of models": fail(model.ErrMalformed, io.EOF),
	} {
		for _, takes := range []time.Duration{0, time.Second, 5 * time.Second, 8 * time.Second} {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancelCause(t.Context())
				c := &limit.Circuit{OnOpen: func(e *limit.OpenError) { stop(e) }}
				wrapped, _ := limit.Wrap(fake(func(context.Context, model.Request) (model.Response, error) {
					time.Sleep(takes)
					return model.Response{}, err
				}), limit.Options{Name: name, Endpoint: limit.Endpoint{Circuit: c}, Retry: limit.Retry{Tries: 10}})
				start := time.Now()
				for ctx.Err() == nil && time.Since(start) < time.Minute {
					_, _ = wrapped.Complete(ctx, model.Request{})
				}
				took := time.Since(start)
				synctest.Wait() // OnOpen, which ends the calls, is called before the circuit is open
				if took >= limit.DefaultGiveUp+takes || c.Open() == nil || c.Open().Over >= limit.DefaultGiveUp {
					t.Errorf("%s, %v each: after %v: %v", what, takes, took, c.Open())
				}
			})
		}
	}
}

// After a few failures and then silence, the decision does not wait for the next call.
func TestCircuitDecidesInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := make(chan struct{})
		start := time.Now()
		c := &limit.Circuit{OnOpen: func(*limit.OpenError) { close(told) }}
		m := c.Watch(name, &script{errs: []error{refused(), refused(), refused(), refused(), refused()}})
		for range limit.DefaultFailures {
			_, _ = m.Complete(t.Context(), model.Request{})
		}
		<-told
		if took := time.Since(start); took != limit.DefaultGiveUp/5*2 {
			t.Errorf("took %v", took)
		}
	})
}

// When a circuit opens, all waits end at once, and these calls find that OnOpen has already cancelled its
// context.
func TestCircuitEndsWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		c := &limit.Circuit{OnOpen: func(*limit.OpenError) { stop() }}
		first := true
		endpoint := fake(func(context.Context, model.Request) (model.Response, error) {
			if first {
				first = false
				return model.Response{}, rateLimited(time.Minute)
			}
			return model.Response{}, wrongKey()
		})
		m, err := limit.Wrap(endpoint, limit.Options{Name: name, Endpoint: limit.Endpoint{
			Circuit: c, Rate: &limit.Rate{RPM: 2}, Concurrency: &limit.Concurrency{Most: 2},
		}})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		var all sync.WaitGroup
		for range 8 { // one waits for its Retry-After, one opens the circuit, others wait for the rate and for slots
			all.Go(func() {
				_, err := m.Complete(t.Context(), model.Request{})
				if err == nil || ctx.Err() == nil {
					t.Errorf("%v, stopped: %v", err, ctx.Err())
				}
				wantKind(t, err, model.ErrAuth, "status 401")
			})
			synctest.Wait()
		}
		all.Wait()
		if time.Since(start) != 0 {
			t.Errorf("took %v", time.Since(start))
		}
	})
}

func TestCircuitLeavesTheCallersContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &limit.Circuit{}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, err := circuited(c, slow(time.Minute, answer)).Complete(ctx, model.Request{})
		if wantKind(t, err, model.ErrCancelled, ""); c.Open() != nil {
			t.Error("opened")
		}
	})
}

// The circuit recognises the errors of a real client with a real connection.
func TestCircuitKnowsRealConnections(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	hangsUp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer hangsUp.Close()
	go func() {
		for {
			conn, err := hangsUp.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
		}
	}()
	secure := httptest.NewUnstartedServer(nil)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	for what, url := range map[string]string{"gone": gone.URL, "hangs up": "http://" + hangsUp.Addr().String(), "unknown certificate": secure.URL} {
		real, err := openai.New(openai.Options{BaseURL: url, Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		c := &limit.Circuit{GiveUp: 2 * time.Nanosecond, Failures: 3}
		m := c.Watch(name, real)
		for range 3 {
			_, err = m.Complete(t.Context(), model.Request{Messages: []model.Message{{Role: model.User, Content: "q"}}})
		}
		if c.Open() == nil {
			t.Errorf("%s: %v does not count", what, err)
		}
	}
}

func TestCircuitKnowsOtherConnections(t *testing.T) {
	c := &limit.Circuit{GiveUp: 2 * time.Nanosecond, Failures: 4}
	m := c.Watch(name, &script{errs: []error{
		fail(model.ErrUnavailable, tls.RecordHeaderError{Msg: "no TLS"}), fail(model.ErrTimeout, &net.DNSError{Err: "i/o timeout", IsTimeout: true}),
		fail(model.ErrUnavailable, fmt.Errorf("post: %w", errors.New("http: server closed idle connection"))), fail(model.ErrUnavailable, io.ErrUnexpectedEOF), refused(),
	}})
	for range 5 {
		_, _ = m.Complete(t.Context(), model.Request{})
	}
	if c.Open() == nil {
		t.Error("not open")
	}
}

// TestCircuitOpensOnASilentEndpoint checks that an endpoint that accepts requests and never replies is given
// up after the time of two calls, for any number of concurrent requests. An endpoint that is slow only at
// first, for example because it loads a model while several requests wait, is not given up.
func TestCircuitOpensOnASilentEndpoint(t *testing.T) {
	const timeout = 2 * time.Minute
	for _, c := range []struct {
		concurrency int
		wakes       time.Duration // 0 means never
	}{{1, 0}, {4, 0}, {32, 0}, {4, 100 * time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			circuit, start := &limit.Circuit{}, time.Now()
			m := circuited(circuit, fake(func(ctx context.Context, req model.Request) (model.Response, error) {
				if c.wakes > 0 && time.Since(start) >= c.wakes {
					return slow(time.Minute, answer)(ctx, req)
				}
				ctx, cancel := context.WithTimeout(ctx, timeout)
				defer cancel()
				return slow(time.Hour, answer)(ctx, req)
			}))
			var all sync.WaitGroup
			for range c.concurrency {
				all.Go(func() {
					for circuit.Open() == nil && time.Since(start) < time.Hour {
						_, _ = m.Complete(t.Context(), model.Request{})
					}
				})
			}
			all.Wait()
			took := time.Since(start)
			if open := circuit.Open() != nil; open != (c.wakes == 0) || open && took > 2*timeout+10*time.Second {
				t.Errorf("%d at once, awake after %v: given up %v after %v", c.concurrency, c.wakes, open, took)
			}
		})
	}
}
