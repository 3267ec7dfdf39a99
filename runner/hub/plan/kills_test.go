//go:build !windows

package plan_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/store"
)

// killed is a run of which a test kills every part.
type killed struct {
	t           testing.TB
	url         string
	hubDir, dir string
	hub, coord  *process
	workers     []*process
	started     int
	fault       []string // of the workers
	losses      int      // the limit of the run
	store       int      // of the hub, in MB
	places      int      // of each worker; 0 means 4
	atOnce      int      // the number of traces that are asked for at the same time; 0 means the default
}

// newKilled starts a hub with a run of which nothing has run yet. There are no workers and no coordinator.
func newKilled(t *testing.T, store int, d runner.Draft) *killed {
	t.Helper()
	if testing.Short() {
		t.Skip("processes of their own")
	}
	k := &killed{t: t, url: "nats://" + freeAddress(t), hubDir: filepath.Join(t.TempDir(), "hub"), store: store}
	k.dir = emptyRun(t, d)
	k.startHub()
	k.reachable()
	return k
}

// reachable waits until clients can connect to the hub.
func (k *killed) reachable() {
	k.t.Helper()
	waited(k.t, "the hub can be reached", func() bool {
		l, err := link.Dial(context.Background(), link.Options{URL: k.url})
		if err == nil {
			l.Close()
		}
		return err == nil
	})
}

func (k *killed) startHub() {
	k.hub = begun(k.t, "hub", strings.TrimPrefix(k.url, "nats://"), k.hubDir, fmt.Sprint(k.store))
}

func (k *killed) startWorker(change ...func(*exec.Cmd)) {
	k.started++
	args := append([]string{k.url, fmt.Sprint("w", k.started), fmt.Sprint(cmp.Or(k.places, 4))}, k.fault...)
	p := program(k.t, "worker", args...)
	for _, f := range change {
		f(p.cmd)
	}
	k.workers = append(k.workers, p.start())
}

func (k *killed) startCoordinator() {
	k.coord = k.coordinatorOf(k.dir)
}

func (k *killed) coordinatorOf(dir string) *process {
	return begun(k.t, "coordinator", k.url, dir, fmt.Sprint(k.losses), fmt.Sprint(k.atOnce))
}

// ended waits until a coordinator has ended, and returns its error.
func (k *killed) ended(coord *process) error {
	k.t.Helper()
	waited(k.t, "the coordinator has ended", coord.hasEnded)
	return coord.err
}

// conclusions returns the number of traces that have ended, by session, in the file of traces.
func (k *killed) conclusions() map[string][]int {
	raw, err := os.ReadFile(filepath.Join(k.dir, "trace.jsonl"))
	if err != nil {
		k.t.Fatal(err)
	}
	out := map[string][]int{}
	for line := range strings.Lines(string(raw)) {
		var e struct {
			Agent, Query, Event, Path string
			Trace, Session            int
			Stop                      string `json:"stop_reason"`
		}
		if json.Unmarshal([]byte(line), &e) == nil && e.Event == "final" && e.Path == "" && e.Stop != "cancelled" {
			key := fmt.Sprint(e.Agent, e.Query, e.Trace)
			out[key] = append(out[key], e.Session)
		}
	}
	return out
}

// until waits until n traces have ended. It starts a coordinator that has ended early again.
func (k *killed) until(n int) {
	k.t.Helper()
	waited(k.t, fmt.Sprintf("%d traces have ended", n), func() bool {
		if k.coord.hasEnded() && len(k.conclusions()) < n {
			k.t.Fatalf("the coordinator ended with %v", k.coord.err)
		}
		return len(k.conclusions()) >= n
	})
}

// eventsOf returns the number of events of each trace in its last session.
func eventsOf(t testing.TB, dir string) map[string]int {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	last, out := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(raw)) {
		var e struct {
			Agent, Query   string
			Trace, Session int
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		key := fmt.Sprint(e.Agent, e.Query, e.Trace)
		if e.Session > last[key] {
			last[key], out[key] = e.Session, 0
		}
		out[key]++
	}
	return out
}

