package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"

	"github.com/seed-5817661a/concur/internal/process"
)

// maxOutput is the maximum size of a reply in bytes.
const maxOutput = 1 << 20

// run starts a program for one check.
func (p *Programs) run(ctx context.Context, command []string, q Question) (r reply, err error) {
	line, err := json.Marshal(q)
	if err != nil {
		return r, err
	}
	cmd := process.New(ctx, command, p.Env)
	out := &output{full: func() { process.KillGroup(cmd) }}
	log := process.NewLog(p.Log, "check", q.ID)
	log.Hider = p.Hider
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(append(line, '\n')), out, log
	if err := p.Start(cmd); err != nil {
		return r, fmt.Errorf("cannot be started: %w", err)
	}
	err = p.Wait(cmd)
	log.End()
	exit, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case out.over:
		return r, errFlood
	case ctx.Err() != nil:
		return r, fmt.Errorf("%w%s", context.Cause(ctx), log.Tail())
	case failed:
		return r, fmt.Errorf("ended with %w%s", exit, log.Tail())
	case err != nil && !errors.Is(err, exec.ErrWaitDelay): // a child of the program kept the output open
		return r, fmt.Errorf("failed: %w%s", err, log.Tail())
	}
	if r, err = parse(out.kept); err != nil {
		return r, fmt.Errorf("%w%s", err, log.Tail())
	}
	return r, nil
}

// output keeps the output of a program up to its maximum size.
type output struct {
	kept []byte
	over bool
	full func() // called when the output is too large
}

func (o *output) Write(b []byte) (int, error) {
	if o.over = o.over || len(o.kept)+len(b) > maxOutput; o.over {
		o.full()
		return 0, errFlood
	}
	o.kept = append(o.kept, b...)
	return len(b), nil
}
