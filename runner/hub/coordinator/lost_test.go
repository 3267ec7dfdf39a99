package coordinator_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner/hub/coordinator"
	"github.com/seed-5817661a/concur/runner/hub/server"
	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// A hub that has lost only the lease, or only a consumer, gets it again. Without this the run would wait for ever.
func TestHubLosesAPart(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	results := func() (names []string) {
		stream, err := f.link.JS.Stream(t.Context(), run.Done())
		if err != nil {
			t.Fatal(err)
		}
		for name := range stream.ConsumerNames(t.Context()).Name() {
			names = append(names, name)
		}
		return names
	}
	first := results()
	if len(first) != 1 || !strings.HasPrefix(first[0], "coordinator-") {
		t.Fatalf("consumers of results: %q", first)
	}
	losses := map[string]func() error{
		"lease": func() error { return f.link.JS.DeleteKeyValue(t.Context(), run.Bucket()) },
		"results": func() error {
			return f.link.JS.DeleteConsumer(t.Context(), run.Done(), results()[0])
		},
		"work": func() error { return f.link.JS.DeleteConsumer(t.Context(), run.Work(), wire.Workers) },
	}
	for name, lose := range losses {
		before := results()[0]
		if err := lose(); err != nil {
			t.Fatal(name, err)
		}
		f.until("there is a new consumer after the loss of "+name, func() bool {
			now := results()
			return len(now) == 1 && now[0] != before
		})
		query := "q-" + name
		f.ask(query)
		f.send(f.parts(delivery(query, 10))...)
		f.waiting.Wait()
		if _, err := f.link.JS.Consumer(t.Context(), run.Work(), wire.Workers); err != nil {
			t.Errorf("after the loss of %s: consumer of work: %v", name, err)
		}
	}
	for _, want := range []string{"has lost the lease", "has lost streams"} {
		if !f.warned(want) {
			t.Errorf("no warning %q in %q", want, f.warnings)
		}
	}
	f.end(true)
}

// If the answer to a renewal was lost, the coordinator finds its own name in the lease, and goes on.
func TestAnswerLost(t *testing.T) {
	f := newFixture(t)
	keys, err := f.link.JS.KeyValue(t.Context(), run.Bucket())
	if err != nil {
		t.Fatal(err)
	}
	entry, err := keys.Get(t.Context(), wire.LeaseKey)
	if err != nil {
		t.Fatal(err)
	}
	revision, err := keys.Put(t.Context(), wire.LeaseKey, entry.Value()) // as if the renewal before had arrived
	if err != nil {
		t.Fatal(err)
	}
	f.until("the lease was renewed twice", func() bool {
		entry, err := keys.Get(t.Context(), wire.LeaseKey)
		return err == nil && entry.Revision() > revision+1
	})
	f.ask("q1")
	f.send(f.parts(delivery("q1", 10))...)
	f.waiting.Wait()
	f.end(true)
}

// startAgain starts a hub that can be started again at the same address. The system gives its port to nobody else
// meanwhile: those of clients and of other tests are above 32767.
func startAgain(o *server.Options) (hub *server.Server, err error) {
	for range 100 {
		o.Listen = fmt.Sprint("127.0.0.1:", 10_000+rand.IntN(20_000))
		if hub, err = server.Start(*o); err == nil {
			return hub, nil
		}
	}
	return nil, err
}

// While the hub does not answer, the user gets a warning. A hub that was started again goes on.
func TestQuietHub(t *testing.T) {
	t.Parallel()
	o := server.Options{Dir: t.TempDir(), Store: 64 << 20, MaxPayload: 64 << 10}
	hub, err := startAgain(&o)
	if err != nil {
		t.Fatal(err)
	}
	f := fixtureOf(t, hub, func(o *coordinator.Options) { o.Times.QuietAfter = 50 * time.Millisecond })
	f.ask("q1")
	f.until("the trace is asked for", func() bool { return f.messages(run.Work()) == 1 })
	hub.Close()
	f.until("the silence is shown", func() bool { return f.warned("the hub has not answered for") })
	if hub, err = server.Start(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(hub.Close)
	f.until("the hub answers", func() bool { return f.messages(run.Work()) == 1 })
	f.send(f.parts(delivery("q1", 10))...)
	f.waiting.Wait()
	f.end(true)
}

// While the disk of the hub is full, the user gets a warning, also if the run has not begun. Afterwards it goes on.
func TestFullHub(t *testing.T) {
	var free atomic.Int64
	free.Store(1 << 40)
	f := fixtureAt(t, server.Options{LookEvery: time.Millisecond,
		Free: func(string) (int64, error) { return free.Load(), nil }})
	refuses := func() bool {
		_, err := f.link.JS.Publish(t.Context(), run.WorkSubject(job("q-other")), nil, jetstream.WithRetryAttempts(0))
		return err != nil
	}
	free.Store(1)
	f.until("the hub refuses messages", refuses)
	f.ask("q1")
	f.until("it is named", func() bool {
		return f.warned("the hub is full") && f.warned("resource limits exceeded") && f.warned("larger --store")
	})
	said := make(chan string, 100)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for text := range said {
			if strings.Contains(text, "take the lease of this run: the hub is full") {
				cancel()
			}
		}
	}()
	if _, err := coordinator.Begin(ctx, coordinator.Options{Link: dialed(t, f.hub.URL()), Run: "new", Dir: t.TempDir(),
		Times: times, Warn: func(text string) { said <- text }, Log: func(string) {}}); !errors.Is(err, context.Canceled) {
		t.Errorf("a run begins at a full hub: %v", err)
	}
	free.Store(1 << 40)
	f.until("the hub accepts messages", func() bool { return !refuses() })
	f.until("the trace is asked for", func() bool { return f.messages(run.Work()) >= 1 })
	f.send(f.parts(delivery("q1", 10))...)
	f.waiting.Wait()
	f.end(true)
}
