//go:build !unix

package process

import "os/exec"

// Without process groups only the process itself is ended, not its children.
func inGroup(*exec.Cmd) {}

// EndGroup ends a process.
func EndGroup(cmd *exec.Cmd) { KillGroup(cmd) }

// KillGroup ends a process by force.
func KillGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill()
	}
}

// Guard does nothing on these systems.
func Guard(*exec.Cmd) error { return nil }
