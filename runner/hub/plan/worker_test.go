package plan_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/hub/coordinator"
	"github.com/seed-5817661a/concur/runner/hub/server"
	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/runner/hub/worker"
)

// blocked makes a worker hold its traces until it is stopped.
type blocked struct {
	worker.Maker
	begun *atomic.Int64
}

func (b blocked) Run(ctx context.Context, job runner.Job, out runner.Buffer) error {
	b.begun.Add(1)
	<-ctx.Done()
	return b.Maker.Run(ctx, job, out)
}

// A worker that is stopped gives its traces back: another one makes them at once, and nobody counts as lost.
func TestWorkerGivesBack(t *testing.T) {
	local, _, err := coordinated(t.Context(), draftOf(t), "", t.TempDir(), settings(t))
	if err != nil {
		t.Fatal(err)
	}
	hub := hubOf(t, server.Options{})
	var begun atomic.Int64
	stop := working(t, hub.URL(), "leaving", 4, func(o *worker.Options) {
		o.Grace = 10 * time.Millisecond
		open := o.Open
		o.Open = func(ctx context.Context, p wire.Plan, object worker.Object) (worker.Maker, error) {
			m, err := open(ctx, p, object)
			return blocked{m, &begun}, err
		}
	})
	go func() {
		for begun.Load() < 4 {
			time.Sleep(time.Millisecond)
		}
		stop()
		working(t, hub.URL(), "staying", 4)
	}()
	o := settings(t)
	o.Times.AckWait = 5 * time.Minute // without giving back, the test would not end in time
	dir, counts, err := coordinated(t.Context(), draftOf(t), hub.URL(), t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	same(t, local, dir)
	if counts != (coordinator.Counts{}) {
		t.Errorf("counts: %+v", counts)
	}
}

// A worker whose agents are not those of the run takes no work, and the run shows why.
func TestOtherAgents(t *testing.T) {
	hub := hubOf(t, server.Options{})
	var begun atomic.Int64
	working(t, hub.URL(), "other", 2, func(o *worker.Options) {
		open := o.Open
		o.Open = func(ctx context.Context, p wire.Plan, object worker.Object) (worker.Maker, error) {
			m, err := open(ctx, p, object)
			return otherAgents{blocked{m, &begun}}, err
		}
	})
	shown := make(chan string, 10)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := settings(t)
	o.Warn = func(text string) {
		select {
		case shown <- text:
		default:
		}
	}
	go func() {
		for text := range shown {
			if strings.Contains(text, `worker "other" takes no work: the agents here are 0123456789abcdef, those of the run`) {
				cancel()
			}
		}
	}()
	if _, _, err := coordinated(ctx, draftOf(t), hub.URL(), t.TempDir(), o); err == nil {
		t.Error("a run without workers ended")
	}
	if begun.Load() > 0 {
		t.Errorf("the worker began %d traces", begun.Load())
	}
}

type otherAgents struct{ blocked }

func (otherAgents) Agents() []string { return []string{"0123456789abcdef"} }
