package confine

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"time"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/bwrap"
	"github.com/seed-5817661a/concur/internal/sandbox/interpreter"
)

// checkTime bounds the start of a program that ends at once, on a machine that may be busy.
const checkTime = 30 * time.Second

// Check finds bubblewrap, checks that the sandbox's user can read all that must be visible, and starts a program that
// ends at once in the sandbox. It returns the program to use. The error is a *sandbox.StartError.
func (p Program) Check(ctx context.Context, getenv func(string) string) (Program, error) {
	program, err := bwrap.Find(ctx, getenv)
	if err != nil {
		return p, err
	}
	p.Bubblewrap = program
	self, err := os.Executable()
	if err != nil {
		return p, &sandbox.StartError{Engine: bwrap.Name, Cause: err.Error()}
	}
	if os.Geteuid() == 0 {
		for _, path := range append([]string{self}, p.Visible...) {
			if err := interpreter.ReadableBy(nobody, nobody)(path); err != nil {
				return p, &sandbox.StartError{Engine: bwrap.Name, Cause: err.Error()}
			}
		}
	}
	trial := p
	trial.Argv = []string{"/usr/bin/true"}
	argv, variable, err := trial.Started()
	if err != nil {
		return p, err
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	var stderr bytes.Buffer
	cmd.Env, cmd.Stderr, cmd.WaitDelay = []string{variable}, &stderr, time.Second
	if cmd.Run() != nil {
		return p, bwrap.StartFailure(stderr.String())
	}
	return p, nil
}
