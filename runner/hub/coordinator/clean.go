package coordinator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// Clean removes the runs from a hub that have no coordinator: those whose lease is not renewed while Clean waits for
// Times.LeaseFor. Results that such a run has at the hub are lost; resuming it makes their traces again.
func Clean(ctx context.Context, l *link.Link, t Times) (removed, kept []wire.Run, err error) {
	t = t.orDefault()
	runs, err := l.Runs(ctx)
	if err != nil || len(runs) == 0 {
		return nil, nil, err
	}
	before := map[wire.Run]uint64{}
	for _, run := range runs {
		if before[run], err = revisionOf(ctx, l, run); err != nil {
			return nil, nil, err
		}
	}
	if !pause(ctx, t.LeaseFor+t.LeaseEvery) {
		return nil, nil, ctx.Err()
	}
	for _, run := range runs {
		now, err := revisionOf(ctx, l, run)
		if err != nil {
			return removed, kept, err
		}
		if now != before[run] {
			kept = append(kept, run)
			continue
		}
		if err := l.Remove(ctx, run); err != nil {
			return removed, kept, err
		}
		removed = append(removed, run)
	}
	return removed, kept, nil
}

// revisionOf returns the revision of the lease of a run; 0 without a lease.
func revisionOf(ctx context.Context, l *link.Link, run wire.Run) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	keys, err := l.JS.KeyValue(ctx, run.Bucket())
	if err == nil {
		var entry jetstream.KeyValueEntry
		if entry, err = keys.Get(ctx, wire.LeaseKey); err == nil {
			return entry.Revision(), nil
		}
	}
	if errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrKeyNotFound) {
		return 0, nil
	}
	return 0, fmt.Errorf("read the lease of run %s: %w", run, err)
}
