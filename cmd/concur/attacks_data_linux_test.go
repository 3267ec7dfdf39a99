//go:build data

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestRecordedDataAttacks runs each case of the folder attacks as an ordinary user, and as root where the test is run
// by root. A case holds or not; none may end without a word.
func TestRecordedDataAttacks(t *testing.T) {
	data := recordingIn(t, "attacks", "README.md")
	// Others can read neither the folders of tests nor, it may be, the data.
	dir, err := os.MkdirTemp("/tmp", "attacks")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	program, err := os.ReadFile(built(t))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "concur"), program, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".", "home"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(path, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o777); err != nil { // whatever the umask is
			t.Fatal(err)
		}
	}
	cases, err := filepath.Glob(filepath.Join(data, "*", "case.sh"))
	if err != nil || len(cases) < 9 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	users := map[string]*syscall.Credential{"this user": nil}
	if os.Getuid() == 0 {
		users = map[string]*syscall.Credential{"root": nil, "ordinary user": {Uid: 65534, Gid: 65534}}
	}
	for _, script := range cases {
		name := filepath.Base(filepath.Dir(script))
		copied := filepath.Join(dir, name)
		if err := os.CopyFS(copied, os.DirFS(filepath.Dir(script))); err != nil {
			t.Fatal(err)
		}
		for user, credential := range users {
			t.Run(name+" as "+user, func(t *testing.T) {
				c := exec.CommandContext(t.Context(), "bash", filepath.Join(copied, "case.sh"), filepath.Join(dir, "concur"))
				c.Dir, c.WaitDelay = dir, time.Second
				c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(dir, "home"), "TMPDIR=" + filepath.Join(dir, "home")}
				c.SysProcAttr = &syscall.SysProcAttr{Credential: credential, Setpgid: true}
				timer := time.AfterFunc(caseTime, func() { _ = c.Process.Kill() })
				defer timer.Stop()
				out, err := c.CombinedOutput()
				lines := strings.Split(strings.TrimSpace(string(out)), "\n")
				if err != nil || lines[len(lines)-1] != "held" {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}
