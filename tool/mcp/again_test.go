package mcp_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/tool/mcp"
)

// A call of a read-only tool is repeated once if the server had no capacity or closed the connection. A call
// of a tool that may change something is not repeated, and its error has the status.
func TestCallsAreSentAgain(t *testing.T) {
	handler := overHTTP(t).Config.Handler
	for _, c := range []struct {
		name   string
		fault  func(http.ResponseWriter)
		reads  string // the result of the read-only tool
		writes string // a part of the error of the other tool
	}{
		{"429", func(w http.ResponseWriter) { w.WriteHeader(http.StatusTooManyRequests) }, `{"sum":3}`, "429 Too Many Requests"},
		{"503", func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) }, `{"sum":3}`, "503 Service Unavailable"},
		{"hung up", func(http.ResponseWriter) { panic(http.ErrAbortHandler) }, `{"sum":3}`, "upstream"},
	} {
		var faults, calls atomic.Int64
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			if strings.Contains(string(body), `"tools/call"`) {
				calls.Add(1)
				if faults.Add(-1) >= 0 {
					c.fault(w)
					return
				}
			}
			handler.ServeHTTP(w, r)
		}))
		t.Cleanup(server.Close)
		r := registry(t, open(t, mcp.Server{Name: "peer", URL: server.URL, AllowPrivate: true}))
		ctx, _ := inTrace(t, "q")
		faults.Store(1)
		if _, got := call(ctx, t, r, "peer__add", `{"a":1,"b":2}`, time.Minute); got != c.reads || calls.Load() != 2 {
			t.Errorf("%s: a reading tool gives %s after %d calls", c.name, got, calls.Load())
		}
		other, _ := inTrace(t, "another")
		faults.Store(1)
		calls.Store(0)
		if _, got := call(other, t, r, "peer__count", `{}`, time.Minute); !strings.Contains(got, c.writes) || calls.Load() != 1 {
			t.Errorf("%s: a writing tool gives %s after %d calls", c.name, got, calls.Load())
		}
	}
}
