//go:build soak

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/offline"
	"github.com/seed-5817661a/concur/runner/serve"
)

// faulty answers a share of the requests with failures that pass.
type faulty struct {
	inner http.Handler
	share float64

	mu     sync.Mutex
	random *rand.Rand
	seen   map[string]int
}

func (f *faulty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	fail, kind := f.random.Float64() < f.share, f.random.IntN(7)
	name := []string{"429", "429 with Retry-After", "500", "reset", "timeout", "HTML with 200", "half a body"}[kind]
	if fail {
		f.seen[name]++
	}
	f.mu.Unlock()
	if !fail {
		f.inner.ServeHTTP(w, r)
		return
	}
	switch name {
	case "429 with Retry-After":
		w.Header().Set("Retry-After", "1")
		fallthrough
	case "429":
		http.Error(w, `{"error":{"message":"slow down","type":"rate_limit_exceeded","code":"rate_limit_exceeded"}}`, http.StatusTooManyRequests)
	case "500":
		http.Error(w, `{"error":{"message":"oops","type":"server_error"}}`, http.StatusInternalServerError)
	case "HTML with 200":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<html><body>Please log in</body></html>")
	case "half a body":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id":"x","object":"chat.completion","choices":[{"ind`)
	case "reset":
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			conn.Close()
		}
	case "timeout":
		select {
		case <-r.Context().Done():
		case <-time.After(time.Minute):
		}
	}
}

// TestRunSurvivesFailures: with three of ten requests failing, every query is scored and no
// trace is lost to the endpoint.
func TestRunSurvivesFailures(t *testing.T) {
	m, err := offline.New("reader", offline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := &faulty{inner: serve.Handler(model.Model(m), "offline:reader"), share: 0.3, random: rand.New(rand.NewPCG(1, 2)), seen: map[string]int{}}
	server := httptest.NewServer(f)
	defer server.Close()
	defer server.CloseClientConnections() // those that wait for a timeout
	t.Setenv("OPENAI_BASE_URL", server.URL+"/v1")
	start := time.Now()
	code, out, errs := invoke("run", "--runs-dir", t.TempDir(), "--quiet", "--format", "json", "--model", "openai:offline:reader?timeout=2s", "--corpus", "offline")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	var r result.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	c := r.Configurations[0]
	t.Logf("%s, failures %v, %d of %d correct, stop reasons %v", time.Since(start).Round(time.Second), f.seen, c.Counts.Correct, c.Counts.Queries, c.Traces.StopReasons)
	if c.Counts.Unscored != 0 || c.Traces.Outcomes["infra"] != 0 || len(f.seen) != 7 {
		t.Errorf("%d unscored, outcomes %v, failures %v", c.Counts.Unscored, c.Traces.Outcomes, f.seen)
	}
}

// TestRunEndsAtADeadEndpoint: within 20 seconds, with exit 3 and the reason.
func TestRunEndsAtADeadEndpoint(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	t.Setenv("OPENAI_BASE_URL", server.URL+"/v1")
	start := time.Now()
	code, _, errs := invoke("run", "--runs-dir", t.TempDir(), "--quiet", "--model", "openai:gone", "--corpus", "offline")
	took := time.Since(start)
	t.Logf("%s", took.Round(time.Second))
	if code != exitInvalid || took > 20*time.Second || !strings.Contains(errs, "connection refused") || !strings.Contains(errs, "go on with: concur run --resume") {
		t.Errorf("exit %d after %s: %s", code, took, errs)
	}
}
