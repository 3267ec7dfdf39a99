package child

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// process is a running child.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *ends
	ended  chan struct{} // closed after the process was waited for
	err    error         // how the process ended; read it after ended is closed
}

func start(name string) (*process, error) {
	self, err := executable()
	if err != nil {
		return nil, fmt.Errorf("find the program that runs: %w", err)
	}
	c := &process{cmd: exec.Command(self), stderr: &ends{}, ended: make(chan struct{})}
	// The environment is a list of ours and no filtered copy, so that no key can be in it.
	c.cmd.Env = []string{variable + "=" + name, "GOTRACEBACK=none", "GOMAXPROCS=2"}
	c.cmd.Stderr = c.stderr
	out, err := c.cmd.StdoutPipe()
	if err == nil {
		c.in, err = c.cmd.StdinPipe()
	}
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(out)
	started := make(chan error)
	go func() {
		defer endWithParent(c.cmd)()
		err := c.cmd.Start()
		started <- err
		if err == nil {
			c.err = c.cmd.Wait()
			close(c.ended)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start a child process: %w", err)
	}
	return c, nil
}

// ask sends a line and returns the line that answers it. After an error the child has been killed.
func (c *process) ask(ctx context.Context, line []byte, limit time.Duration) ([]byte, error) {
	late := time.AfterFunc(limit, c.signal)
	cancelled := context.AfterFunc(ctx, c.signal)
	_, err := c.in.Write(line)
	var answer []byte
	if err == nil {
		answer, err = readLine(c.out)
	}
	inTime, wanted := late.Stop(), cancelled()
	if err == nil && inTime && wanted {
		return answer, nil
	}
	c.kill()
	switch {
	case !wanted && ctx.Err() != nil:
		return nil, ctx.Err()
	case !inTime:
		return nil, ErrTime
	}
	status := c.cmd.ProcessState.ExitCode()
	text := c.stderr.String()
	return nil, &EndedError{c.cause(err), status == memoryStatus || strings.Contains(text, "out of memory")}
}

// cause describes how a child ended. err is the error of the pipe.
func (c *process) cause(err error) string {
	how := "exit status 0"
	if c.err != nil {
		how = c.err.Error()
	}
	if text := c.stderr.String(); text != "" {
		return how + "; its standard error: " + text
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) && how == "signal: killed" {
		return err.Error() // this process killed it, because of this error
	}
	return how
}

// alive reports whether the child has not ended.
func (c *process) alive() bool {
	select {
	case <-c.ended:
		return false
	default:
		return true
	}
}

// kill ends the child by force and waits until it has ended.
func (c *process) kill() {
	c.signal()
	_ = c.in.Close() // the child has ended; nothing is lost
	<-c.ended
}

// ends keeps the beginning and the end of a child's standard error. Go's runtime writes why it ends first, and the
// stacks of all goroutines after it.
type ends struct {
	mu          sync.Mutex
	first, last []byte
	cut         bool // something between first and last was dropped
}

func (e *ends) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	room := min(len(p), maxStderr-len(e.first))
	e.first = append(e.first, p[:room]...)
	e.last = append(e.last, p[room:]...)
	if extra := len(e.last) - maxStderr; extra > 0 {
		e.last, e.cut = append(e.last[:0], e.last[extra:]...), true
	}
	return len(p), nil
}

func (e *ends) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	between := ""
	if e.cut {
		between = " … "
	}
	return strings.ToValidUTF8(strings.TrimSpace(string(e.first)+between+string(e.last)), "")
}
