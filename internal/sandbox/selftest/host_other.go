//go:build !linux

package selftest

import (
	"context"
	"fmt"
	"net"

	"github.com/seed-5817661a/concur/internal/sandbox"
)

// host has what a program in a sandbox must not reach: a listener. It has no file and no descriptor, since engines of
// other systems run programs in the machine of a daemon.
type host struct {
	listener net.Listener
	port     int
	file     string
	abstract string
}

func openHost(ctx context.Context, secret string) (*host, error) {
	var listen net.ListenConfig
	tcp, err := listen.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open a listener for the self-test: %w", err)
	}
	h := &host{listener: tcp, abstract: secret}
	if address, ok := tcp.Addr().(*net.TCPAddr); ok {
		h.port = address.Port
	}
	return h, nil
}

func (h *host) close() { _ = h.listener.Close() }

// processes is empty: on other systems the processes are those of a daemon.
type processes struct{}

func survey() (processes, error) { return processes{}, nil }

func (processes) remain(context.Context, sandbox.Engine) ([]Finding, error) { return nil, nil }

func (processes) check() ([]Finding, error) { return nil, nil }
