package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDoctorNamesWhatShowsAKey starts doctor from a shell that has the key, and from one that gives the key to doctor
// alone.
func TestDoctorNamesWhatShowsAKey(t *testing.T) {
	if testing.Short() {
		t.Skip("whole processes")
	}
	const key = "sk-doctor-93b1f07a5cde8264"
	dir := t.TempDir()
	write(t, filepath.Join(dir, "key"), key)
	doctor := func(script string, variables ...string) string {
		t.Helper()
		c := exec.Command("sh", "-c", script)
		c.Dir, c.Env = dir, append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, variables...)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", script, err, out)
		}
		if strings.Contains(string(out), key) {
			t.Errorf("%s prints the key:\n%s", script, out)
		}
		return string(out)
	}
	// The shell has to wait for doctor, so that it is above it.
	quiet := doctor("OPENAI_API_KEY=$(cat key) concur doctor --no-network --format json; exit $?")
	for _, want := range []string{"other programs of this user cannot read its keys", `"exposure"`} {
		if !strings.Contains(quiet, want) {
			t.Errorf("doctor lacks %q:\n%s", want, quiet)
		}
	}
	if strings.Contains(quiet, "programs of this user can read") {
		t.Errorf("no process above doctor has the key, and no file:\n%s", quiet)
	}
	write(t, filepath.Join(dir, ".env"), "export OPENAI_API_KEY='"+key+"'\n")
	shown := doctor("concur doctor --no-network --format json; exit $?", "OPENAI_API_KEY="+key)
	for _, want := range []string{"(sh)", filepath.Join(dir, ".env"), "programs of this user can read OPENAI_API_KEY there"} {
		if !strings.Contains(shown, want) {
			t.Errorf("doctor lacks %q:\n%s", want, shown)
		}
	}
}
