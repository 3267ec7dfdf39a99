//go:build unix

package process_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/process"
)

// The test binary is also the program that is killed, and the process that it leaves.
func TestMain(m *testing.M) {
	switch os.Getenv("PROCESS_TEST") {
	case "owner":
		child := process.New(context.Background(), []string{os.Args[0]}, []string{"PROCESS_TEST=child"})
		var s process.Set
		if err := s.Start(child); err != nil {
			panic(err)
		}
		if err := process.Guard(child); err != nil {
			panic(err)
		}
		fmt.Println(child.Process.Pid)
		time.Sleep(time.Hour)
	case "child":
		time.Sleep(time.Hour)
	default:
		os.Exit(m.Run())
	}
}

// TestGuard kills a program by force, and waits for the process that it had started.
func TestGuard(t *testing.T) {
	owner := exec.Command(os.Args[0])
	owner.Env = []string{"PROCESS_TEST=owner"}
	out, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for runs(child) {
		time.Sleep(time.Millisecond) // until the test's own deadline
	}
	_ = owner.Wait() // it was killed
}

// runs reports whether a process has not ended; in a container without an init, nobody asks
// for the status of one that has.
func runs(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err == nil && strings.Contains(string(stat), ") Z ") {
		return false
	}
	return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
