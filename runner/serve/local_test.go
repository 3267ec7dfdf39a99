package serve

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestLocalOnly(t *testing.T) {
	h := LocalOnly(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	for _, c := range []struct {
		method, host, kind string
		status             int
	}{
		{http.MethodPost, "127.0.0.1:8421", "application/json", http.StatusNoContent},
		{http.MethodPost, "LOCALHOST:8421", "Application/JSON; charset=utf-8", http.StatusNoContent},
		{http.MethodGet, "[::1]:8421", "", http.StatusNoContent},
		{http.MethodGet, "[::1]", "", http.StatusNoContent},
		{http.MethodPost, "evil.example", "application/json", http.StatusForbidden},
		{http.MethodGet, "127.0.0.1.evil.example:8421", "", http.StatusForbidden},
		{http.MethodGet, "10.0.0.1", "", http.StatusForbidden},
		{http.MethodGet, "", "", http.StatusForbidden},
		{http.MethodPost, "localhost", "text/plain", http.StatusUnsupportedMediaType},
		{http.MethodPost, "localhost", "", http.StatusUnsupportedMediaType},
	} {
		r := httptest.NewRequest(c.method, "/v1/chat/completions", strings.NewReader("{}"))
		r.Host = c.host
		r.Header.Set("Content-Type", c.kind)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("%s from %q as %q: status %d, want %d: %s", c.method, c.host, c.kind, w.Code, c.status, w.Body)
		}
	}
}

// Until refuses requests of other sites' pages, whatever key they have.
func TestUntilChecksTheOrigin(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Until(ctx, listener, &Server{Name: "m", Key: "k"}) }()
	for origin, want := range map[string]int{"": http.StatusOK, "http://" + listener.Addr().String(): http.StatusOK, "https://evil.example": http.StatusForbidden, "null": http.StatusForbidden} {
		r, _ := http.NewRequest(http.MethodGet, "http://"+listener.Addr().String()+"/v1/models", nil)
		r.Header.Set("Authorization", "Bearer k")
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("origin %q: %s, want %d", origin, resp.Status, want)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
