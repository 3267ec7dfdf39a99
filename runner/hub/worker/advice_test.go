package worker_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/trace"
)

// advises answers the questions of workers with these advices, in order, and then with the last one.
func (f *fixture) advises(all ...wire.Advice) {
	f.Helper()
	s, err := f.link.Conn.Subscribe(run.AgainSubject(), func(m *nats.Msg) {
		_ = m.Respond(all[0].Encode()) // if it does not arrive, the worker asks again, and the test fails
		if len(all) > 1 {
			all = all[1:]
		}
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = s.Unsubscribe() })
}

// passed makes a message one that another worker has had: while the only place of the worker makes another trace.
func (f *fixture) passed(query string) {
	f.Helper()
	f.ask(1)
	f.until("the place is taken", func() bool { return f.begun.Load() == 1 })
	w := wire.Work{Run: run, ID: trace.ID{Agent: "a", Query: query}}
	err := f.link.Publish(f.Context(), run.WorkSubject(w.ID), w.Encode())
	if err != nil {
		f.Fatal(err)
	}
	workers, err := f.link.JS.Consumer(f.Context(), run.Work(), wire.Workers)
	if err != nil {
		f.Fatal(err)
	}
	m, err := workers.Next(jetstream.FetchMaxWait(time.Minute))
	if err == nil {
		err = m.Nak()
	}
	if err != nil {
		f.Fatal(err)
	}
}

// A trace that another worker had before begins when the coordinator allows it, and alone if the coordinator says so.
func TestAdvice(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1, time.Second)
	f.advises(wire.Advice{Wait: true}, wire.Advice{Losses: []string{"a", "b"}})
	taken, err := f.link.Conn.SubscribeSync(run.TakenSubject())
	if err != nil {
		t.Fatal(err)
	}
	f.passed("passed")
	close(f.release)
	for range 2 {
		m, err := taken.NextMsg(time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		var w wire.Taken
		if err := json.Unmarshal(m.Data, &w); err != nil {
			t.Fatal(err)
		}
		if w.Alone != (w.Query == "passed") {
			t.Errorf("trace of %s, alone: %v", w.Query, w.Alone)
		}
	}
	f.until("the results are at the hub", func() bool { return f.messages(run.Done()) >= 2 })
}

// A trace that has its result is not made again, and no other worker gets its message.
func TestAdviceDone(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1, time.Minute)
	f.advises(wire.Advice{Done: true})
	f.passed("passed")
	close(f.release)
	f.until("no work is left", func() bool { return f.messages(run.Work()) == 0 })
	if f.begun.Load() != 1 {
		t.Errorf("%d traces have begun, want 1", f.begun.Load())
	}
}

// Without a coordinator that answers, a worker makes a trace that another had before.
func TestNoAdvice(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1, time.Minute)
	f.passed("passed")
	close(f.release)
	f.until("the results are at the hub", func() bool { return f.messages(run.Done()) == 2 })
}
