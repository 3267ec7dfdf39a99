package scratch_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/seed-5817661a/concur/internal/scratch"
)

const kind = "concur-test"

// holderVariable makes this program a process that makes a folder, writes a file into it, and waits.
const holderVariable = "CONCUR_SCRATCH_TEST_HOLDER"

func TestMain(m *testing.M) {
	if os.Getenv(holderVariable) == "" {
		os.Exit(m.Run())
	}
	f, err := scratch.New(kind)
	if err == nil {
		err = os.MkdirAll(filepath.Join(f.Path(), "data", "inner"), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(f.Path(), "data", "inner", "secret"), []byte("of a run"), 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(f.Path())
	_, _ = os.Stdin.Read(make([]byte, 1)) // until it is killed, or the test has ended
	if err := f.Remove(); err != nil {
		os.Exit(1)
	}
}

// holder is a process that has a folder.
type holder struct {
	cmd  *exec.Cmd
	path string
}

// hold starts a process that makes a folder.
func hold(t *testing.T) *holder {
	t.Helper()
	h := &holder{cmd: exec.Command(os.Args[0])}
	h.cmd.Env, h.cmd.Stderr = append(os.Environ(), holderVariable+"=yes"), os.Stderr
	in, err := h.cmd.StdinPipe()
	out, wrong := h.cmd.StdoutPipe()
	if err := errors.Join(err, wrong, h.cmd.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); _ = h.cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	h.path = strings.TrimSpace(line)
	return h
}

func (h *holder) kill() {
	_ = h.cmd.Process.Kill()
	_ = h.cmd.Wait()
}

// temporary gives the test a folder of its own for temporary files.
func temporary(t *testing.T) (dir string) {
	dir = t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, dir)
	}
	return dir
}

func exists(t *testing.T, path string) bool {
	t.Helper()
	_, err := os.Lstat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return err == nil
}

// made makes a folder, which is removed at the end.
func made(t *testing.T, kind string) *scratch.Folder {
	t.Helper()
	f, err := scratch.New(kind)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Remove(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// The folder of a killed process is removed by the next one of this kind; that of a process that runs is left.
func TestKilledProcess(t *testing.T) {
	temporary(t)
	killed, running := hold(t), hold(t)
	killed.kill()
	made(t, "concur-other")
	if !exists(t, killed.path) {
		t.Fatal("a process of another kind has removed the folder")
	}
	made(t, kind)
	if exists(t, killed.path) {
		t.Errorf("%s is left", killed.path)
	}
	if !exists(t, filepath.Join(running.path, "data", "inner", "secret")) {
		t.Error("the folder of a running process was removed")
	}
	running.kill()
	made(t, kind)
	if exists(t, running.path) {
		t.Errorf("%s is left", running.path)
	}
}

func TestRemove(t *testing.T) {
	dir := temporary(t)
	f, err := scratch.New(kind)
	if err == nil {
		err = errors.Join(os.WriteFile(filepath.Join(f.Path(), "file"), nil, 0o600), f.Remove())
	}
	if left, _ := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, error %v", left, err)
	}
}

// Processes that begin at the same time do not remove each other's folders.
func TestManyAtOnce(t *testing.T) {
	temporary(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				f, err := scratch.New(kind)
				if err != nil {
					t.Error(err)
					return
				}
				err = os.WriteFile(filepath.Join(f.Path(), "file"), []byte("text"), 0o600)
				if _, statErr := os.Stat(filepath.Join(f.Path(), "file")); err != nil || statErr != nil {
					t.Error(err, statErr)
				}
				if err := f.Remove(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

func TestNoFolder(t *testing.T) {
	dir := temporary(t)
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, filepath.Join(dir, "missing"))
	}
	if _, err := scratch.New(kind); err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("error %v, want one that names TMPDIR", err)
	}
}
