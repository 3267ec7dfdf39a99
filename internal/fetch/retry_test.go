package fetch_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/fetch"
)

func TestRetries(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name   string
		status int
		header http.Header
		waits  []time.Duration
		kind   fetch.Kind
		after  time.Duration
	}{
		{"gateway", 502, nil, []time.Duration{250 * ms, 500 * ms}, fetch.Upstream, 0},
		{"unavailable", 503, nil, []time.Duration{250 * ms, 500 * ms}, fetch.Upstream, 0},
		{"gateway timeout", 504, nil, []time.Duration{250 * ms, 500 * ms}, fetch.Upstream, 0},
		{"seconds", 503, http.Header{"Retry-After": {"3"}}, []time.Duration{3000 * ms, 3000 * ms}, fetch.Upstream, 3 * time.Second},
		{"date", 429, http.Header{"Date": {now.Format(http.TimeFormat)}, "Retry-After": {now.Add(7 * time.Second).Format(http.TimeFormat)}}, []time.Duration{7000 * ms, 7000 * ms}, fetch.RateLimited, 7 * time.Second},
		{"past date", 429, http.Header{"Date": {now.Format(http.TimeFormat)}, "Retry-After": {now.Add(-time.Hour).Format(http.TimeFormat)}}, []time.Duration{0, 0}, fetch.RateLimited, 0},
		{"milliseconds first", 429, http.Header{"Retry-After-Ms": {"1500"}, "Retry-After": {"9"}}, []time.Duration{1500 * ms, 1500 * ms}, fetch.RateLimited, 1500 * ms},
		{"negative", 429, http.Header{"Retry-After": {"-5"}}, []time.Duration{0, 0}, fetch.RateLimited, 0},
		{"too long", 429, http.Header{"Retry-After": {"21"}}, nil, fetch.RateLimited, 21 * time.Second},
		{"503 too long", 503, http.Header{"Retry-After": {"3600"}}, nil, fetch.RateLimited, time.Hour},
		{"huge", 429, http.Header{"Retry-After": {"1e300"}}, nil, fetch.RateLimited, 365 * 24 * time.Hour},
		{"not a number", 429, http.Header{"Retry-After": {"NaN"}}, nil, fetch.RateLimited, 0},
		{"no word when", 429, nil, nil, fetch.RateLimited, 0},
		{"internal", 500, nil, nil, fetch.Upstream, 0},
		{"auth", 403, http.Header{"Retry-After": {"1"}}, nil, fetch.Auth, time.Second},
		{"quota", 402, nil, nil, fetch.Quota, 0},
		{"bad", 400, nil, nil, fetch.BadRequest, 0},
	} {
		var calls atomic.Int32
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			calls.Add(1)
			for k, v := range c.header {
				w.Header()[k] = v
			}
			w.WriteHeader(c.status)
		})
		cl, w := client(t, fetch.Options{AllowPrivate: true})
		resp, err := get(cl, s.URL)
		var e *fetch.Error
		if err == nil {
			e = resp.Failure()
		} else {
			e = wantKind(t, err, c.kind)
		}
		if e == nil || e.Kind != c.kind || e.RetryAfter != c.after || e.Status != c.status {
			t.Errorf("%s: %+v, want %s after %s", c.name, e, c.kind, c.after)
		}
		if !slices.Equal(w.all, c.waits) || int(calls.Load()) != len(c.waits)+1 {
			t.Errorf("%s: %d calls, waits %v, want %v", c.name, calls.Load(), w.all, c.waits)
		}
	}
}

func TestRetrySendsTheBodyAgain(t *testing.T) {
	var calls atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if string(body) != "query" {
			t.Errorf("body %q, %v", body, err)
		}
		if calls.Add(1) < 3 {
			w.WriteHeader(http.StatusBadGateway)
		}
	})
	c, _ := client(t, fetch.Options{AllowPrivate: true})
	resp, err := c.Do(context.Background(), fetch.Request{Method: http.MethodPost, URL: s.URL, Body: []byte("query")})
	if err != nil || resp.Status != 200 || calls.Load() != 3 {
		t.Errorf("%+v, %v after %d calls", resp, err, calls.Load())
	}
}

func TestAWaitBeyondTheDeadlineIsNotBegun(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "15")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	c, w := client(t, fetch.Options{AllowPrivate: true})
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, err := c.Do(ctx, fetch.Request{URL: s.URL})
	if e := wantKind(t, err, fetch.RateLimited); e.RetryAfter != 15*time.Second || len(w.all) != 0 {
		t.Errorf("%+v after waits %v", e, w.all)
	}
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "15")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	ctx, cancel := context.WithCancel(context.Background())
	c := fetch.New(fetch.Options{AllowPrivate: true, Now: func() time.Time { cancel(); return now }}) // the client's own Sleep
	defer c.Close()
	_, err := c.Do(ctx, fetch.Request{URL: s.URL})
	wantKind(t, err, fetch.Timeout)
}
