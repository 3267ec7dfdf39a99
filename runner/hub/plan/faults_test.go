//go:build !windows

package plan_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/hub/coordinator"
	"github.com/seed-5817661a/concur/runner/hub/server"
	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/runner/hub/worker"
)

func (k *killed) signal(p *process, s os.Signal) {
	k.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		k.t.Fatal(err)
	}
}

// run returns the name of the run at the hub.
func (k *killed) run() wire.Run { return wire.RunOf(filepath.Base(k.dir)) }

// A hub has room for 8 MB of results, and the coordinator is stopped until that is full and its lease is over. Both go
// on by themselves.
func TestStoppedCoordinator(t *testing.T) {
	t.Parallel()
	stoppedCoordinator(t, 2*shortTimes.LeaseFor)
}

func stoppedCoordinator(t *testing.T, least time.Duration) {
	k := newKilled(t, 16, draftOf(t, slow()))
	local := localOf(t, draftOf(t, slow()))
	k.startCoordinator()
	l := dialed(t, k.url)
	state := func(stream string) (messages, bytes int) {
		s, err := l.JS.Stream(t.Context(), stream)
		if err != nil {
			return 0, 0
		}
		return int(s.CachedInfo().State.Msgs), int(s.CachedInfo().State.Bytes)
	}
	waited(t, "64 traces are asked for", func() bool { n, _ := state(k.run().Work()); return n >= 64 })
	k.signal(k.coord, syscall.SIGSTOP)
	stopped := time.Now()
	const pad = 300_000 // 64 traces of this size do not fit into 8 MB
	k.fault = []string{"pads", "300000"}
	for range 2 {
		k.startWorker()
	}
	waited(t, "the hub is full of results", func() bool {
		_, bytes := state(k.run().Done())
		return bytes > 8<<20-pad && k.workers[0].reported("they are kept and sent again")
	})
	if rest := least - time.Since(stopped); rest > 0 {
		time.Sleep(rest)
	}
	k.signal(k.coord, syscall.SIGCONT)
	if err := k.ended(k.coord); err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(linesOf(t, local, "results.jsonl"), linesOf(t, k.dir, "results.jsonl")); diff != "" {
		t.Errorf("records (-local +hub):\n%.3000s", diff)
	}
	k.complete(slowTraces)
}

// A coordinator is stopped, and another one takes over with a copy of the folder. The first one ends when it wakes up,
// and takes nothing from the second: the hub gives out its results again only after AckWait, which is longer than the
// lease.
func TestTwoCoordinators(t *testing.T) {
	t.Parallel()
	k := newKilled(t, 64, draftOf(t, slow()))
	local := localOf(t, draftOf(t, slow()))
	first, copied := k.dir, filepath.Join(t.TempDir(), filepath.Base(k.dir))
	if err := os.CopyFS(copied, os.DirFS(first)); err != nil {
		t.Fatal(err)
	}
	k.startWorker()
	k.startCoordinator()
	k.until(4)
	old := k.coord
	k.signal(old, syscall.SIGSTOP)
	k.dir = copied
	k.startCoordinator()
	k.until(4)
	if n := k.workers[0].reports("ready for 4 traces"); n != 1 {
		t.Errorf("the worker has opened the agents %d times, although the plan is the same", n)
	}
	k.workers[0].kill() // so that the second is not ready before the first has noticed it
	k.signal(old, syscall.SIGCONT)
	if err := k.ended(old); err == nil || !old.reported("another coordinator has taken over this run") {
		t.Errorf("the first coordinator ended with %v", err)
	}
	k.startWorker()
	k.sameAs(local)
}

