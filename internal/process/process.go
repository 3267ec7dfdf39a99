package process

import (
	"context"
	"errors"
	"os/exec"
	"sync"
	"time"
)

// killGrace is the time between the request to end and the end by force.
const killGrace = time.Second

// New returns a process that is not started yet, in its own group, which ends with ctx.
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

// Set holds the running processes of one owner. The zero value is ready.
type Set struct {
	mu      sync.Mutex
	running map[*exec.Cmd]bool
	killed  bool
}

var errKilled = errors.New("its processes were ended")

// Start starts a process. It fails after Kill.
func (p *Set) Start(cmd *exec.Cmd) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed {
		return errKilled
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if p.running == nil {
		p.running = map[*exec.Cmd]bool{}
	}
	p.running[cmd] = true
	return nil
}

// Wait waits until a process ends, and then ends the rest of its group.
func (p *Set) Wait(cmd *exec.Cmd) error {
	err := cmd.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	KillGroup(cmd)
	delete(p.running, cmd)
	return err
}

// Kill ends all processes and their groups by force, and prevents further starts. Call it before an exit of
// this program during a run.
func (p *Set) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed = true
	for cmd := range p.running {
		KillGroup(cmd)
	}
}
