//go:build !windows

package plan_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
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
	t           *testing.T
	url         string
	hubDir, dir string
	hub, coord  *process
	workers     []*process
	started     int
}

func (k *killed) startHub() {
	k.hub = begun(k.t, "hub", strings.TrimPrefix(k.url, "nats://"), k.hubDir)
}

func (k *killed) startWorker() {
	k.started++
	k.workers = append(k.workers, begun(k.t, "worker", k.url, fmt.Sprint("w", k.started)))
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
		select {
		case <-k.coord.done:
			if len(k.conclusions()) < n {
				k.t.Fatalf("the coordinator ended with %v", k.coord.err)
			}
		default:
		}
		return len(k.conclusions()) >= n
	})
}

// eventsOf returns the number of events of each trace in its last session.
func eventsOf(t *testing.T, dir string) map[string]int {
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

// Workers, coordinators and hubs are killed, and a worker is stopped for longer than its lease: no trace is lost,
// doubled or different. Whatever is killed is killed at a certain progress, and not after a time.
func TestKills(t *testing.T) {
	if testing.Short() {
		t.Skip("processes of their own")
	}
	conf := named(config.DefaultName, func(c *config.Configuration) {
		c.K, c.Model = 8, "offline:reader?latency=20ms"
	})
	local, _, err := coordinated(t.Context(), draftOf(t, conf), "", t.TempDir(), settings(t))
	if err != nil {
		t.Fatal(err)
	}
	k := &killed{t: t, url: "nats://" + freeAddress(t), hubDir: t.TempDir()}
	k.dir = emptyRun(t, draftOf(t, conf))
	k.startHub()
	waited(t, "the hub can be reached", func() bool {
		l, err := link.Dial(t.Context(), link.Options{URL: k.url})
		if err == nil {
			l.Close()
		}
		return err == nil
	})
	for range 4 {
		k.startWorker()
	}
	k.coord = begun(t, "coordinator", k.url, k.dir)
	const traces = 72
	for n := 4; n < traces-4; n += 4 {
		k.until(n)
		k.workers[0].kill()
		k.workers = k.workers[1:]
		k.startWorker()
		switch n {
		case 12, 32, 52: // the coordinator
			k.coord.kill()
			k.coord = begun(t, "coordinator", k.url, k.dir)
		case 20, 44: // the hub
			k.hub.kill()
			k.startHub()
		case 24: // a worker sleeps for two leases
			asleep := k.workers[len(k.workers)-1]
			_ = asleep.cmd.Process.Signal(syscall.SIGSTOP)
			time.AfterFunc(2*ackWait, func() { _ = asleep.cmd.Process.Signal(syscall.SIGCONT) })
		}
	}
	waited(t, "the coordinator has ended", func() bool {
		select {
		case <-k.coord.done:
			return true
		default:
			return false
		}
	})
	if k.coord.err != nil {
		t.Fatal("the coordinator:", k.coord.err)
	}
	if diff := gocmp.Diff(linesOf(t, local, "results.jsonl"), linesOf(t, k.dir, "results.jsonl")); diff != "" {
		t.Errorf("records (-local +hub):\n%.3000s", diff)
	}
	if diff := gocmp.Diff(eventsOf(t, local), eventsOf(t, k.dir)); diff != "" {
		t.Errorf("numbers of events (-local +hub):\n%s", diff)
	}
	ends := k.conclusions()
	if len(ends) != traces {
		t.Errorf("%d traces have ended, want %d", len(ends), traces)
	}
	for key, sessions := range ends {
		if len(slices.Compact(slices.Clone(sessions))) != len(sessions) {
			t.Errorf("trace %s ended twice in one session: %v", key, sessions)
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
func emptyRun(t *testing.T, d runner.Draft) (dir string) {
	t.Helper()
	err := assembler().While(t.Context(), d, assemble.Options{}, func(_ context.Context, s *assemble.Session) error {
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
