package fetch_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/seed-5817661a/concur/internal/fetch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRequestArrivesAsWritten(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || string(body) != `{"q":"nile"}` || r.Header.Get("X-Api-Key") != "k" || r.UserAgent() != "concur/1" {
			t.Errorf("%s %q %v, %v", r.Method, body, r.Header, err)
		}
		w.Header().Set("Set-Cookie", "a=b")
		io.WriteString(w, "ok")
	})
	c, _ := client(t, fetch.Options{AllowPrivate: true, UserAgent: "concur/1"})
	resp, err := c.Do(context.Background(), fetch.Request{
		Method: http.MethodPost, URL: s.URL + "/search?key=s3cret-s3cret", Body: []byte(`{"q":"nile"}`),
		Header: http.Header{"X-API-KEY": {"k"}}, Secrets: []string{"k", "s3cret-s3cret"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if resp.Status != 200 || string(resp.Body) != "ok" || resp.Header.Get("Set-Cookie") != "a=b" || resp.Failure() != nil {
		t.Errorf("%+v", resp)
	}
	if strings.Contains(resp.URL.String(), "s3cret-s3cret") || resp.URL.Path != "/search" {
		t.Errorf("URL %s", resp.URL)
	}
}

func TestBadURLs(t *testing.T) {
	c, _ := client(t, fetch.Options{AllowPrivate: true})
	for _, u := range []string{"", "nile", "/search", "file:///etc/passwd", "gopher://h/", "http://", "http://:80/", "http://user:s3cret-s3cret@host/", "http://h/%zz?k=s3cret-s3cret", "http://[::1"} {
		_, err := c.Do(context.Background(), fetch.Request{URL: u})
		if e := wantKind(t, err, fetch.BadRequest); strings.Contains(e.Error(), "s3cret-s3cret") {
			t.Errorf("%s: %v", u, e)
		}
	}
	if _, err := c.Do(context.Background(), fetch.Request{URL: "http://h/", Method: "GET /"}); err == nil {
		t.Error("a method with a space was sent")
	}
}

func TestFailureByStatus(t *testing.T) {
	for status, kind := range map[int]fetch.Kind{
		400: fetch.BadRequest, 401: fetch.Auth, 402: fetch.Quota, 403: fetch.Auth, 404: fetch.NotFound, 410: fetch.NotFound,
		408: fetch.Timeout, 418: fetch.BadRequest, 422: fetch.BadRequest, 429: fetch.RateLimited, 500: fetch.Upstream, 504: fetch.Upstream, 599: fetch.Upstream,
	} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(status) })
		c, _ := client(t, fetch.Options{AllowPrivate: true, Retries: -1})
		resp, err := get(c, s.URL)
		if err != nil {
			t.Errorf("%d: %v", status, err)
			continue
		}
		if e := resp.Failure(); e == nil || e.Kind != kind || e.Status != status {
			t.Errorf("%d: %+v, want %s", status, e, kind)
		}
	}
}

