package fetch_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/fetch"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// waits records what a client would have slept, and does not sleep.
type waits struct {
	mu  sync.Mutex
	all []time.Duration
}

func (w *waits) sleep(ctx context.Context, d time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, d)
	return ctx.Err()
}

func client(t testing.TB, o fetch.Options) (*fetch.Client, *waits) {
	t.Helper()
	w := &waits{}
	if o.Sleep == nil {
		o.Sleep = w.sleep
	}
	o.Now = func() time.Time { return now }
	o.Jitter = func() float64 { return 0.5 }
	c := fetch.New(o)
	t.Cleanup(c.Close)
	return c, w
}

func serve(t testing.TB, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func get(c *fetch.Client, url string) (*fetch.Response, error) {
	return c.Do(context.Background(), fetch.Request{URL: url})
}

func wantKind(t *testing.T, err error, kind fetch.Kind) *fetch.Error {
	t.Helper()
	e, ok := errors.AsType[*fetch.Error](err)
	if !ok || e.Kind != kind {
		t.Fatalf("error %v (%+v), want kind %s", err, e, kind)
	}
	return e
}
