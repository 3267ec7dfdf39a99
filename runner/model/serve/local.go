package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// LocalOnly keeps the pages of a browser on this machine away from an endpoint without a
// key: one that reaches it under a name of its own (DNS rebinding) sends that name as the
// host, and one that sends a form across origins cannot say that it is JSON.
func LocalOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if ip := net.ParseIP(strings.Trim(host, "[]")); !strings.EqualFold(host, "localhost") && (ip == nil || !ip.IsLoopback()) {
			http.Error(w, "the host "+host+" is not this machine: without --key, only localhost and loopback addresses are served", http.StatusForbidden)
			return
		}
		if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); r.Method == http.MethodPost && strings.TrimSpace(strings.ToLower(kind)) != "application/json" {
			http.Error(w, "send the request as Content-Type: application/json", http.StatusUnsupportedMediaType)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// headerTimeout and shutdownGrace bound what a slow or stuck client can hold up.
const (
	headerTimeout = 10 * time.Second
	shutdownGrace = 5 * time.Second
)

// Until serves until ctx ends, and then lets requests in flight finish.
func Until(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: headerTimeout}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownGrace)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return fmt.Errorf("end serving: %w", errors.Join(err, server.Close()))
	}
	return nil
}
