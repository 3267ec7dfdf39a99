//go:build unix

package process

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// inGroup makes a process the leader of its own group.
func inGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// EndGroup asks a process and all others of its group to end.
func EndGroup(cmd *exec.Cmd) { signalGroup(cmd, syscall.SIGTERM) }

// KillGroup ends a process and its group by force. It does nothing if the group has ended.
func KillGroup(cmd *exec.Cmd) { signalGroup(cmd, syscall.SIGKILL) }

func signalGroup(cmd *exec.Cmd, s syscall.Signal) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, s)
	}
}

// Guard ends the group of a started process when this program ends, even by kill -9: a shell in the group
// waits on a pipe, which then closes. KillGroup ends the shell too. The shell gets no environment, because
// the process and its children could read it from there.
func Guard(cmd *exec.Cmd) error {
	read, write, err := os.Pipe() // no other child inherits the pipe
	if err != nil {
		return err
	}
	defer read.Close()
	shell := exec.Command("/bin/sh", "-c", fmt.Sprintf("read -r _; kill -9 -%d", cmd.Process.Pid))
	shell.Stdin, shell.Env = read, []string{}
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: cmd.Process.Pid}
	if err := shell.Start(); err != nil {
		write.Close()
		return fmt.Errorf("guard the process: %w", err)
	}
	go func() {
		_ = shell.Wait() // the shell is killed; its status means nothing
		write.Close()
	}()
	return nil
}
