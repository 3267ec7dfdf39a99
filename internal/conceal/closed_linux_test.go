package conceal_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/seed-5817661a/concur/internal/conceal"
)

// maxStart bounds what Process may add to the start of concur.
const maxStart = time.Millisecond

// BenchmarkProcess measures what Process adds to the start of concur, and fails above maxStart. It closes the process
// of the benchmarks.
func BenchmarkProcess(b *testing.B) {
	for b.Loop() {
		if err := conceal.Process(); err != nil {
			b.Fatal(err)
		}
	}
	if each := b.Elapsed() / time.Duration(b.N); each > maxStart {
		b.Errorf("it takes %v, want at most %v", each, maxStart)
	}
}

// child is what the test binary does as the process that ends with a core dump: it says whether its own memory can be
// opened, and waits for the signal.
func child() {
	if os.Getenv("CONCEAL_CORE") == "closed" {
		if err := conceal.Process(); err != nil {
			panic(err)
		}
	}
	for _, name := range []string{"mem", "environ"} {
		f, err := os.Open("/proc/self/" + name)
		fmt.Println(name, errors.Is(err, os.ErrPermission))
		_ = f.Close()
	}
	_, _ = os.Stdin.Read(make([]byte, 1))
}

// TestNoCoreDump ends two processes by SIGABRT, as an ordinary user: of the one that conceals itself there is no core
// dump, and it cannot open its own memory and environment.
func TestNoCoreDump(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "core")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	program, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = errors.Join(os.WriteFile(filepath.Join(dir, "child"), program, 0o755), os.Chmod(dir, 0o777))
	}
	if err != nil {
		t.Fatal(err)
	}
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_CORE, &before); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Cur: before.Max, Max: before.Max}); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Setrlimit(unix.RLIMIT_CORE, &before) }()
	end := func(how string) (said string, dumped bool) {
		t.Helper()
		c := exec.Command(filepath.Join(dir, "child"))
		c.Dir, c.Env = dir, []string{"CONCEAL_CORE=" + how, "GOTRACEBACK=crash"}
		if os.Getuid() == 0 { // root reads what is closed to others
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(out)
		for range 2 {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatalf("%q: %v", said+line, err)
			}
			said += line
		}
		if err := c.Process.Signal(syscall.SIGABRT); err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, lines)
		_ = c.Wait()
		status, _ := c.ProcessState.Sys().(syscall.WaitStatus)
		if !status.Signaled() || status.Signal() != syscall.SIGABRT {
			t.Fatalf("the process ended otherwise: %v", c.ProcessState)
		}
		return said, status.CoreDump()
	}
	open, dumps := end("open")
	if open != "mem false\nenviron false\n" {
		t.Errorf("control: a process cannot read itself: %q", open)
	}
	closed, dumped := end("closed")
	if closed != "mem true\nenviron true\n" {
		t.Errorf("its memory or its environment is open to itself: %q", closed)
	}
	if dumped {
		t.Error("there is a core dump of a process that conceals itself")
	}
	if !dumps {
		t.Log("this system writes no core dumps at all")
	}
}
