package process

import (
	"context"
	"os/exec"
	"time"
)

// killGrace is the time between the request to end and the end by force.
const killGrace = time.Second

// New is a process that is not started, in a group of its own, which ends with ctx.
func New(ctx context.Context, argv, env []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = env
	inGroup(cmd)
	cmd.Cancel = func() error {
		EndGroup(cmd)
		time.AfterFunc(killGrace, func() { KillGroup(cmd) })
		return nil
	}
	cmd.WaitDelay = 2 * killGrace
	return cmd
}
