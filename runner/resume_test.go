package runner_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/trace"
)

var errKilled = errors.New("killed")

// killer allows a number of changes to the disk, and then stops all others.
type killer struct {
	after  int
	only   string // count only changes whose name begins so; "" means all
	how    error  // errKilled or disk.ErrTorn
	model  modelFunc
	retry  bool // run failed traces again
	struck string
}

func (k *killer) fault(boundary string) error {
	if !strings.HasPrefix(boundary, k.only) {
		return nil
	}
	if k.after--; k.after >= 0 {
		return nil
	}
	k.struck = boundary
	return k.how
}

// talkative returns a plan with several turns, different traces and different decisions. Its second
// configuration reads the first trace of the first one.
func talkative() runner.Plan {
	p := newPlan(2, 2, 2, agentFunc(talker))
	p.Arms[0].Model = modelFunc(sampled)
	single := p.Arms[0]
	single.Configuration.Name, single.Configuration.K = "single", 1
	p.Arms = append(p.Arms, single)
	return p
}

// configurations returns the configurations of a plan, for a manifest.
func configurations(p runner.Plan) []store.Configuration {
	var out []store.Configuration
	for _, a := range p.Arms {
		out = append(out, store.Configuration{Name: a.Configuration.Name, Agent: a.AgentHash, First: a.First, Configuration: a.Configuration})
	}
	return out
}

// attempt begins or resumes the run in a folder, until it ends or is killed. Parts of its files close often.
func attempt(t *testing.T, runs string, k *killer) {
	t.Helper()
	out, prior, err := openOrResume(runs, store.Options{Fault: k.fault, Buffer: 256, Part: 2048}, k.retry)
	if err == nil {
		plan := talkative()
		if k.model != nil {
			plan.Arms[0].Model, plan.Arms[1].Model = k.model, k.model
		}
		runErr := plan.Run(t.Context(), out, runner.Control{Prior: prior})
		err = errors.Join(runErr, out.Finish(store.Complete, time.Now()))
	}
	if err == nil && k.struck != "" { // only the index was lost, which follows a complete run, and which readers make
		if run, err := runlist.Find(runs, runlist.Latest); err != nil || run.Manifest.State != store.Complete {
			t.Fatalf("killed at %q without an error, and the run is not complete (%v)", k.struck, err)
		}
	}
	if err != nil && k.struck == "" {
		t.Fatal(err)
	}
}

// names counts runs, so that every new run has another folder.
var names atomic.Int64

func openOrResume(runs string, o store.Options, retry bool) (*store.Writer, *store.Prior, error) {
	run, err := runlist.Find(runs, runlist.Latest)
	if err != nil { // the run has not begun, or was killed before
		name := fmt.Sprint("r", names.Add(1))
		out, err := o.Create(runs, store.Manifest{
			Run: name, Start: time.Now(), Configurations: configurations(talkative()),
		})
		return out, nil, err
	}
	return o.Resume(run, time.Now(), store.Scope{RetryFailed: retry})
}

// uninterrupted allows all changes.
func uninterrupted() *killer { return &killer{after: 1 << 30} }

// outcome returns the content of a complete run, without the parts that may differ.
func outcome(t *testing.T, runs string) ran {
	t.Helper()
	run, err := runlist.Find(runs, runlist.Latest)
	if err != nil {
		t.Fatal(err)
	}
	if run.Manifest.State != store.Complete {
		t.Errorf("state %s, want complete", run.Manifest.State)
	}
	return timeless(contents(t, run))
}

// kept returns the written events of the traces that a killed run had finished.
func kept(t *testing.T, runs string) map[trace.ID][]trace.Event {
	t.Helper()
	run, err := runlist.Find(runs, runlist.Latest)
	if err != nil {
		return nil // the run had not begun
	}
	found := contents(t, run)
	maps.DeleteFunc(found.events, func(id trace.ID, events []trace.Event) bool {
		end, ended := events[len(events)-1].Body.(trace.Conclusion)
		if ended && len(found.exchanges[id]) < end.Timing.CallsSent {
			t.Errorf("the end of trace %v is there, and only %d of its %d exchanges", id, len(found.exchanges[id]), end.Timing.CallsSent)
		}
		return !ended
	})
	for _, rec := range found.records {
		for _, a := range rec.Answers {
			if id := (trace.ID{Agent: rec.Agent, Query: rec.Query, Trace: a.Trace}); found.events[id] == nil {
				t.Errorf("the record of %s is there, and the end of its trace %d is not", rec.Query, a.Trace)
			}
		}
	}
	return found.events
}

