package worker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// hearEnd notes that a coordinator says that its run has ended.
func (w *worker) hearEnd(m *nats.Msg) {
	run := wire.RunOfEnd(m.Subject)
	for _, e := range w.engaged() {
		if e.run == run {
			e.mu.Lock()
			e.endSaid = true
			e.mu.Unlock()
		}
	}
	select {
	case w.poke <- struct{}{}:
	default: // it is already known
	}
}

// engaged returns the runs on which the worker works, also with earlier plans.
func (w *worker) engaged() []*engagement {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.AppendSeq(slices.Clone(w.retired), maps.Values(w.runs))
}

// heed stops the traces of runs that have ended, until ctx is done: they cost time, and requests of models cost money.
func (w *worker) heed(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.poke:
		case <-time.After(heedEvery):
		}
		for _, e := range w.engaged() {
			if !e.idle() && w.isOver(ctx, e) {
				w.Log(fmt.Sprintf("run %s has been ended: %d traces are stopped", e.run, e.stopAll()))
			}
		}
	}
}

// isOver reports whether a run has ended, so that the traces that are being made are not needed. A coordinator that
// ends gives its lease back. One that was killed does not, and the next one needs the traces; then the lease is there.
// When everything of the run is gone, the hub may have lost its store: then the run is over if its coordinator has said
// so, or if no coordinator makes everything again.
func (w *worker) isOver(ctx context.Context, e *engagement) bool {
	ctx, cancel := context.WithTimeout(ctx, link.Timeout)
	defer cancel()
	keys, err := w.Link.JS.KeyValue(ctx, e.run.Bucket())
	if err == nil {
		_, err = keys.Get(ctx, wire.LeaseKey)
	}
	e.mu.Lock()
	said := e.endSaid
	e.endSaid = said && err != nil // it was an earlier coordinator, if there is a lease
	e.mu.Unlock()
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return true
	case link.Gone(err):
		return said || w.ended(e)
	}
	return false
}

// stopAll stops the traces that are being made, and returns their number. Later ones are not affected.
func (e *engagement) stopAll() (n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	close(e.over)
	e.over, e.endSaid = make(chan struct{}), false
	return len(e.running)
}

// overNow returns the channel that is closed when the traces that begin now are no longer needed.
func (e *engagement) overNow() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.over
}
