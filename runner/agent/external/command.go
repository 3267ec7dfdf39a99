package external

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Bounds of what a process may write. Of its standard error the beginning goes to the log,
// and the end into the cause of a failure.
const (
	maxOutput = 16 << 20 // bytes
	maxLogged = 64 << 10 // bytes of standard error for one trace
	maxTail   = 600      // bytes of standard error in a cause

	lineOverhead = 64 // bytes that the log adds to a line, about
)

// killGrace is the time between the request to end and the end by force.
const killGrace = time.Second

// Command runs a process for every trace. It gets the request on standard input, which then
// ends, and gives its reply on standard output. It is the leader of a process group, which
// ends with the trace.
type Command struct {
	// Argv is the program with its arguments, Env all of its environment, NAME=value.
	Argv, Env []string
	// Log gets the lines of standard error; may be nil. It is called from several goroutines.
	Log func(line string)

	processes
}

// Send runs the process.
func (c *Command) Send(ctx context.Context, r Request) ([]byte, error) {
	line, err := r.line()
	if err != nil {
		return nil, err
	}
	cmd := newProcess(ctx, c.Argv, append(c.Env[:len(c.Env):len(c.Env)], r.Endpoint.environment()...))
	out := &capped{most: maxOutput, full: func() { killGroup(cmd) }}
	log := &lineLog{log: c.Log, name: fmt.Sprintf("%s/%d", r.ID, r.Trace)}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(line), out, log
	if err := c.start(cmd); err != nil {
		return nil, fmt.Errorf("start the agent: %w", err)
	}
	err = c.wait(cmd)
	log.end()
	output, overflowed := out.bytes()
	switch exit, failed := errors.AsType[*exec.ExitError](err); {
	case overflowed:
		return nil, fmt.Errorf("the agent wrote more than %d MiB to standard output%s", maxOutput>>20, log.tail())
	case ctx.Err() != nil:
		return output, &processError{context.Cause(ctx), log.tail()}
	case errors.Is(err, exec.ErrWaitDelay): // it ended well, and a child of it kept the output open
	case failed && isReply(output): // the reply stands; the exit status is that of something later
	case failed:
		return output, &processError{fmt.Errorf("the agent ended with %w", exit), log.tail()}
	case err != nil:
		return output, fmt.Errorf("run the agent: %w%s", err, log.tail())
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

// newProcess is a process in a group of its own, which ends with ctx.
func newProcess(ctx context.Context, argv, env []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = env
	inGroup(cmd)
	cmd.Cancel = func() error {
		endGroup(cmd)
		time.AfterFunc(killGrace, func() { killGroup(cmd) })
		return nil
	}
	cmd.WaitDelay = 2 * killGrace
	return cmd
}

// processError is what a process did, with the end of its standard error.
type processError struct {
	cause error
	tail  string
}

func (e *processError) Error() string { return e.cause.Error() + e.tail }
func (e *processError) Unwrap() error { return e.cause }

// capped keeps up to most bytes and calls full once when there are more.
type capped struct {
	mu   sync.Mutex
	most int
	full func()
	buf  bytes.Buffer
	over bool
}

func (c *capped) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return 0, io.ErrShortWrite
	}
	if c.buf.Len()+len(p) > c.most {
		c.over = true
		c.full()
		return 0, io.ErrShortWrite
	}
	return c.buf.Write(p)
}

func (c *capped) bytes() (output []byte, overflowed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.buf.Bytes(), c.over
}

// lineLog passes lines of standard error on, up to maxLogged bytes, and keeps the last.
type lineLog struct {
	log  func(string)
	name string // of the trace

	mu     sync.Mutex
	line   []byte
	logged int
	last   []byte
}

func (l *lineLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = append(l.last, p...)
	if extra := len(l.last) - 2*maxTail; extra > 0 {
		l.last = append(l.last[:0], l.last[extra:]...)
	}
	for rest := p; len(rest) > 0 && l.logged <= maxLogged; {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		l.line, rest = append(l.line, line...), after
		if whole || len(l.line) > maxTail {
			l.flush()
		}
	}
	return len(p), nil
}

func (l *lineLog) flush() {
	if l.log != nil && len(l.line) > 0 && l.logged <= maxLogged {
		l.log("agent  " + l.name + "  " + strings.ToValidUTF8(string(l.line), "\uFFFD"))
		if l.logged += len(l.line) + lineOverhead; l.logged > maxLogged {
			l.log("agent  " + l.name + "  further lines of standard error are not logged")
		}
	}
	l.line = l.line[:0]
}

// begin names the trace that the next lines are of.
func (l *lineLog) begin(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush()
	l.name, l.logged = name, 0
}

// note logs a line about the process.
func (l *lineLog) note(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush()
	l.line = append(l.line, text...)
	l.flush()
}

func (l *lineLog) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush()
}

// tail is the end of standard error for a cause, or "".
func (l *lineLog) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.TrimSpace(string(l.last))
	if text == "" {
		return ""
	}
	return "; its standard error ends: " + tail([]byte(text), maxTail)
}
