package bwrap_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/seed-5817661a/concur/internal/sandbox/watch"
)

// plainUser is a user that owns nothing on any machine. Files of this user are files of these tests.
const plainUser = 64321

// TestMain makes this process the parent of orphans: a process that a sandbox leaves is then below it.
func TestMain(m *testing.M) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// TestAsPlainUser runs the tests of this package again as a user without rights, if root runs them.
func TestAsPlainUser(t *testing.T) {
	if os.Geteuid() != 0 || testing.Short() {
		t.Skip("a plain user runs the tests, or -short is set")
	}
	dir, err := os.MkdirTemp("/tmp", "bwrap-test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	program, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(dir, "test")
	if err := errors.Join(os.WriteFile(copied, program, 0o755), os.Chown(dir, plainUser, plainUser)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), copied, "-test.v")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + dir, "TMPDIR=" + dir}
	for _, name := range []string{"CONCUR_DATA", "CONCUR_SANDBOX_TESTS", "CONCUR_NO_SANDBOX_TESTS"} {
		if value, ok := os.LookupEnv(name); ok {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: plainUser, Gid: plainUser}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "\nPASS") {
		t.Errorf("as user %d: %v\n%s", plainUser, err, out)
	}
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "--- SKIP") {
			t.Log("as a plain user: ", line)
		}
	}
}

// checkRemains fails if there are more processes below this one than before the test, or more files of plainUser in the
// folders that everyone can write.
func checkRemains(t *testing.T) {
	t.Helper()
	before, err := watch.Descendants(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	files := foreignFiles(t)
	t.Cleanup(func() {
		var left []int
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
			now, err := watch.Descendants(os.Getpid())
			if err != nil {
				t.Fatal(err)
			}
			left = slices.DeleteFunc(now, func(pid int) bool { return slices.Contains(before, pid) })
			if len(left) == 0 {
				break
			}
		}
		for _, pid := range left {
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
			t.Errorf("process %d is left: %s", pid, status)
		}
		for _, path := range foreignFiles(t) {
			if !slices.Contains(files, path) {
				t.Errorf("the file %s is left", path)
			}
		}
	})
}

// foreignFiles lists the files of plainUser in shared folders. For root it lists nothing: the user of sandboxes is then
// 65534, of whom other programs of the machine may have files too.
func foreignFiles(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, folder := range []string{"/", "/tmp", "/dev", "/dev/shm", "/run", "/var/tmp", "."} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue // this machine has no such folder
		}
		for _, entry := range entries {
			info, err := entry.Info()
			if err != nil {
				continue // it was removed
			}
			stat, ok := info.Sys().(*syscall.Stat_t)
			if ok && stat.Uid == plainUser && !strings.HasPrefix(entry.Name(), "bwrap-test") {
				out = append(out, filepath.Join(folder, entry.Name()))
			}
		}
	}
	return out
}