// slow returns a configuration with 72 traces that take a while.
func slow() config.Configuration {
	return named(config.DefaultName, func(c *config.Configuration) { c.K, c.Model = 8, "offline:reader?latency=20ms" })
}

const slowTraces = 72

func seeded(d runner.Draft, seed int64) runner.Draft {
	d.Manifest.Seed = seed
	return d
}

// localOf runs a draft here.
func localOf(t *testing.T, d runner.Draft) (dir string) {
	t.Helper()
	dir, _, err := coordinated(t.Context(), d, "", t.TempDir(), settings(t))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Workers, coordinators and hubs are killed, and a worker is stopped for longer than its lease: no trace is lost,
// doubled or different. Whatever is killed is killed at a certain progress, and not after a time.
func TestKills(t *testing.T) {
	t.Parallel() // most of the time, the processes of these tests wait
	killEverything(t, seed)
}

func killEverything(t *testing.T, seed int64) {
	k := newKilled(t, 64, seeded(draftOf(t, slow()), seed))
	local := localOf(t, seeded(draftOf(t, slow()), seed))
	for range 4 {
		k.startWorker()
	}
	k.startCoordinator()
	for n := 4; n < slowTraces-4; n += 4 {
		k.until(n)
		k.workers[0].kill()
		k.workers = k.workers[1:]
		k.startWorker()
		switch n {
		case 12, 32, 52: // the coordinator
			k.coord.kill()
			k.startCoordinator()
		case 20, 44: // the hub
			k.hub.kill()
			k.startHub()
		case 24: // a worker sleeps for two leases
			asleep := k.workers[len(k.workers)-1]
			_ = asleep.cmd.Process.Signal(syscall.SIGSTOP)
			time.AfterFunc(2*ackWait, func() { _ = asleep.cmd.Process.Signal(syscall.SIGCONT) })
		}
	}
	k.sameAs(local)
}

// sameAs waits for the end of the run, and fails the test unless it has the records and events of another run.
func (k *killed) sameAs(local string) {
	k.t.Helper()
	if err := k.ended(k.coord); err != nil {
		k.t.Fatal("the coordinator:", err)
	}
	if diff := gocmp.Diff(linesOf(k.t, local, "results.jsonl"), linesOf(k.t, k.dir, "results.jsonl")); diff != "" {
		k.t.Errorf("records (-local +hub):\n%.3000s", diff)
	}
	if diff := gocmp.Diff(eventsOf(k.t, local), eventsOf(k.t, k.dir)); diff != "" {
		k.t.Errorf("numbers of events (-local +hub):\n%s", diff)
	}
	k.complete(slowTraces)
}

// complete fails the test unless this number of traces have ended, each once in a session.
func (k *killed) complete(traces int) {
	k.t.Helper()
	ends := k.conclusions()
	if len(ends) != traces {
		k.t.Errorf("%d traces have ended, want %d", len(ends), traces)
	}
	for key, sessions := range ends {
		if len(slices.Compact(slices.Clone(sessions))) != len(sessions) {
			k.t.Errorf("trace %s ended twice in one session: %v", key, sessions)
		}
	}
}

// freeAddress returns an address at which the hub can listen, also after a restart. The system gives its port to nobody
// else meanwhile: those of clients and of other tests are above 32767.
func freeAddress(t *testing.T) string {
	t.Helper()
	for range 100 {
		address := fmt.Sprint("127.0.0.1:", 10_000+rand.IntN(20_000))
		if l, err := net.Listen("tcp", address); err == nil {
			l.Close()
			return address
		}
	}
	t.Fatal("no port is free")
	return ""
}

// emptyRun makes a run folder in which nothing has run yet.
func emptyRun(t testing.TB, d runner.Draft) (dir string) {
	t.Helper()
	err := assembler().While(context.Background(), d, assemble.Options{}, func(_ context.Context, s *assemble.Session) error {
		out, err := store.Create(t.TempDir(), s.Manifest())
		if err != nil {
			return err
		}
		dir = out.Dir()
		return out.Finish(store.Interrupted, time.Now())
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
