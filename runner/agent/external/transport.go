package external

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"

	"github.com/seed-5817661a/concur/internal/process"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/runner/config"
)

// Transport sends a request to an agent and returns its output. Implementations are safe for concurrent use.
type Transport interface {
	// Send returns the output of the agent. When ctx is done, it ends the processes that it started for this
	// request, and returns soon. An error describes a failure of the agent. In that case, output is the output
	// up to the failure.
	Send(ctx context.Context, r Request) (output []byte, err error)
	// Close ends the running processes in an orderly way. Kill ends them at once.
	Close() error
	Kill()
}

// Command runs a process for every trace. The process reads the request from standard input, up to the end of
// the input, and writes its reply to standard output. It is the leader of a process group. The group ends with
// the trace.
type Command struct {
	// Argv is the program with its arguments. Env is the whole environment of the process, as NAME=value. Dir is its
	// working directory; "" means that of this process.
	Argv, Env []string
	Dir       string
	// Log gets the lines of standard error. It may be nil. It is called from several goroutines.
	Log   func(line string)
	Hider *secret.Hider // removes keys from those lines and from errors; may be nil
	// NoKey leaves the key of the trace out of the environment. The process then finds it only in the request
	// on standard input.
	NoKey bool

	process.Set
}

// Send runs the process.
func (c *Command) Send(ctx context.Context, r Request) ([]byte, error) {
	cmd := process.New(ctx, c.Argv, slices.Concat(c.Env, r.Endpoint.environment(!c.NoKey), r.span()))
	cmd.Dir = c.Dir
	out := &output{full: func() { process.KillGroup(cmd) }}
	defer out.close()
	log := process.NewLog(c.Log, "agent", fmt.Sprintf("%s/%d", r.ID, r.Trace))
	log.Hider = c.Hider
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(r.line()), out, log
	if err := c.Start(cmd); err != nil {
		return nil, fmt.Errorf("start the agent: %w", err)
	}
	err := c.Wait(cmd)
	log.End()
	if out.over {
		return nil, fmt.Errorf("the agent wrote more than %d MiB to standard output%s", maxOutput>>20, log.Tail())
	}
	output, unread := out.bytes(ctx)
	if unread != nil {
		return nil, fmt.Errorf("read what the agent wrote: %w", unread)
	}
	switch exit, failed := errors.AsType[*exec.ExitError](err); {
	case context.Cause(ctx) == errDeadline && isReply(output): // the reply counts
		return output, errHangs
	case ctx.Err() != nil:
		return output, fmt.Errorf("%w%s", context.Cause(ctx), log.Tail())
	case errors.Is(err, exec.ErrWaitDelay): // the process ended well, but its child kept the output open
	case failed && isReply(output): // the reply counts; the exit status is about a later failure
	case failed:
		return output, fmt.Errorf("the agent ended with %w%s", exit, log.Tail())
	case err != nil:
		return output, fmt.Errorf("run the agent: %w%s", err, log.Tail())
	}
	return output, nil
}

// Close does nothing, because every process ends with its trace.
func (c *Command) Close() error { return nil }

// isReply reports whether the last line of an output is a reply of the contract. A line with the message in
// another field does not count, because it may belong to a log.
func isReply(output []byte) bool {
	_, _, found, err := lastReply(output, boundsOf(config.ReplyLimits{}).replyOf)
	return found && err == nil
}

// send sends a request to the agent, and removes the agent's keys from output and error.
func (a *Agent) send(ctx context.Context, r Request) ([]byte, error) {
	output, err := a.Transport.Send(ctx, r)
	if a.Hider == nil {
		return output, err
	}
	return []byte(a.Hider.Hide(string(output))), a.Hider.Error(err)
}
