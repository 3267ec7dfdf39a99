package external

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"

	"github.com/seed-5817661a/concur/internal/process"
)

// maxOutput bounds what a process may write to standard output, in bytes.
const maxOutput = 16 << 20

// maxShown bounds what an error or the log quotes of an agent's reply, in bytes.
const maxShown = 600

// Command runs a process for every trace. It gets the request on standard input, which then ends, and gives its reply
// on standard output. It is the leader of a process group, which ends with the trace.
type Command struct {
	// Argv is the program with its arguments, Env all of its environment, NAME=value.
	Argv, Env []string
	// Log gets the lines of standard error; may be nil. It is called from several goroutines.
	Log func(line string)

	process.Set
}

// Send runs the process.
func (c *Command) Send(ctx context.Context, r Request) ([]byte, error) {
	cmd := process.New(ctx, c.Argv, append(c.Env[:len(c.Env):len(c.Env)], r.Endpoint.environment()...))
	out := &capped{full: func() { process.KillGroup(cmd) }}
	log := process.NewLog(c.Log, "agent", fmt.Sprintf("%s/%d", r.ID, r.Trace))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(r.line()), out, log
	if err := c.Start(cmd); err != nil {
		return nil, fmt.Errorf("start the agent: %w", err)
	}
	err := c.Wait(cmd)
	log.End()
	output := out.buf.Bytes()
	switch exit, failed := errors.AsType[*exec.ExitError](err); {
	case out.over:
		return nil, fmt.Errorf("the agent wrote more than %d MiB to standard output%s", maxOutput>>20, log.Tail())
	case ctx.Err() != nil:
		return output, fmt.Errorf("%w%s", context.Cause(ctx), log.Tail())
	case errors.Is(err, exec.ErrWaitDelay): // it ended well, and a child of it kept the output open
	case failed && isReply(output): // the reply stands; the exit status is that of something later
	case failed:
		return output, fmt.Errorf("the agent ended with %w%s", exit, log.Tail())
	case err != nil:
		return output, fmt.Errorf("run the agent: %w%s", err, log.Tail())
	}
	return output, nil
}

// Close does nothing: no process outlives its trace.
func (c *Command) Close() error { return nil }

// isReply reports whether the last line of an output is a reply.
func isReply(output []byte) bool {
	_, _, err := readReply(output)
	return err == nil
}

// capped keeps up to maxOutput bytes and calls full once when there are more.
type capped struct {
	full func()
	buf  bytes.Buffer
	over bool
}

func (c *capped) Write(p []byte) (int, error) {
	if c.buf.Len()+len(p) <= maxOutput {
		return c.buf.Write(p)
	}
	c.over = true
	c.full()
	return 0, io.ErrShortWrite
}
