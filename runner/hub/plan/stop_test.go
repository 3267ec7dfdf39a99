package plan_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/limit"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/hub/plan"
	"github.com/seed-5817661a/concur/runner/hub/server"
	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/runner/hub/worker"
	"github.com/seed-5817661a/concur/runner/store"
)

// lingering makes a worker hold its traces until they are stopped or released. The first free traces are not held. The one
// after them goes on when four more have begun, and says that it has used a million tokens, if costly is set.
type lingering struct {
	worker.Maker
	begun   *atomic.Int64
	ended   *atomic.Int64
	free    int64
	costly  bool
	release <-chan struct{}
}

func (l lingering) Run(ctx context.Context, job runner.Job, out runner.Buffer) error {
	n := l.begun.Add(1)
	defer l.ended.Add(1)
	switch {
	case n <= l.free:
	case n == l.free+1 && l.costly:
		for l.begun.Load() < l.free+4 && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		out = costly{out}
	default:
		select {
		case <-ctx.Done():
		case <-l.release:
		}
	}
	return l.Maker.Run(ctx, job, out)
}

// costly makes each request use a million tokens.
type costly struct{ runner.Buffer }

func (c costly) Exchange(x store.Exchange) {
	x.Usage = &model.Usage{InputTokens: 1_000_000}
	c.Buffer.Exchange(x)
}

// workingWith starts a worker with four places whose makers are changed. said gets its messages.
func workingWith(t *testing.T, url string, change func(worker.Maker) worker.Maker, said func(string)) {
	working(t, url, "w", 4, func(o *worker.Options) {
		open := o.Open
		o.Open = func(ctx context.Context, p wire.Plan, object worker.Object) (worker.Maker, error) {
			m, err := open(ctx, p, object)
			return change(m), err
		}
		o.Log = said
	})
}

// However a run ends, the worker stops its traces: no coordinator waits for them, and their requests cost money.
func TestStoppedRunStopsTraces(t *testing.T) {
	broken := errors.New("the lights went out")
	for _, c := range []struct {
		name string
		free int64
		stop func(cancel func(), drain chan struct{}, c *plan.Coordinated)
		is   func(error) bool
	}{
		{"cancelled", 0, func(cancel func(), _ chan struct{}, _ *plan.Coordinated) { cancel() },
			func(err error) bool { return errors.Is(err, context.Canceled) }},
		{"grace over", 0, func(_ func(), drain chan struct{}, _ *plan.Coordinated) { close(drain) },
			func(err error) bool { return errors.Is(err, runner.ErrDrained) }},
		{"error", 0, func(_ func(), _ chan struct{}, c *plan.Coordinated) {
			c.While(func(context.Context) error { return broken })
		}, func(err error) bool { return errors.Is(err, broken) }},
		// With a budget, at most twice as many traces are in flight as have ended.
		{"budget", 4, func(func(), chan struct{}, *plan.Coordinated) {}, func(err error) bool {
			_, spent := errors.AsType[*limit.SpentError](err)
			return spent
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel() // most of the time, the worker waits
			hub := hubOf(t, server.Options{})
			var begun, ended atomic.Int64
			stopped := make(chan string, 1)
			workingWith(t, hub.URL(), func(m worker.Maker) worker.Maker {
				return lingering{m, &begun, &ended, c.free, c.free > 0, nil}
			}, func(text string) {
				if strings.HasSuffix(text, "traces are stopped") {
					stopped <- text
				}
			})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			drain := make(chan struct{})
			conf := named(config.DefaultName, func(conf *config.Configuration) {
				if c.free > 0 {
					conf.Limits.Tokens = 100_000
				}
			})
			_, _, err := coordinated(ctx, draftOf(t, conf), hub.URL(), t.TempDir(), settings(t), func(control *runner.Control) {
				control.Drain, control.Grace = drain, time.Millisecond
				go func() {
					for begun.Load() < c.free+4 && ctx.Err() == nil {
						time.Sleep(time.Millisecond)
					}
					c.stop(cancel, drain, control.Executor.(*plan.Coordinated))
				}()
			})
			if !c.is(err) {
				t.Errorf("the run ended with %v", err)
			}
			waited(t, "the worker has stopped the traces", func() bool { return len(stopped) == 1 })
			waited(t, "all places are free", func() bool { return ended.Load() == begun.Load() })
			// The place of a trace that used up the budget may find one more, before the run knows the cost.
			if n := begun.Load(); n < c.free+4 || n > 2*c.free+4 {
				t.Errorf("the worker began %d traces, want %d", n, c.free+4)
			}
		})
	}
}

// After the first signal to stop, workers finish the traces that have begun, and begin no others. The run ends with the
// last of them, and does not wait for the end of its grace.
func TestDrainedRunBeginsNothing(t *testing.T) {
	hub := hubOf(t, server.Options{})
	var begun, ended atomic.Int64
	release, drain := make(chan struct{}), make(chan struct{})
	workingWith(t, hub.URL(), func(m worker.Maker) worker.Maker { return lingering{m, &begun, &ended, 0, false, release} },
		func(string) {})
	l := dialed(t, hub.URL())
	work := func() int {
		runs, err := l.Runs(t.Context())
		if err != nil || len(runs) != 1 {
			return -1
		}
		s, err := l.JS.Stream(t.Context(), runs[0].Work())
		if err != nil {
			return -1
		}
		return int(s.CachedInfo().State.Msgs)
	}
	dir, counts, err := coordinated(t.Context(), draftOf(t), hub.URL(), t.TempDir(), settings(t),
		func(control *runner.Control) {
			control.Drain, control.Grace = drain, time.Hour
			go func() {
				waited(t, "four traces have begun", func() bool { return begun.Load() == 4 && work() > 4 })
				close(drain)
				waited(t, "no worker can take work", func() bool { return work() == 0 })
				close(release)
			}()
		})
	if !errors.Is(err, runner.ErrDrained) || begun.Load() != 4 {
		t.Errorf("the run ended with %v after the worker began %d traces, want 4", err, begun.Load())
	}
	run, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	finished := 0
	for e, err := range run.Events() {
		if err != nil {
			t.Fatal(err)
		}
		if end, ends := e.End(); ends && !end.StopReason.Unfinished() {
			finished++
		}
	}
	if finished != 4 {
		t.Errorf("%d traces are finished, want 4; counts %+v", finished, counts)
	}
}
