//go:build unix

package external_test

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/agent/external"
)

// TestNothingIsLeftRunning waits until the child of an agent ends with its trace.
func TestNothingIsLeftRunning(t *testing.T) {
	var r recorder
	a := &external.Agent{Config: configuration(nil), Transport: command(t, "leaves a child", nil)}
	got := a.Run(t.Context(), task("Which?", answer.Text, nil, &r))
	pid, err := strconv.Atoi(got.Answer)
	if err != nil {
		t.Fatalf("answer %q, cause %q", got.Answer, got.Cause)
	}
	for !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) && !isZombie(pid) {
		time.Sleep(10 * time.Millisecond) // at most until the test's own deadline
	}
}

// isZombie reports whether a process has ended and its status was not read. In a container without an init
// process, nobody reads it.
func isZombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}
