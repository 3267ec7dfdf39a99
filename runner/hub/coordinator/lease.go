package coordinator

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// Times of the lease.
const (
	leaseEvery = 3 * time.Second  // between two renewals
	leaseFor   = 10 * time.Second // after a renewal was sent, nobody else takes the lease
)

// ErrTaken means that another coordinator has taken over the run.
var ErrTaken = errors.New("another coordinator has taken over this run at the hub")

// lease is the right to be the coordinator of a run. No clock of another machine counts: whoever wants the lease waits
// until it was not renewed for leaseFor by the own monotonic clock.
type lease struct {
	link  *link.Link
	run   wire.Run
	own   wire.Lease
	every time.Duration
	lasts time.Duration

	request sync.Mutex // held while the hub is asked
	keys    jetstream.KeyValue

	mu       sync.Mutex
	revision uint64
	sent     time.Time // when the last good renewal was sent
}

func newLease(l *link.Link, run wire.Run, t Times) *lease {
	var id [16]byte
	rand.Read(id[:]) // never fails
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return &lease{link: l, run: run, every: t.LeaseEvery, lasts: t.LeaseFor,
		own: wire.Lease{Host: host, Process: os.Getpid(), ID: hex.EncodeToString(id[:])}}
}

// acquire waits until the lease is free, and takes it.
func (l *lease) acquire(ctx context.Context, say func(string)) error {
	var seen uint64
	var since time.Time
	told, toldError := false, false
	for {
		sent := time.Now()
		holder, revision, err := l.read(ctx)
		switch {
		case errors.Is(err, jetstream.ErrKeyNotFound):
			if revision, err = l.keys.Create(ctx, wire.LeaseKey, l.own.Encode()); err == nil {
				l.took(sent, revision)
				return nil
			}
		case err != nil:
		case revision != seen:
			seen, since = revision, time.Now()
		case time.Since(since) > l.lasts:
			if revision, err = l.keys.Update(ctx, wire.LeaseKey, l.own.Encode(), seen); err == nil {
				l.took(sent, revision)
				return nil
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !toldError && err != nil && !errors.Is(err, jetstream.ErrKeyExists) {
			toldError = true
			say(fmt.Sprintf("%v; trying again", link.Explain("take the lease of this run", err)))
		}
		if !told && err == nil {
			told = true
			say(fmt.Sprintf("process %d of %s coordinates this run, or did so until just now: waiting for %v without a "+
				"sign of it", holder.Process, holder.Host, l.lasts))
		}
		pause(ctx, l.every/10)
	}
}

// read reads the lease. It makes the bucket if it does not exist.
func (l *lease) read(ctx context.Context) (holder wire.Lease, revision uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, link.Timeout)
	defer cancel()
	if l.keys == nil {
		l.keys, err = l.link.JS.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: l.run.Bucket(), History: 1})
		if errors.Is(err, jetstream.ErrBucketExists) {
			l.keys, err = l.link.JS.KeyValue(ctx, l.run.Bucket())
		}
		if err != nil {
			l.keys = nil
			return holder, 0, err
		}
	}
	entry, err := l.keys.Get(ctx, wire.LeaseKey)
	if err != nil {
		return holder, 0, err
	}
	return holder, entry.Revision(), json.Unmarshal(entry.Value(), &holder)
}

func (l *lease) took(sent time.Time, revision uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent, l.revision = sent, revision
}

// sure reports whether nobody else can have the lease.
func (l *lease) sure() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.sent) < l.lasts
}

// number returns the revision of the lease.
func (l *lease) number() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.revision
}

// hold renews the lease until ctx is done. It returns ErrTaken as soon as somebody else has it.
func (l *lease) hold(ctx context.Context) error {
	for pause(ctx, l.every) {
		if err := l.renew(ctx); err != nil {
			return err
		}
	}
	return nil
}

// renew renews the lease. If the hub does not answer, the next renewal may succeed.
func (l *lease) renew(ctx context.Context) error {
	l.request.Lock()
	defer l.request.Unlock()
	within, cancel := context.WithTimeout(ctx, link.Timeout)
	defer cancel()
	if l.keys == nil {
		return nil // the hub has lost its store, and the bucket is not made again yet
	}
	revision := l.number()
	for range 2 {
		sent := time.Now()
		renewed, err := l.keys.Update(within, wire.LeaseKey, l.own.Encode(), revision)
		if err == nil {
			l.took(sent, renewed)
			return nil
		}
		var api *jetstream.APIError
		if !errors.As(err, &api) || api.ErrorCode != jetstream.JSErrCodeStreamWrongLastSequence {
			return nil
		}
		holder, found, err := l.read(within)
		switch {
		case err != nil: // also if the hub has lost its store; then the streams are made again
			return nil
		case holder.ID != l.own.ID:
			return takenBy(holder)
		}
		// The answer to an earlier renewal was lost. It may be nearly leaseFor old, so reading it renews nothing.
		revision = found
	}
	return nil
}

func takenBy(holder wire.Lease) error {
	return fmt.Errorf("%w: process %d of %s", ErrTaken, holder.Process, holder.Host)
}

// again makes the lease again after the hub has lost its store. It returns ErrTaken if somebody else has it.
func (l *lease) again(ctx context.Context) error {
	l.request.Lock()
	defer l.request.Unlock()
	ctx, cancel := context.WithTimeout(ctx, link.Timeout)
	defer cancel()
	l.keys = nil
	sent := time.Now()
	holder, revision, err := l.read(ctx)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		if revision, err = l.keys.Create(ctx, wire.LeaseKey, l.own.Encode()); err == nil {
			l.took(sent, revision)
			return nil
		}
		if errors.Is(err, jetstream.ErrKeyExists) {
			return ErrTaken
		}
	case err == nil && holder.ID == l.own.ID:
		if revision, err = l.keys.Update(ctx, wire.LeaseKey, l.own.Encode(), revision); err == nil {
			l.took(sent, revision)
		}
	case err == nil:
		return takenBy(holder)
	}
	return err
}

// release gives the lease back, so that the next coordinator need not wait.
func (l *lease) release(ctx context.Context) {
	l.request.Lock()
	defer l.request.Unlock()
	if l.keys == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, link.Timeout)
	defer cancel()
	_ = l.keys.Delete(ctx, wire.LeaseKey, jetstream.LastRevision(l.number())) // otherwise it ends by itself
}

// pause waits. It returns false if ctx is done.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
