//go:build !linux

package child

import (
	"os"
	"os/exec"
	"time"
)

func executable() (string, error) { return os.Executable() }

// endWithParent does nothing on these systems: a child ends when its standard input closes.
func endWithParent(*exec.Cmd) (unlock func()) { return func() {} }

// signal kills the child.
func (c *process) signal() { _ = c.cmd.Process.Kill() }

// Limit does nothing on these systems. Their children have only the limits of their work, and are killed when they
// do not answer in time.
func Limit(memory uint64, files uint64) error { return nil }

// Confine does nothing on these systems.
func Confine(memory, files uint64) error { return nil }

// LimitCPU does nothing on these systems.
func LimitCPU(time time.Duration) error { return nil }