// A trace kills each worker that makes it: two, and a third in which it runs alone. Then it ends as infra, and no other
// trace does.
func TestTraceKillsItsWorker(t *testing.T) {
	t.Parallel()
	k := newKilled(t, 64, draftOf(t, slow()))
	local := localOf(t, draftOf(t, slow()))
	query := queryOf(t, local)
	k.fault, k.losses = []string{"kills", query}, coordinator.DefaultLosses
	for range 3 {
		k.startWorker()
	}
	k.startCoordinator()
	killed := 0
	waited(t, "the run has ended", func() bool {
		for i, w := range k.workers {
			if w.hasEnded() {
				killed++
				k.workers = append(k.workers[:i:i], k.workers[i+1:]...)
				k.startWorker()
				break
			}
		}
		return k.coord.hasEnded()
	})
	if k.coord.err != nil {
		t.Fatal(k.coord.err)
	}
	k.complete(slowTraces)
	infra := 0
	raw, err := os.ReadFile(filepath.Join(k.dir, "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		var e struct {
			Query, Outcome, Cause string
			Trace                 int
		}
		if json.Unmarshal([]byte(line), &e) != nil || e.Outcome != "infra" {
			continue
		}
		infra++
		if e.Query != query || e.Trace != 0 || !strings.HasPrefix(e.Cause, "lost by 3 workers: ") {
			t.Errorf("infra: %s", line)
		}
	}
	// The first worker may die before it has sent that the trace begins. Then the coordinator does not know of this loss.
	if infra != 1 || killed > 4 {
		t.Errorf("%d traces are infra after %d workers were killed, want 1 and 3, or 4 on a busy machine", infra, killed)
	}
}

// queryOf returns the id of a query of a run.
func queryOf(t *testing.T, dir string) string {
	t.Helper()
	var r struct{ Query string }
	if err := json.Unmarshal([]byte(linesOf(t, dir, "trace.jsonl")[0]), &r); err != nil || r.Query == "" {
		t.Fatal(err, r)
	}
	return r.Query
}

// The store of the hub is set back to an earlier state, as after a crash of its machine, and is then lost altogether.
func TestStoreSetBack(t *testing.T) {
	t.Parallel()
	k := newKilled(t, 64, draftOf(t, slow()))
	local := localOf(t, draftOf(t, slow()))
	for range 2 {
		k.startWorker()
	}
	k.startCoordinator()
	k.until(8)
	k.hub.kill()
	earlier := filepath.Join(t.TempDir(), "earlier")
	if err := os.CopyFS(earlier, os.DirFS(k.hubDir)); err != nil {
		t.Fatal(err)
	}
	k.startHub()
	k.until(24)
	k.hub.kill()
	k.hubDir = earlier
	k.startHub()
	k.until(40)
	k.hub.kill()
	k.hubDir = filepath.Join(t.TempDir(), "new")
	k.startHub()
	k.sameAs(local)
}

// While the disk of the hub is full, a worker keeps its results. Afterwards the run goes on by itself.
func TestFullDiskOfTheHub(t *testing.T) {
	conf := named(config.DefaultName, func(*config.Configuration) {})
	local := localOf(t, draftOf(t, conf))
	var free atomic.Int64
	free.Store(1 << 40)
	hub := hubOf(t, server.Options{LookEvery: time.Millisecond,
		Free: func(string) (int64, error) { return free.Load(), nil }})
	l := dialed(t, hub.URL())
	if _, err := l.JS.CreateStream(t.Context(), jetstream.StreamConfig{Name: "PROBE", Subjects: []string{"probe"}}); err != nil {
		t.Fatal(err)
	}
	gate := gate{begun: make(chan struct{}), open: make(chan struct{})}
	kept := make(chan struct{})
	keep := sync.OnceFunc(func() { close(kept) })
	working(t, hub.URL(), "w", 4, func(o *worker.Options) {
		log, open := o.Log, o.Open
		o.Log = func(text string) {
			log(text)
			if strings.Contains(text, "they are kept and sent again") {
				keep()
			}
		}
		o.Open = func(ctx context.Context, p wire.Plan, object worker.Object) (worker.Maker, error) {
			m, err := open(ctx, p, object)
			return gated{m, sync.OnceFunc(func() { close(gate.begun) }), gate.open}, err
		}
	})
	go func() {
		<-gate.begun
		free.Store(1)
		for l.Publish(context.Background(), "probe", nil) == nil {
		}
		close(gate.open)
		select {
		case <-kept:
		case <-time.After(2 * time.Minute):
			t.Error("the worker does not say that it keeps its results")
		}
		free.Store(1 << 40)
	}()
	dir, _, err := coordinated(t.Context(), draftOf(t, conf), hub.URL(), t.TempDir(), settings(t))
	if err != nil {
		t.Fatal(err)
	}
	same(t, local, dir)
}

// gate holds traces until a test opens it.
type gate struct{ begun, open chan struct{} }

type gated struct {
	worker.Maker
	begin func()
	open  <-chan struct{}
}

func (g gated) Run(ctx context.Context, job runner.Job, out runner.Buffer) error {
	g.begin()
	<-g.open
	return g.Maker.Run(ctx, job, out)
}
