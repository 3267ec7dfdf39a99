package api

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/fetch"
)

// kept is the reply of a request that is used for equal requests. Its turn is taken by the call that uses or renews it.
type kept struct {
	turn  chan struct{}
	reply *fetch.Response // nil before the first
	until time.Time
}

// keptKey identifies equal requests: method, address, headers and body.
func keptKey(q fetch.Request) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%q %q %q", q.Method, q.URL, q.Body)
	for _, name := range slices.Sorted(maps.Keys(q.Header)) {
		fmt.Fprintf(&text, " %q %q", name, q.Header[name])
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text.String())))
}

// lookUp waits until no other call sends the same request, and returns the kept one. Call its done afterwards.
func (r *Run) lookUp(ctx context.Context, key string) (k *kept, done func(), err error) {
	r.mu.Lock()
	if k = r.kept[key]; k == nil {
		k = &kept{turn: make(chan struct{}, 1)}
		r.kept[key] = k
	}
	r.mu.Unlock()
	select {
	case k.turn <- struct{}{}:
		return k, func() { <-k.turn }, nil
	case <-ctx.Done():
		return nil, nil, &fetch.Error{Kind: fetch.Timeout, Err: fmt.Errorf("wait for an equal request: %w", ctx.Err())}
	}
}
