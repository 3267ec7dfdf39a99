package limit_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
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

func TestWrapIsTransparent(t *testing.T) {
	m, err := limit.Wrap(&script{}, limit.Options{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Complete(t.Context(), model.Request{})
	want := answer
	want.Attempts = 1
	if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestWrapRefusesABudgetWithoutAPrice(t *testing.T) {
	if _, err := limit.Wrap(&script{}, limit.Options{Name: name, Budget: &limit.Budget{USD: 1}}); err == nil {
		t.Error("no error")
	}
}

// The order of the decorators: every attempt counts for the rate and has a slot; a wait between attempts has
// neither; no queue counts for the timeout; and a budget pays a call once.
func TestWrapOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &limit.Budget{Tokens: 1 << 20}
		endpoint := &script{errs: []error{rateLimited(10 * time.Second), broken()}}
		m, err := limit.Wrap(within(2*time.Second, func(ctx context.Context, req model.Request) (model.Response, error) {
			if _, err := slow(time.Second, answer)(ctx, req); err != nil {
				return model.Response{}, err
			}
			resp, err := endpoint.Complete(ctx, req)
			resp.Usage = model.Usage{InputTokens: 7}
			return resp, err
		}), limit.Options{
			Name: name, Budget: b, Retry: limit.Retry{Jitter: func() float64 { return 0 }},
			Endpoint: limit.Endpoint{Rate: &limit.Rate{RPM: 3}, Concurrency: &limit.Concurrency{Most: 1}, Circuit: &limit.Circuit{}},
		})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		var both sync.WaitGroup
		took := make([]time.Duration, 2)
		for i := range 2 {
			both.Go(func() {
				resp, err := m.Complete(t.Context(), model.Request{})
				if took[i] = time.Since(start); err != nil {
					t.Error(i, err)
				}
				if want := []int{2, 2}[i]; resp.Attempts != want {
					t.Errorf("call %d made %d attempts", i, resp.Attempts)
				}
			})
			synctest.Wait()
		}
		both.Wait()
		// The first call fails at 1 s and frees its slot. The second fails at 2 s without a Retry-After and tries
		// again: the third attempt of the minute ends at 3 s. The first may try again at 11 s, but this is the
		// fourth attempt of the minute, so it starts at 60 s.
		if took[0] != 61*time.Second || took[1] != 3*time.Second {
			t.Errorf("took %v", took)
		}
		if spent := b.Spent(); spent.Tokens != 14 || endpoint.calls != 4 {
			t.Errorf("%+v after %d attempts", spent, endpoint.calls)
		}
	})
}

// Rate is inside of Concurrency: calls that have waited for a slot must not exceed the rate when they get
// slots.
func TestWrapDoesNotBunchUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s starts
		m, err := limit.Wrap(fake(func(ctx context.Context, req model.Request) (model.Response, error) {
			d := time.Second
			if s.note(); len(s.at) == 1 {
				d = 59 * time.Second
			}
			return slow(d, answer)(ctx, req)
		}), limit.Options{Name: name, Endpoint: limit.Endpoint{Rate: &limit.Rate{RPM: 2}, Concurrency: &limit.Concurrency{Most: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() { _, _ = m.Complete(t.Context(), model.Request{}) })
		}
		all.Wait()
		if len(s.at) != 6 || s.most() > 2 {
			t.Errorf("%d calls, up to %d in a minute", len(s.at), s.most())
		}
	})
}

// Retry waits as long as the endpoint's Retry-After demands.
func TestRetryAfterOverHTTP(t *testing.T) {
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if calls++; calls == 1 {
			w.Header().Set("retry-after-ms", "3")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		_, _ = io.WriteString(w, `{"choices": [{"message": {"content": "Answer: 42"}, "finish_reason": "stop"}]}`)
	}))
	defer server.Close()
	endpoint, err := openai.New(openai.Options{BaseURL: server.URL, Model: "m", Transport: server.Client().Transport})
	if err != nil {
		t.Fatal(err)
	}
	var told []limit.Again
	m, err := limit.Wrap(endpoint, limit.Options{Name: name, Retry: limit.Retry{
		Jitter: func() float64 { return 0 }, OnRetry: func(a limit.Again) { told = append(told, a) },
	}})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := m.Complete(t.Context(), model.Request{Messages: []model.Message{{Role: model.User, Content: "q"}}})
	if err != nil || resp.Attempts != 2 || resp.Message.Content != "Answer: 42" || len(told) != 1 || told[0].Wait != 3*time.Millisecond {
		t.Errorf("%+v, %v, %+v", resp, err, told)
	}
}

func BenchmarkWrap(b *testing.B) {
	m, err := limit.Wrap(&script{}, limit.Options{
		Name: name, Budget: &limit.Budget{Tokens: math.MaxInt}, Price: dollar,
		Endpoint: limit.Endpoint{Rate: &limit.Rate{RPM: math.MaxInt, TPM: math.MaxInt}, Concurrency: &limit.Concurrency{}, Circuit: &limit.Circuit{}},
	})
	if err != nil {
		b.Fatal(err)
	}
	req := text(1000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Complete(b.Context(), req); err != nil {
			b.Fatal(err)
		}
	}
}

