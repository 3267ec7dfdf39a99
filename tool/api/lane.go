package api

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/tool/api/spec"
)

// lane limits the requests to one host, over all traces of a run. Run.mu protects it.
type lane struct {
	busy    int
	next    time.Time     // the earliest time of the next request
	changed chan struct{} // closed when a request ends
}

// enter waits for a turn at a host. If there is no error, call leave after the request.
func (r *Run) enter(ctx context.Context, host string, p spec.Pace) (leave func(), err error) {
	for {
		wait, changed := r.take(host, p)
		if changed == nil {
			return func() { r.leave(host) }, nil
		}
		if deadline, limited := ctx.Deadline(); limited && wait > time.Until(deadline) {
			return nil, noTurn(host, context.DeadlineExceeded)
		}
		if wait > 0 {
			err = r.options.Sleep(ctx, wait)
		} else {
			select {
			case <-changed:
			case <-ctx.Done():
				err = ctx.Err()
			}
		}
		if err != nil {
			return nil, noTurn(host, err)
		}
	}
}

// take takes a turn if there is one; changed is nil then. Otherwise it returns the time to wait, or 0 if the end of
// another request must be waited for.
func (r *Run) take(host string, p spec.Pace) (wait time.Duration, changed chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.lanes[host]
	if l == nil {
		l = &lane{changed: make(chan struct{})}
		r.lanes[host] = l
	}
	now := r.options.Now()
	switch {
	case l.busy >= p.AtOnce:
		return 0, l.changed
	case now.Before(l.next):
		return l.next.Sub(now), l.changed
	}
	l.busy++
	l.next = now.Add(p.Every)
	return 0, nil
}

func (r *Run) leave(host string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.lanes[host]
	l.busy--
	close(l.changed)
	l.changed = make(chan struct{})
}

func noTurn(host string, err error) error {
	return &fetch.Error{Kind: fetch.RateLimited, Host: host, Err: fmt.Errorf(
		"no turn in time: the tool's pace limits the requests to this host; lower the concurrency: %w", err)}
}
