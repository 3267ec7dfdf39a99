package worker_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/server"
	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/runner/hub/worker"
	"github.com/seed-5817661a/concur/trace"
)

const run = wire.Run("r")

// maker makes traces that wait for release.
type maker struct {
	begun   *atomic.Int64
	ended   *atomic.Int64
	release <-chan struct{}
	closed  func()
}

func (m maker) Agents() []string { return []string{"a"} }
func (m maker) Broken() error    { return nil }
func (m maker) Close() error     { m.closed(); return nil }

func (m maker) Run(ctx context.Context, job runner.Job, out runner.Buffer) error {
	m.begun.Add(1)
	select {
	case <-ctx.Done():
	case <-m.release:
	}
	m.ended.Add(1)
	reason := trace.Final
	if ctx.Err() != nil {
		reason = trace.Cancelled
	}
	out.Event(trace.Event{ID: job.ID, Body: trace.Conclusion{StopReason: reason}})
	return nil
}

// fixture is a hub with a run and a worker; the test is the coordinator.
type fixture struct {
	*testing.T
	link    *link.Link
	begun   atomic.Int64
	ended   atomic.Int64 // traces that have ended, also those that were stopped
	release chan struct{}
	stop    func()

	mu     sync.Mutex
	logged []string
	waits  []time.Duration // AckWait of the plans that the worker opened
	closed int
}

func dialed(t *testing.T, url string) *link.Link {
	t.Helper()
	l, err := link.Dial(t.Context(), link.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

func newFixture(t *testing.T, places int, ackWait time.Duration) *fixture {
	t.Helper()
	hub, err := server.Start(server.Options{Dir: t.TempDir(), Listen: "127.0.0.1:0", Store: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(hub.Close)
	f := &fixture{T: t, link: dialed(t, hub.URL()), release: make(chan struct{})}
	f.plan(ackWait)
	if err := f.link.MakeStreams(t.Context(), run, ackWait); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	o := worker.Options{Link: dialed(t, hub.URL()), Name: "w", Version: "test", Places: places,
		Open: func(_ context.Context, p wire.Plan, _ worker.Object) (worker.Maker, error) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.waits = append(f.waits, p.AckWait)
			return maker{&f.begun, &f.ended, f.release, func() { f.mu.Lock(); defer f.mu.Unlock(); f.closed++ }}, nil
		},
		Log: func(text string) { f.mu.Lock(); defer f.mu.Unlock(); f.logged = append(f.logged, text) },
	}
	working.Go(func() {
		if err := worker.Work(ctx, o); err != nil {
			t.Error(err)
		}
	})
	f.stop = sync.OnceFunc(func() { cancel(); working.Wait() })
	t.Cleanup(f.stop)
	return f
}

// plan stores a plan at the hub.
func (f *fixture) plan(ackWait time.Duration) {
	f.Helper()
	bucket, err := f.link.JS.CreateOrUpdateObjectStore(f.Context(), jetstream.ObjectStoreConfig{Bucket: run.Bucket()})
	if err != nil {
		f.Fatal(err)
	}
	p := wire.Plan{Schema: wire.PlanSchema, Run: run, Agents: []string{"a"}, AckWait: ackWait}
	if _, err := bucket.PutBytes(f.Context(), wire.PlanObject, p.Encode()); err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) ask(n int) {
	f.Helper()
	for i := range n {
		w := wire.Work{Run: run, ID: trace.ID{Agent: "a", Query: fmt.Sprint("q", i)}}
		if err := f.link.Publish(f.Context(), run.WorkSubject(w.ID), w.Encode()); err != nil {
			f.Fatal(err)
		}
	}
}

func (f *fixture) until(what string, is func() bool) {
	f.Helper()
	for end := time.Now().Add(2 * time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			f.Fatalf("waited in vain until %s", what)
		}
	}
}

func (f *fixture) messages(stream string) int {
	s, err := f.link.JS.Stream(f.Context(), stream)
	if err != nil {
		return -1
	}
	return int(s.CachedInfo().State.Msgs)
}

func (f *fixture) logHas(text string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Contains(strings.Join(f.logged, "\n"), text)
}

// All of 600 free places get work: the hub refuses none of their fetches, as it would by default from the 513th on. On a
// busy machine, some traces begin twice, and a result whose answer is late is sent twice.
func TestManyPlaces(t *testing.T) {
	t.Parallel()
	const places = 600
	f := newFixture(t, places, 30*time.Second)
	f.ask(places)
	f.until("all places have begun a trace", func() bool { return f.begun.Load() >= places })
	close(f.release)
	f.until("all results are at the hub", func() bool { return f.messages(run.Done()) >= places })
}

// A result of a run that is no longer at the hub is dropped after a while, and the place is free again.
func TestRunHasEnded(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1, time.Second)
	f.ask(1)
	f.until("the trace has begun", func() bool { return f.begun.Load() == 1 })
	if err := f.link.Remove(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	close(f.release)
	f.until("the result is dropped", func() bool { return f.logHas("a result is dropped, because the run is no longer") })
	f.until("the worker leaves the run", func() bool { return f.logHas("run r has ended") })
}

// A worker whose results are refused says so once, and not for each of its places.
func TestRefusedOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 4, time.Minute)
	f.ask(4)
	f.until("the traces have begun", func() bool { return f.begun.Load() == 4 })
	if err := f.link.JS.DeleteStream(t.Context(), run.Done()); err != nil {
		t.Fatal(err)
	}
	close(f.release)
	f.until("a result is refused", func() bool { return f.logHas("the hub does not store results") })
	time.Sleep(lookTwice) // the other places would say so, too; a slow machine only makes this weaker
	f.mu.Lock()
	said := strings.Count(strings.Join(f.logged, "\n"), "does not store results")
	f.mu.Unlock()
	if said != 1 {
		t.Errorf("the worker said it %d times", said)
	}
	if err := f.link.MakeStreams(t.Context(), run, time.Minute); err != nil {
		t.Fatal(err)
	}
	f.until("all results are at the hub", func() bool { return f.messages(run.Done()) >= 4 })
}

