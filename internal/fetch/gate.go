package fetch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// maxGates is how many hosts are remembered before idle ones are forgotten: hosts may
// come from redirects or arguments, so their number has no bound of its own.
const maxGates = 64

// gates hold back requests to a host that has enough of them.
type gates struct {
	perHost  int
	interval time.Duration

	mu     sync.Mutex
	byHost map[string]*gate
}

type gate struct {
	slots chan struct{}
	users int       // waiting or inside; guarded by gates.mu
	next  time.Time // before which no request may start; guarded by gates.mu
}

// enter waits for a turn at host, or for ctx. leave must follow if there was no failure.
func (g *gates) enter(ctx context.Context, host string, o Options) (leave func(), failed *failure) {
	if err := ctx.Err(); err != nil { // it has not waited for others
		return nil, &failure{kind: Timeout, err: fmt.Errorf("wait for a turn: %w", err)}
	}
	it := g.join(host, o.Now())
	select {
	case it.slots <- struct{}{}:
	case <-ctx.Done():
		g.part(it)
		return nil, noTurn(ctx.Err(), fmt.Sprintf("%d at a time", g.perHost))
	}
	leave = func() { <-it.slots; g.part(it) }
	wait, err := g.reserve(ctx, it, o.Now())
	if err == nil && wait > 0 {
		err = o.Sleep(ctx, wait)
	}
	if err != nil {
		leave()
		return nil, noTurn(err, fmt.Sprintf("one every %s", g.interval))
	}
	return leave, nil
}

// noTurn is the failure of a request that was never sent. Where the time ran out, the
// host is not to blame: it was our own limit, and less at the same time would have helped.
func noTurn(err error, limit string) *failure {
	if errors.Is(err, context.DeadlineExceeded) {
		return &failure{kind: RateLimited, err: fmt.Errorf("no turn came in time: of our own requests to this host, only %s is let through; lower the concurrency or raise the timeout: %w", limit, err)}
	}
	return &failure{kind: Timeout, err: fmt.Errorf("wait for a turn: %w", err)}
}

func (g *gates) join(host string, now time.Time) *gate {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.byHost) >= maxGates {
		for h, it := range g.byHost {
			if it.users == 0 && !it.next.After(now) {
				delete(g.byHost, h)
			}
		}
	}
	if g.byHost == nil {
		g.byHost = map[string]*gate{}
	}
	it := g.byHost[host]
	if it == nil {
		it = &gate{slots: make(chan struct{}, g.perHost)}
		g.byHost[host] = it
	}
	it.users++
	return it
}

func (g *gates) part(it *gate) {
	g.mu.Lock()
	it.users--
	g.mu.Unlock()
}

// reserve takes the next start time. One that comes after ctx's deadline is not taken:
// it would only hold back others.
func (g *gates) reserve(ctx context.Context, it *gate, now time.Time) (time.Duration, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	start := now
	if it.next.After(now) {
		start = it.next
	}
	if deadline, ok := ctx.Deadline(); ok && start.Sub(now) > time.Until(deadline) {
		return 0, context.DeadlineExceeded
	}
	it.next = start.Add(g.interval)
	return start.Sub(now), nil
}
