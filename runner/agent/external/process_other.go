//go:build !unix

package external

import "os/exec"

// Systems without process groups: the process itself is ended, and not its children.
func inGroup(*exec.Cmd) {}

func endGroup(cmd *exec.Cmd) { killGroup(cmd) }

func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill()
	}
}
