//go:build unix

package sqltest

import (
	"os"
	"os/exec"
	"syscall"
)

// nobody is the number of the user of the servers where the tests run as root: servers refuse to run as root.
const nobody = 65534

// asServer makes a program run in a group of its own, and never as root.
func asServer(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
}

func giveToServer(dir string) error {
	if os.Getuid() != 0 {
		return nil
	}
	return os.Chown(dir, nobody, nobody)
}

// killGroup kills a program and those that it started.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
