package process

import (
	"errors"
	"os/exec"
	"sync"
)

// Set is the running processes of one owner. The zero value is ready.
type Set struct {
	mu      sync.Mutex
	running map[*exec.Cmd]bool
	killed  bool
}

var errKilled = errors.New("its processes were ended")

// Start starts a process, unless all were ended.
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

// Wait waits for a process, and ends what it leaves behind in its group.
func (p *Set) Wait(cmd *exec.Cmd) error {
	err := cmd.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	KillGroup(cmd)
	delete(p.running, cmd)
	return err
}

// Kill ends all processes with their groups by force, and lets no other start: for the end of
// this program in the middle of a run.
func (p *Set) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed = true
	for cmd := range p.running {
		KillGroup(cmd)
	}
}
