package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

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
