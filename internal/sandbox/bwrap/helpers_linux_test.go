package bwrap_test

import (
	"context"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/sandboxtest"
	"github.com/seed-5817661a/concur/internal/sandbox/watch"
)

// openInherited opens a file at descriptor 9 or above, so that children inherit it.
func openInherited(t *testing.T, path string) int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD, 9)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	return fd
}

func reportMedian(b *testing.B, times []time.Duration) {
	b.Helper()
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
}

// BenchmarkEightAtOnce measures the memory of all processes below this one while eight Python jobs wait, without the
// interpreters' own: what the sandboxes add.
func BenchmarkEightAtOnce(b *testing.B) {
	e := sandboxtest.Bwrap(b, os.Getenv, sandbox.Python)
	var most int64
	for b.Loop() {
		ctx, cancel := context.WithCancel(context.Background())
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				_, _ = e.Run(ctx, sandbox.Job{Language: sandbox.Python, Script: []byte("import time; time.sleep(60)"),
					Runner: []byte(runners[sandbox.Python])}) // it is cancelled
			})
		}
		time.Sleep(time.Second)
		pids, err := watch.Descendants(os.Getpid())
		if err != nil {
			b.Fatal(err)
		}
		most = max(most, watch.Memory(append(pids, os.Getpid()), 0))
		cancel()
		all.Wait()
	}
	b.ReportMetric(float64(most)/(1<<20), "MiB")
}