// lookTwice is longer than the first pauses between two attempts to send a result.
const lookTwice = time.Second

// A run that is resumed may have another plan, for example another AckWait or limit of requests. A worker reads it again.
func TestPlanChanges(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 2, time.Second)
	f.until("the plan is read", func() bool { return f.logHas("ready for 2 traces") })
	f.plan(time.Minute)
	f.until("the new plan is read", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.waits) == 2 && f.waits[1] == time.Minute
	})
	f.ask(1)
	close(f.release)
	f.until("the result is at the hub", func() bool { return f.messages(run.Done()) >= 1 })
	f.stop()
	if f.closed != 2 {
		t.Errorf("%d of 2 makers are closed", f.closed)
	}
}

// The messages of a worker have no id: the hub would drop one that was given back as a duplicate of the first.
func TestNoMessageHasAnID(t *testing.T) {
	f := newFixture(t, 1, time.Hour)
	f.ask(2)
	f.until("the first trace has begun", func() bool { return f.begun.Load() == 1 })
	stream, err := f.link.JS.Stream(t.Context(), run.Work())
	if err != nil {
		t.Fatal(err)
	}
	close(f.release)
	f.until("the results are at the hub", func() bool { return f.messages(run.Done()) >= 2 })
	results, err := f.link.JS.Stream(t.Context(), run.Done())
	if err != nil {
		t.Fatal(err)
	}
	f.ask(1) // again, within the window in which the hub would drop it
	for _, s := range []jetstream.Stream{stream, results} {
		for sequence := uint64(1); sequence <= 2; sequence++ {
			m, err := s.GetMsg(t.Context(), sequence)
			if err == nil && m.Header.Get(jetstream.MsgIDHeader) != "" {
				t.Errorf("message %d has the id %s", sequence, m.Header.Get(jetstream.MsgIDHeader))
			}
		}
	}
	f.until("the trace was made again", func() bool { return f.begun.Load() >= 3 && f.messages(run.Done()) >= 3 })
}
