//go:build profile

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func init() { runtime.MemProfileRate = 64 << 10 }

// TestProfile writes profiles of commands on PROFILED queries into the folder that PROFILES names. Each command needs a process of its
// own, since allocations are counted from its start: -run TestProfile/run, which makes the runs of the others, then
// -run TestProfile/report, then -run TestProfile/compare.
func TestProfile(t *testing.T) {
	dir, err := filepath.Abs(os.Getenv("PROFILES"))
	if err != nil || os.Getenv("PROFILES") == "" {
		t.Fatalf("PROFILES must name a folder for the profiles (%v): use make profile", err)
	}
	queries, err := strconv.Atoi(os.Getenv("PROFILED"))
	if err != nil || queries < 1 {
		t.Fatalf("PROFILED must be a number of queries (%v): use make profile", err)
	}
	runs := filepath.Join(dir, "runs")
	t.Run("run", func(t *testing.T) {
		if err := os.RemoveAll(runs); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		data := filepath.Join(dir, "sums.jsonl")
		var b strings.Builder
		for i := range queries {
			x, y := i%97+1, i%89+2
			fmt.Fprintf(&b, `{"id":"q%07d","category":"sum%d","query":"What is %d + %d?","gold":{"type":"integer","answer":%d}}`+"\n",
				i, i%4, x, y, x+y)
		}
		if err := os.WriteFile(data, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		args := []string{"run", data, "-k", "1", "--tools", "calc", "--without", "judge.quality,judge.correctness", "--quiet",
			"--yes", "--runs-dir", runs}
		profile(t, filepath.Join(dir, "run"), append(args, "--seed", "1", "--name", "first")...)
		if code, _, errs := invoke(append(args, "--seed", "2", "--name", "second")...); code != exitOK { // for compare
			t.Fatalf("exit %d: %s", code, errs)
		}
	})
	t.Run("report", func(t *testing.T) {
		profile(t, filepath.Join(dir, "report"), "report", "latest", "--runs-dir", runs)
	})
	t.Run("compare", func(t *testing.T) {
		profile(t, filepath.Join(dir, "compare"), "compare", "first", "second", "--runs-dir", runs)
	})
}

// profile runs a command and writes its profiles to files that begin with a path, and prints their names.
func profile(t *testing.T, path string, args ...string) {
	t.Helper()
	runtime.GC()
	var cpu bytes.Buffer
	stop := watchHeap(t)
	if err := pprof.StartCPUProfile(&cpu); err != nil {
		t.Fatal(err)
	}
	code, _, errs := invoke(args...)
	pprof.StopCPUProfile()
	heap := stop()
	if code != exitOK {
		t.Fatalf("concur %s: exit %d: %s", strings.Join(args, " "), code, errs)
	}
	var allocs bytes.Buffer
	if err := pprof.Lookup("allocs").WriteTo(&allocs, 0); err != nil {
		t.Fatal(err)
	}
	for kind, raw := range map[string][]byte{"cpu": cpu.Bytes(), "heap": heap, "allocs": allocs.Bytes()} {
		name := fmt.Sprintf("%s.%s.pprof", path, kind)
		if err := os.WriteFile(name, raw, 0o666); err != nil {
			t.Fatal(err)
		}
		fmt.Printf("%-7s %s\n", kind, name)
	}
}

// watchHeap takes a profile of the heap whenever the heap has grown by a twentieth. stop returns the last, which is of
// the largest heap but for that.
func watchHeap(t *testing.T) (stop func() []byte) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	var largest bytes.Buffer
	most := uint64(0)
	look := func() {
		metrics.Read(live)
		if now := live[0].Value.Uint64(); now > most+most/20 {
			most = now
			largest.Reset()
			if err := pprof.Lookup("heap").WriteTo(&largest, 0); err != nil {
				t.Error(err)
			}
		}
	}
	over := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for tick := time.Tick(20 * time.Millisecond); ; {
			select {
			case <-tick:
				look()
			case <-over:
				look()
				return
			}
		}
	})
	return func() []byte { close(over); watching.Wait(); return largest.Bytes() }
}
