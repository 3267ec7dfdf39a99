package serve

import (
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
