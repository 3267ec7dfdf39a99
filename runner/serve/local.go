package serve

import (
	"context"
	"net"
	"net/http"
	"strings"

	"github.com/seed-5817661a/concur/internal/serving"
)

// LocalOnly refuses requests of web pages in a browser on this machine to an endpoint without a key. A page
// that reaches it under its own name (DNS rebinding) sends that name as the host, and a page that sends a form
// across origins cannot declare it as JSON.
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

// Until serves until ctx ends, and then lets requests in flight finish. A client that is slow, does not read its reply
// or has not shown a good key holds up no other: see internal/serving for the limits. Pages of other sites are refused.
func Until(ctx context.Context, listener net.Listener, handler http.Handler) error {
	return serving.Serve(ctx, listener, serving.OwnOrigin(handler), serving.Limits{})
}