func TestBodyIsBounded(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	z.Write(make([]byte, 10<<20))
	z.Close()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb.Bytes())
		case "/failed":
			w.WriteHeader(http.StatusInternalServerError)
			w.Write(make([]byte, 10<<20))
		case "/long":
			w.Write(make([]byte, 10<<20))
		case "/fits":
			w.Write(make([]byte, 2<<20))
		case "/torn":
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, "{")
		case "/corrupt":
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, "this is no gzip")
		}
	})
	c, _ := client(t, fetch.Options{AllowPrivate: true})
	for _, path := range []string{"/bomb", "/long"} {
		_, err := get(c, s.URL+path)
		if e := wantKind(t, err, fetch.Malformed); !strings.Contains(e.Error(), "over 2 MB") {
			t.Errorf("%s: %v", path, e)
		}
	}
	for _, path := range []string{"/torn", "/corrupt"} {
		_, err := get(c, s.URL+path)
		wantKind(t, err, fetch.Malformed)
	}
	for _, path := range []string{"/fits", "/failed"} {
		if resp, err := get(c, s.URL+path); err != nil || len(resp.Body) != 2<<20 {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestSlowDripEndsByTimeoutAndByContext(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "{")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	c, w := client(t, fetch.Options{AllowPrivate: true, Timeout: 20 * time.Millisecond})
	_, err := get(c, s.URL)
	if e := wantKind(t, err, fetch.Timeout); !strings.Contains(e.Error(), "within 20ms") || !errors.Is(err, context.DeadlineExceeded) || len(w.all) != 0 {
		t.Errorf("%v after waits %v", e, w.all)
	}
	c, _ = client(t, fetch.Options{AllowPrivate: true})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err = c.Do(ctx, fetch.Request{URL: s.URL})
	wantKind(t, err, fetch.Timeout)
	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	_, err = c.Do(ctx, fetch.Request{URL: s.URL})
	if wantKind(t, err, fetch.Timeout); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestUnreachable(t *testing.T) {
	c, w := client(t, fetch.Options{AllowPrivate: true, Retries: 5})
	_, err := get(c, "http://127.0.0.1:1") // nobody listens there
	wantKind(t, err, fetch.Upstream)
	if len(w.all) != 1 {
		t.Errorf("a refused connection was tried again after %v, want once", w.all)
	}
}

func TestBrokenConnectionIsTriedOnceMore(t *testing.T) {
	var calls atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			panic(http.ErrAbortHandler)
		}
		io.WriteString(w, "ok")
	})
	c, w := client(t, fetch.Options{AllowPrivate: true})
	resp, err := c.Do(context.Background(), fetch.Request{Method: http.MethodPost, URL: s.URL, Body: []byte("{}")})
	if err != nil || string(resp.Body) != "ok" || len(w.all) != 1 {
		t.Errorf("%v, %v after waits %v", resp, err, w.all)
	}
}

func TestHostsAreSpared(t *testing.T) {
	var inside, most atomic.Int32
	arrived, release := make(chan struct{}, 6), make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n := inside.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		arrived <- struct{}{}
		<-release
		inside.Add(-1)
	})
	c, _ := client(t, fetch.Options{AllowPrivate: true})
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			if _, err := get(c, s.URL); err != nil {
				t.Error(err)
			}
		})
	}
	for range 3 {
		<-arrived
	}
	close(release)
	wg.Wait()
	if most.Load() != 3 {
		t.Errorf("%d requests at the same time, want 3", most.Load())
	}
}

// TestNoTurnInTimeIsOurOwnDoing has requests hold all slots: the next one's failure must
// not pass for the host's.
func TestNoTurnInTimeIsOurOwnDoing(t *testing.T) {
	arrived, release := make(chan struct{}, 8), make(chan struct{})
	s := serve(t, func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-release
	})
	c, _ := client(t, fetch.Options{AllowPrivate: true})
	var first sync.WaitGroup
	for range 3 {
		first.Go(func() {
			if _, err := get(c, s.URL); err != nil {
				t.Error(err)
			}
		})
	}
	for range 3 {
		<-arrived
	}
	defer first.Wait()
	defer close(release)
	late, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, err := c.Do(late, fetch.Request{URL: s.URL})
	if e := wantKind(t, err, fetch.RateLimited); !strings.Contains(e.Error(), "are sent at the same time; lower the concurrency") || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", e)
	}
	_, err = c.Do(late, fetch.Request{URL: s.URL}) // had no time to wait at all
	wantKind(t, err, fetch.Timeout)
	gone, leave := context.WithCancel(context.Background())
	time.AfterFunc(time.Millisecond, leave)
	_, err = c.Do(gone, fetch.Request{URL: s.URL})
	wantKind(t, err, fetch.Timeout)
}

func TestPause(t *testing.T) {
	soon, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	ended, end := context.WithCancel(context.Background())
	end()
	for _, c := range []struct {
		name    string
		ctx     context.Context
		retries int
		d       time.Duration
		want    bool
	}{
		{"fits", context.Background(), 0, 20 * time.Second, true},
		{"too long", context.Background(), 0, 21 * time.Second, false},
		{"beyond the deadline", soon, 0, 2 * time.Second, false},
		{"cancelled", ended, 0, time.Second, false},
		{"no retries", context.Background(), -1, time.Second, false},
	} {
		cl, _ := client(t, fetch.Options{Retries: c.retries})
		if got := cl.Pause(c.ctx, c.d); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}
