//go:build linux

package plan_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner/config"
)

// usage is what a process has used.
type usage struct {
	cpu    time.Duration
	memory float64 // the most, in MB
}

// usage ends a process, and returns what it has used.
func (p *process) usage() usage {
	p.kill()
	state := p.cmd.ProcessState
	return usage{state.UserTime() + state.SystemTime(), float64(state.SysUsage().(*syscall.Rusage).Maxrss) / 1024}
}

// resident returns the memory of a running process in MB.
func (p *process) resident() (megabytes float64) {
	p.t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(raw), "VmRSS:")
	var kilobytes float64
	if _, err := fmt.Sscan(line, &kilobytes); err != nil {
		p.t.Fatal(err)
	}
	return kilobytes / 1024
}

// benchHub returns a concur-hub with an empty run.
func benchHub(b *testing.B, conf config.Configuration) *killed {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	l.Close()
	program := filepath.Join(b.TempDir(), "concur-hub")
	if out, err := exec.Command("go", "build", "-o", program, "../../../cmd/concur-hub").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	k := &killed{t: b, url: "nats://" + l.Addr().String()}
	k.dir = emptyRun(b, draftOf(b, conf))
	k.hub = &process{t: b, done: make(chan struct{}), cmd: exec.Command(program, "--dir", filepath.Join(b.TempDir(), "hub"),
		"--listen", l.Addr().String(), "--store", "256M")}
	k.hub.start()
	return k
}

// BenchmarkHub compares a run with 4 workers of 16 places with the same run in one process with 64 places: the time, and
// the CPU time of each part for a trace. Each model call takes 100 ms.
func BenchmarkHub(b *testing.B) {
	conf := named(config.DefaultName, func(c *config.Configuration) {
		c.K, c.Model, c.Limits.Concurrency = 104, "offline:reader?latency=100ms", 64
	})
	traces := 9 * conf.K
	if testing.Short() {
		b.Skip("a minute")
	}
	for b.Loop() {
		folder := emptyRun(b, draftOf(b, conf))
		begin := time.Now()
		local := begun(b, "coordinator", "", folder, "3", "0")
		<-local.done
		wallLocal := time.Since(begin)
		k := benchHub(b, conf)
		k.places = 16
		waitForHub(b, k)
		for range 4 {
			k.startWorker()
		}
		for _, w := range k.workers {
			waited(b, "the workers look for runs", func() bool { return w.reported("waits") })
		}
		begin = time.Now()
		k.startCoordinator()
		<-k.coord.done
		wallHub := time.Since(begin)
		if local.err != nil || k.coord.err != nil {
			b.Fatal(local.err, k.coord.err)
		}
		each := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(traces) }
		var workers usage
		for _, w := range k.workers {
			workers.cpu += w.usage().cpu
		}
		own, coord, hub := local.usage(), k.coord.usage(), k.hub.usage()
		b.Logf("%d traces: here %v, with 4 workers %v", traces, wallLocal.Round(10*time.Millisecond),
			wallHub.Round(10*time.Millisecond))
		b.ReportMetric(wallHub.Seconds()/wallLocal.Seconds(), "wall/here")
		b.ReportMetric(each(workers.cpu)/each(own.cpu), "workers-CPU/here")
		b.ReportMetric(each(own.cpu), "here-ms/trace")
		b.ReportMetric(each(coord.cpu), "run-ms/trace")
		b.ReportMetric(each(hub.cpu), "hub-ms/trace")
		b.ReportMetric(coord.memory, "run-MB")
		b.ReportMetric(hub.memory, "hub-MB")
	}
}

func waitForHub(b *testing.B, k *killed) {
	waited(b, "the hub listens", func() bool {
		c, err := net.Dial("tcp", strings.TrimPrefix(k.url, "nats://"))
		if err == nil {
			c.Close()
		}
		return err == nil
	})
}

// BenchmarkHubMessages shows the memory of hub and coordinator when the hub has 9,999 messages of work, and the time
// until a worker that starts then is ready.
func BenchmarkHubMessages(b *testing.B) {
	conf := named(config.DefaultName, func(c *config.Configuration) { c.K, c.Limits.Concurrency = 1111, 9_999 })
	traces := 9 * conf.K
	if testing.Short() {
		b.Skip("a minute")
	}
	for b.Loop() {
		k := benchHub(b, conf)
		k.atOnce = traces
		k.startCoordinator()
		waitForHub(b, k)
		l := dialed(b, k.url)
		waited(b, "all traces are asked for", func() bool {
			s, err := l.JS.Stream(b.Context(), k.run().Work())
			return err == nil && int(s.CachedInfo().State.Msgs) == traces
		})
		coordWaits, hubWaits := k.coord.resident(), k.hub.resident()
		begin := time.Now()
		k.places = 16
		k.startWorker()
		waited(b, "the worker is ready", func() bool { return k.workers[0].reported("ready for") })
		ready := time.Since(begin)
		b.ReportMetric(ready.Seconds(), "ready-s")
		b.ReportMetric(coordWaits, "run-MB")
		b.ReportMetric(hubWaits, "hub-MB")
	}
}
