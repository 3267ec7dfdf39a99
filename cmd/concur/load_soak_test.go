//go:build soak && unix

package main

import (
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// defaultLoad is the number of busy loops where CONCUR_LOAD does not say otherwise.
const defaultLoad = 20

// busyLoop computes until its parent is gone, however that ended.
const busyLoop = `while kill -0 "$PPID" 2>/dev/null; do i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; done`

// TestSameResultsUnderLoad runs the gold set alone and beside busy loops of the same
// priority: the records are the same but for the time that they took.
func TestSameResultsUnderLoad(t *testing.T) {
	load := defaultLoad
	if text := os.Getenv("CONCUR_LOAD"); text != "" {
		var err error
		if load, err = strconv.Atoi(text); err != nil || load < 1 {
			t.Fatalf("CONCUR_LOAD is %q: give the number of busy loops", text)
		}
	}
	start := time.Now()
	_, idle := concur(t, "--quiet")
	alone := time.Since(start)
	startLoops(t, load)
	start = time.Now()
	_, busy := concur(t, "--quiet")
	t.Logf("gold29 took %s alone and %s beside %d busy loops", alone.Round(time.Millisecond), time.Since(start).Round(time.Millisecond), load)
	if diff := cmp.Diff(records(t, idle), records(t, busy)); diff != "" {
		t.Errorf("beside %d busy loops the records differ (-alone +beside):\n%s", load, diff)
	}
}

// startLoops starts n busy loops in processes of their own, which end with the test.
func startLoops(t *testing.T, n int) {
	t.Helper()
	for range n {
		cmd := exec.Command("sh", "-c", busyLoop)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			cmd.Process.Kill()
			cmd.Wait()
			if cmd.ProcessState.Exited() {
				t.Errorf("a busy loop had ended by itself: %v", cmd.ProcessState)
			}
		})
	}
}
