package worker_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// lease makes the lease of the run, as its coordinator does.
func (f *fixture) lease() jetstream.KeyValue {
	f.Helper()
	keys, err := f.link.JS.CreateKeyValue(f.Context(), jetstream.KeyValueConfig{Bucket: run.Bucket()})
	if err == nil {
		_, err = keys.Create(f.Context(), wire.LeaseKey, wire.Lease{ID: "coordinator"}.Encode())
	}
	if err != nil {
		f.Fatal(err)
	}
	return keys
}

// stopped waits until the worker has stopped the trace that it makes. The release of the trace never comes.
func (f *fixture) stopped() {
	f.Helper()
	f.until("the trace is stopped", func() bool { return f.logHas("run r has been ended: 1 traces are stopped") })
	f.until("its place is free again", func() bool { return f.ended.Load() == f.begun.Load() })
}

// looks reports whether the worker has looked for the lease twice since this call: the second time after it has
// decided.
func (f *fixture) looks() func() bool {
	f.Helper()
	var n atomic.Int64
	s, err := f.link.Conn.Subscribe("$JS.API.STREAM.INFO.KV_"+run.Bucket(), func(*nats.Msg) { n.Add(1) })
	if err == nil {
		err = f.link.Conn.Flush()
	}
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = s.Unsubscribe() })
	return func() bool { return n.Load() >= 2 }
}

// The traces of a run whose coordinator has given its lease back are stopped, and no worker is asked to make them again.
// Traces that are asked for afterwards, because the run is resumed, are made.
func TestRunIsStopped(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1, time.Minute)
	keys := f.lease()
	f.ask(1)
	f.until("the trace has begun", func() bool { return f.begun.Load() == 1 })
	work, err := f.link.JS.Stream(t.Context(), run.Work())
	if err == nil {
		err = work.Purge(t.Context())
	}
	if err == nil {
		err = keys.Delete(t.Context(), wire.LeaseKey)
	}
	if err != nil {
		t.Fatal(err)
	}
	f.stopped()
	if n := f.messages(run.Work()) + f.messages(run.Done()); n != 0 {
		t.Errorf("a stopped trace leaves %d messages", n)
	}
	if _, err := keys.Create(t.Context(), wire.LeaseKey, wire.Lease{ID: "next"}.Encode()); err != nil {
		t.Fatal(err)
	}
	f.ask(1)
	f.until("the trace has begun again", func() bool { return f.begun.Load() == 2 })
	close(f.release)
	f.until("the result is at the hub", func() bool { return f.messages(run.Done()) == 1 })
}

// A run that is removed from the hub is over at once if its coordinator says so. Without this, the hub may have lost
// its store, and the coordinator makes everything again.
func TestRunIsRemoved(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1, time.Hour)
	f.lease()
	f.ask(1)
	f.until("the trace has begun", func() bool { return f.begun.Load() == 1 })
	if err := f.link.Remove(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	looked := f.looks()
	if err := f.link.Conn.Publish(wire.Run("other").EndSubject(), nil); err != nil {
		t.Fatal(err)
	}
	f.until("the worker has looked for the lease", looked)
	if f.ended.Load() != 0 {
		t.Fatal("the trace was stopped, and perhaps the hub has only lost its store")
	}
	if err := f.link.Conn.Publish(run.EndSubject(), nil); err != nil {
		t.Fatal(err)
	}
	f.stopped()
}

// A trace whose run has another coordinator now, or none because it was killed, is not stopped.
func TestCoordinatorIsReplaced(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1, time.Minute)
	keys := f.lease()
	f.ask(1)
	f.until("the trace has begun", func() bool { return f.begun.Load() == 1 })
	if _, err := keys.Put(t.Context(), wire.LeaseKey, wire.Lease{ID: "next"}.Encode()); err != nil {
		t.Fatal(err)
	}
	looked := f.looks()
	if err := f.link.Conn.Publish(run.EndSubject(), nil); err != nil { // by the earlier one
		t.Fatal(err)
	}
	f.until("the worker has looked for the lease", looked)
	close(f.release)
	f.until("the result is at the hub", func() bool { return f.messages(run.Done()) == 1 })
	if f.logHas("stopped") {
		t.Error("the trace was stopped")
	}
}