// everywhere calls kill with a killer for each change of a run in turn, until one has no change left to stop.
// The order of changes differs from run to run. For this reason everywhere then calls kill for the first change
// of each wanted name, and the test fails if a run has no such change.
func everywhere(t *testing.T, how error, kill func(*killer), wanted ...string) {
	t.Helper()
	for n := 0; ; n++ {
		k := &killer{after: n, how: how}
		kill(k)
		if k.struck == "" {
			break
		}
	}
	for _, name := range wanted {
		k := &killer{only: name, how: how}
		kill(k)
		if k.struck == "" {
			t.Errorf("no run was killed at %q", name)
		}
	}
}

// If a run is killed at any change to the disk, or in the middle of any write, and then resumed, it ends in
// the same way as an uninterrupted run. Finished traces are not run again.
func TestKilledAnywhereAndResumed(t *testing.T) {
	whole := t.TempDir()
	attempt(t, whole, uninterrupted())
	want := outcome(t, whole)
	for _, how := range []error{errKilled, disk.ErrTorn} {
		everywhere(t, how, func(k *killer) {
			runs := t.TempDir()
			attempt(t, runs, k)
			if k.struck == "" {
				return
			}
			finished := kept(t, runs)
			attempt(t, runs, uninterrupted())
			if diff := cmp.Diff(want, outcome(t, runs), cmp.AllowUnexported(ran{})); diff != "" {
				t.Fatalf("%v at %s and resumed, it differs (-whole +resumed):\n%s", how, k.struck, diff)
			}
			again := kept(t, runs)
			for id, events := range finished {
				if diff := cmp.Diff(events, again[id]); diff != "" {
					t.Fatalf("%v at %s: trace %v had ended, and is not the same (-before +after):\n%s", how, k.struck, id, diff)
				}
			}
		}, "mkdir", "create trace.jsonl", "create run.log", "create .run.yaml.", "rename run.yaml", "write chat.jsonl",
			"write trace.jsonl", "write results.jsonl", "sync chat.jsonl", "sync trace.jsonl", "sync results.jsonl",
			"truncate chat.jsonl", "truncate trace.jsonl") // these two follow the closing of a part
	}
}

// The same if the run is killed a second time, while it is resumed.
func TestKilledWhileItIsResumed(t *testing.T) {
	whole := t.TempDir()
	attempt(t, whole, uninterrupted())
	want := outcome(t, whole)
	everywhere(t, disk.ErrTorn, func(k *killer) {
		runs := t.TempDir()
		attempt(t, runs, &killer{after: 3, only: "write trace.jsonl", how: disk.ErrTorn})
		attempt(t, runs, k)
		if k.struck == "" {
			return
		}
		attempt(t, runs, uninterrupted())
		if diff := cmp.Diff(want, outcome(t, runs), cmp.AllowUnexported(ran{})); diff != "" {
			t.Fatalf("killed at %s while it was resumed, it differs (-whole +resumed):\n%s", k.struck, diff)
		}
	}, "truncate", "rename run.yaml", "write results.jsonl")
}

// The same if the run is killed while it runs failed traces again.
func TestKilledWhileFailuresAreRetried(t *testing.T) {
	whole := t.TempDir()
	attempt(t, whole, uninterrupted())
	want := outcome(t, whole)
	down := func(context.Context, model.Request) (model.Response, error) {
		return model.Response{}, &model.Error{Kind: model.ErrUnavailable, Model: "m", Err: errors.New("down")}
	}
	everywhere(t, disk.ErrTorn, func(k *killer) {
		runs := t.TempDir()
		first := uninterrupted()
		first.model = down
		attempt(t, runs, first)
		k.retry = true
		attempt(t, runs, k)
		if k.struck == "" {
			return
		}
		last := uninterrupted()
		last.retry = true
		attempt(t, runs, last)
		if diff := cmp.Diff(want, outcome(t, runs), cmp.AllowUnexported(ran{})); diff != "" {
			t.Fatalf("killed at %s while failures were retried, it differs (-whole +resumed):\n%s", k.struck, diff)
		}
	}, "rename run.yaml", "write chat.jsonl", "write trace.jsonl", "write results.jsonl")
}
