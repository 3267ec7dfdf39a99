package serving

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Limits are limits for clients. A field that is 0 has its default.
type Limits struct {
	Header time.Duration // for the header of a request to arrive; default 10 s
	Body   time.Duration // for its body to arrive; default 30 s
	Write  time.Duration // for a client to read each piece of a reply, at most 64 KiB; default 30 s
	Idle   time.Duration // between two requests of a connection; default 2 min
	// Linger is the time for which the rest of a refused request is read and discarded, so that its client
	// can read the refusal; default 1 s.
	Linger time.Duration
	// Grace is the time for running requests to finish when the server ends; default 5 s. Below 0 they have no
	// time.
	Grace time.Duration
	// Strangers is the maximum number of open connections of clients that have not shown a valid key; default
	// 64. A further connection closes the oldest of them.
	Strangers int
}

func (l Limits) withDefaults() Limits {
	l.Header, l.Body = cmp.Or(l.Header, 10*time.Second), cmp.Or(l.Body, 30*time.Second)
	l.Write, l.Idle = cmp.Or(l.Write, 30*time.Second), cmp.Or(l.Idle, 2*time.Minute)
	l.Linger, l.Grace = cmp.Or(l.Linger, time.Second), cmp.Or(l.Grace, 5*time.Second)
	l.Strangers = cmp.Or(l.Strangers, 64)
	return l
}

// maxHeader is the size of the longest accepted header, in bytes.
const maxHeader = 64 << 10

// Serve serves until ctx ends, and then lets running requests finish. Without Grace, the contexts of requests
// end with ctx. It returns the error of the listener, or an error if running requests were cut.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, limits Limits) error {
	limits = limits.withDefaults()
	door := &door{Listener: listener, limits: limits}
	server := &http.Server{
		Handler: guard(handler, limits), ConnContext: withConnection,
		ReadHeaderTimeout: limits.Header, IdleTimeout: limits.Idle, MaxHeaderBytes: maxHeader,
	}
	if limits.Grace < 0 {
		server.BaseContext = func(net.Listener) context.Context { return ctx }
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(door) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	if limits.Grace < 0 {
		err := server.Close()
		<-ended
		return err
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), limits.Grace)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return fmt.Errorf("end serving: %w", errors.Join(err, server.Close()))
	}
	return nil
}
