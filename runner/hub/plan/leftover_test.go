//go:build !windows

package plan_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A worker removes the files of a run that a killed worker left on this machine, and those of others that run stay.
func TestKilledWorkerLeavesNothing(t *testing.T) {
	t.Parallel()
	k := newKilled(t, 64, draftOf(t, slow()))
	temporary := t.TempDir()
	folders := func() []string {
		all, err := filepath.Glob(filepath.Join(temporary, "concur-work-*"))
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	here := func(c *exec.Cmd) { c.Env = append(c.Env, "TMPDIR="+temporary) }
	k.startWorker(here)
	k.startCoordinator()
	k.until(1)
	left := folders()
	if len(left) != 1 {
		t.Fatalf("a worker has the folders %v, want one", left)
	}
	k.workers[0].kill()
	if _, err := os.Stat(left[0]); err != nil {
		t.Fatal("a killed worker removes its folder: ", err)
	}
	k.startWorker(here)
	k.startWorker(here)
	waited(t, "only the two workers that run have folders", func() bool {
		now := folders()
		return len(now) == 2 && now[0] != left[0] && now[1] != left[0]
	})
	k.until(slowTraces)
	if err := k.ended(k.coord); err != nil {
		t.Error(err)
	}
}