// flaky fails in 30 of 100 attempts, depending only on call and attempt, so that the order of calls does not
// matter.
type flaky struct {
	mu       sync.Mutex
	attempts map[int]int
	injected map[string]int
}

func (f *flaky) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	f.mu.Lock()
	f.attempts[req.Identity.Trace]++
	dice := rand.New(rand.NewPCG(uint64(req.Identity.Trace), uint64(f.attempts[req.Identity.Trace])))
	f.mu.Unlock()
	d := time.Duration(50+dice.IntN(200)) * time.Millisecond
	kind := ""
	if dice.Float64() < 0.3 {
		kind = []string{"429 with time", "429", "500", "reset", "timeout"}[dice.IntN(5)]
	}
	if kind == "timeout" {
		d = time.Hour // until the timeout ends it
	}
	f.mu.Lock()
	f.injected[kind]++
	f.mu.Unlock()
	resp, err := slow(d, used(100, 20)).Complete(ctx, req)
	switch kind {
	case "429 with time":
		err = rateLimited(time.Duration(1+dice.IntN(5)) * time.Second)
	case "429":
		err = rateLimited(0)
	case "500":
		err = broken()
	case "reset":
		err = reset()
	}
	return resp, err
}

func TestThousandCallsThroughATroubledEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const calls = 1000
		endpoint := &flaky{attempts: map[int]int{}, injected: map[string]int{}}
		jitter := rand.New(rand.NewPCG(1, 2))
		var mu sync.Mutex
		var changes, again int
		b := &limit.Budget{Tokens: 1 << 30, USD: 1 << 30}
		m, err := limit.Wrap(within(10*time.Second, endpoint.Complete), limit.Options{
			Name: name, Budget: b, Price: dollar,
			// With 30 % failures and six tries, 0.7 of 1,000 calls would be lost.
			Retry: limit.Retry{Tries: 14, Total: 5 * time.Minute, Jitter: func() float64 {
				mu.Lock()
				defer mu.Unlock()
				return jitter.Float64()
			}, OnRetry: func(a limit.Again) {
				mu.Lock()
				defer mu.Unlock()
				again++
				if a.Wait > 30*time.Second {
					t.Errorf("waits %v", a.Wait)
				}
			}},
			Endpoint: limit.Endpoint{
				Rate:        &limit.Rate{RPM: 3000, TPM: 400_000},
				Concurrency: &limit.Concurrency{Most: 32, OnChange: func(int, int, string) { changes++ }},
				Circuit:     &limit.Circuit{},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		var all sync.WaitGroup
		attempts, slow := 0, 0
		for i := range calls {
			all.Go(func() {
				resp, err := m.Complete(t.Context(), model.Request{Identity: model.Identity{Trace: i}})
				e, failed := errors.AsType[*model.Error](err)
				if failed && (e.Kind != model.ErrTimeout || !strings.Contains(err.Error(), "timed out twice")) {
					t.Errorf("call %d: %v", i, err)
				}
				if resp.Waited > 5*time.Minute {
					t.Errorf("call %d waited %v", i, resp.Waited)
				}
				mu.Lock()
				defer mu.Unlock()
				if attempts += resp.Attempts; failed {
					attempts += e.Attempts
					slow++
				}
			})
		}
		all.Wait()
		sent := 0
		for _, n := range endpoint.attempts {
			sent += n
		}
		if attempts != sent || again != sent-calls || changes == 0 || slow > calls/50 || b.Spent().Tokens != (calls-slow)*120 {
			t.Errorf("%d attempts told, %d sent, %d repeated, %d changes, %d timed out twice, %+v", attempts, sent, again, changes, slow, b.Spent())
		}
		t.Logf("%d calls, %d attempts in %v: %v", calls, sent, time.Since(start), endpoint.injected)
	})
}

// Cancelling ends every call at once, wherever it waits.
func TestCancelIsImmediate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		endpoint := &flaky{attempts: map[int]int{}, injected: map[string]int{}}
		m, err := limit.Wrap(endpoint, limit.Options{
			Name: name, Budget: &limit.Budget{Tokens: 3000},
			Endpoint: limit.Endpoint{Rate: &limit.Rate{RPM: 4}, Concurrency: &limit.Concurrency{Most: 4}, Circuit: &limit.Circuit{}},
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for i := range 200 {
			all.Go(func() {
				_, err := m.Complete(ctx, model.Request{Identity: model.Identity{Trace: i}})
				if kind := model.KindOf(err); err != nil && kind != model.ErrCancelled {
					t.Errorf("%v", err)
				}
			})
		}
		time.Sleep(5 * time.Second)
		start := time.Now()
		cancel()
		all.Wait()
		if time.Since(start) != 0 {
			t.Errorf("took %v", time.Since(start))
		}
	})
}
