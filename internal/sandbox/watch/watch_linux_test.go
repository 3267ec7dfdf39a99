package watch_test

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/sandbox/watch"
)

// A process that a child starts is found, and its memory counts.
func TestDescendants(t *testing.T) {
	cmd := exec.Command("/bin/sh", "-c", "sleep 600 & wait")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var below []int
	defer func() {
		for _, pid := range append(below, cmd.Process.Pid) {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill() // it may have ended
			}
		}
		_ = cmd.Wait() // it was killed
	}()
	for end := time.Now().Add(time.Minute); len(below) == 0 && time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		var err error
		if below, err = watch.Descendants(cmd.Process.Pid); err != nil {
			t.Fatal(err)
		}
	}
	if len(below) != 1 {
		t.Fatalf("below the shell: %d, want one process", below)
	}
	all, err := watch.Descendants(os.Getpid())
	if err != nil || !slices.Contains(all, below[0]) || !slices.Contains(all, cmd.Process.Pid) {
		t.Errorf("below the test: %d, %v, want %d and %d in it", all, err, cmd.Process.Pid, below)
	}
	if got := watch.Memory(below, 1<<40); got < 1<<10 {
		t.Errorf("sleep has %d bytes", got)
	}
}

// Shared pages of several processes count once. The processes wait for input while they are measured: the memory of a
// process that runs, as this one does, can grow between two readings.
func TestMemoryOfSharedPages(t *testing.T) {
	pids := []int{waitingShell(t), waitingShell(t)}
	resident := watch.Memory(pids, 1<<50)
	if resident < 1<<18 {
		t.Fatalf("two shells have %d bytes", resident)
	}
	if proportional := watch.Memory(pids, 0); proportional <= 0 || proportional >= resident {
		t.Errorf("%d bytes with shares, %d without", proportional, resident)
	}
}

// waitingShell starts a shell that waits for a line of input until the test ends, and returns its process.
func waitingShell(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", "echo ready; read line")
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = input.Close() // its read ends, and with it the shell
		_ = cmd.Wait()    // read finds no line, which is status 1
	})
	if line, err := bufio.NewReader(output).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("the shell wrote %q, %v", line, err)
	}
	return cmd.Process.Pid
}

func TestFilesOfAnEndedProcess(t *testing.T) {
	if n, err := watch.Files(1<<30, "/tmp"); err == nil {
		t.Errorf("%d files of a process that is not there", n)
	}
}

// A process that sees the files of this one has none of its own.
func TestFilesOfTheHost(t *testing.T) {
	if n, err := watch.Files(os.Getpid(), "/"); err != nil || n != 0 {
		t.Errorf("%d, %v, want 0", n, err)
	}
}
