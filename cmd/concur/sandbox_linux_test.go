package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/sandboxtest"
)

// TestDoctorAttacksSandboxes starts the command with descriptor 9 open, as a shell or a CI may, and lets doctor attack
// bubblewrap: all bounds hold, and doctor leaves no file.
func TestDoctorAttacksSandboxes(t *testing.T) {
	if testing.Short() {
		t.Skip("whole processes")
	}
	sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	write(t, secret, "a secret of the caller")
	c := exec.Command("sh", "-c", "exec 9<secret; concur doctor --sandbox --no-network; exit $?")
	c.Dir, c.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir}
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, bound := range []string{"files of the host", "open files of the host", "loopback of the host", "processes",
		"memory of one process", "memory of 8 processes", "number of files", "another user than root", "no process is left"} {
		if !strings.Contains(string(out), "bwrap: "+bound) {
			t.Errorf("doctor says nothing about %s:\n%s", bound, out)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v: doctor left files: %v", err, entries)
	}
}
