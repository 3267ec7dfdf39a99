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

// Limits bound what clients can hold up; a zero field has its default.
type Limits struct {
	Header time.Duration // in which the header of a request has to come; default 10 s
	Body   time.Duration // in which its body has to come; default 30 s
	Write  time.Duration // in which a client has to take each piece of a reply, at most 64 KiB; default 30 s
	Idle   time.Duration // between two requests of a connection; default 2 min
	// Linger is the time for which the rest of a refused request is read and thrown away, so that its client gets to
	// read the refusal; default 1 s.
	Linger time.Duration
	// Grace is the time that requests in flight have when the server ends; default 5 s. Below 0 they have none.
	Grace time.Duration
	// Strangers is the number of connections that may be open without having shown a good key; default 64. A new one
	// beyond it cuts the oldest of them.
	Strangers int
}

func (l Limits) withDefaults() Limits {
	l.Header, l.Body = cmp.Or(l.Header, 10*time.Second), cmp.Or(l.Body, 30*time.Second)
	l.Write, l.Idle = cmp.Or(l.Write, 30*time.Second), cmp.Or(l.Idle, 2*time.Minute)
	l.Linger, l.Grace = cmp.Or(l.Linger, time.Second), cmp.Or(l.Grace, 5*time.Second)
	l.Strangers = cmp.Or(l.Strangers, 64)
	return l
}

// maxHeader is the size of the longest header that is read, in bytes.
const maxHeader = 64 << 10

// Serve serves until ctx ends, and then lets requests in flight finish. The contexts of requests end with ctx where
// the limits give no grace. The error is that of the listener, or that requests in flight were cut.
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
