package coordinator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// AtHub is a run that has streams at a hub.
type AtHub struct {
	Run      wire.Run
	Work     uint64 // traces that are asked for and not finished
	Results  uint64 // messages with results that nobody has taken
	Holder   wire.Lease
	Silent   time.Duration // since the coordinator was last heard, by the clock of the hub; 0 without a lease
	Released bool          // the last coordinator has ended: nobody has the lease
}

// Lives reports whether a process coordinates the run.
func (a AtHub) Lives() bool { return !a.Released && a.Silent < leaseFor+leaseEvery }

// Runs returns the runs at a hub. It changes nothing there, and does not wait.
func Runs(ctx context.Context, l *link.Link) ([]AtHub, error) {
	runs, err := l.Runs(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the runs of the hub: %w", err)
	}
	var out []AtHub
	for _, run := range runs {
		a, err := lookAt(ctx, l, run)
		if link.Gone(err) {
			continue // it has just ended
		}
		if err != nil {
			return out, fmt.Errorf("look at run %s: %w", run, err)
		}
		out = append(out, a)
	}
	return out, nil
}

// lookAt reads the streams and the lease of a run.
func lookAt(ctx context.Context, l *link.Link, run wire.Run) (AtHub, error) {
	out := AtHub{Run: run}
	work, err := l.JS.Stream(ctx, run.Work())
	if err != nil {
		return out, err
	}
	info := work.CachedInfo()
	out.Work = info.State.Msgs
	switch done, err := l.JS.Stream(ctx, run.Done()); {
	case err == nil:
		out.Results = done.CachedInfo().State.Msgs
	case !link.Gone(err):
		return out, err
	}
	keys, err := l.JS.KeyValue(ctx, run.Bucket())
	var entry jetstream.KeyValueEntry
	if err == nil {
		entry, err = keys.Get(ctx, wire.LeaseKey)
	}
	if link.Gone(err) || errors.Is(err, jetstream.ErrKeyNotFound) {
		out.Released = true
		return out, nil
	}
	if err != nil {
		return out, err
	}
	out.Silent = max(0, info.TimeStamp.Sub(entry.Created()))
	return out, json.Unmarshal(entry.Value(), &out.Holder)
}
