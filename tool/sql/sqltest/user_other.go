//go:build !unix

package sqltest

import "os/exec"

func asServer(*exec.Cmd) {}

func giveToServer(string) error { return nil }

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
