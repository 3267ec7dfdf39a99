package serve

import (
	"context"
	"net"
	"net/http"
	"strings"

	"github.com/seed-5817661a/concur/internal/serving"
)

// LocalOnly protects an endpoint without a key from web pages in a browser on this machine. A page that uses
// its own domain name for this machine (DNS rebinding) sends that name as the host, and a form of another
// site cannot have the content type JSON. LocalOnly refuses both.
func LocalOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !serving.Loopback(r.Host) {
			http.Error(w, "the host "+r.Host+" is not this machine: without --key, only localhost and loopback "+
				"addresses are served", http.StatusForbidden)
			return
		}
		if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); r.Method == http.MethodPost &&
			strings.TrimSpace(strings.ToLower(kind)) != "application/json" {
			http.Error(w, "send the request as Content-Type: application/json", http.StatusUnsupportedMediaType)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Until serves until ctx ends, and then waits for the running requests. A client that is slow, does not read
// its reply or has no valid key cannot delay other clients: see internal/serving for the limits. Requests of
// other sites' pages are refused.
func Until(ctx context.Context, listener net.Listener, handler http.Handler) error {
	return serving.Serve(ctx, listener, serving.OwnOrigin(handler), serving.Limits{})
}
