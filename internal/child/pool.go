package child

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// The limits of a pool.
const (
	mostAtOnce = 32                     // children that run at the same time
	mostKept   = 8                      // children that wait for a question
	startTime  = 20 * time.Second       // from the start of a child to its greeting, on a busy machine
	grace      = 200 * time.Millisecond // between the end of a question's time and the kill
	maxStderr  = 4 << 10                // bytes of standard error that an error can show
)

// ErrTime means that a child did not answer in time and was killed.
var ErrTime = errors.New("it did not answer in time")

// EndedError means that a child ended instead of answering.
type EndedError struct {
	Cause  string // how it ended, with the end of its standard error
	Memory bool   // the child had no memory left
}

func (e *EndedError) Error() string { return "the child process ended: " + e.Cause }

// StartError means that a child could not be started, or that its work refused the setup.
type StartError struct {
	Refused bool // the work refused the setup
	Err     error
}

func (e *StartError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Err }

// Pool has the children of one work with one setup. It is safe for concurrent use.
type Pool struct {
	name   string
	setup  []byte
	places chan struct{}

	mu     sync.Mutex
	idle   []*process
	closed bool
}

// NewPool returns a pool of children for the work that Main registered under name. It starts no child. setup must be
// encodable as JSON.
func NewPool(name string, setup any) (*Pool, error) {
	raw, err := json.Marshal(setup)
	if err != nil {
		return nil, fmt.Errorf("encode the setup of the child %s: %w", name, err)
	}
	return &Pool{name: name, setup: append(raw, '\n'), places: make(chan struct{}, mostAtOnce)}, nil
}

// Ask sends a question to a child and decodes its answer; numbers of unknown type become json.Number. The child is
// killed if it does not answer within limit and a fifth of a second more, or when ctx ends. The time in
// which Ask waits for a child does not count. The error is ErrTime, an *EndedError, a *StartError, or the error of ctx.
func (p *Pool) Ask(ctx context.Context, question, answer any, limit time.Duration) error {
	raw, err := json.Marshal(question)
	if err != nil {
		return fmt.Errorf("encode the question for the child %s: %w", p.name, err)
	}
	select {
	case p.places <- struct{}{}:
		defer func() { <-p.places }()
	case <-ctx.Done():
		return ctx.Err()
	}
	c, err := p.take(ctx)
	if err != nil {
		return err
	}
	line, err := c.ask(ctx, append(raw, '\n'), limit+grace)
	if err != nil {
		return err
	}
	p.put(c)
	decode := json.NewDecoder(bytes.NewReader(line))
	decode.UseNumber() // large integers stay exact
	if err := decode.Decode(answer); err != nil {
		return fmt.Errorf("read the answer of the child %s: %w", p.name, err)
	}
	return nil
}

// Check starts a child if none waits, so that a setup that the work refuses is known before the first question.
func (p *Pool) Check(ctx context.Context) error {
	c, err := p.take(ctx)
	if err == nil {
		p.put(c)
	}
	return err
}

// Close ends the children that wait for a question. Children that answer end when they have answered.
func (p *Pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, c := range p.idle {
		c.kill()
	}
	p.idle = nil
	return nil
}

// take returns a child that waits for a question, or a new one.
func (p *Pool) take(ctx context.Context) (*process, error) {
	p.mu.Lock()
	for len(p.idle) > 0 {
		last := len(p.idle) - 1
		c := p.idle[last]
		p.idle = p.idle[:last]
		if c.alive() {
			p.mu.Unlock()
			return c, nil
		}
	}
	p.mu.Unlock()
	c, err := start(p.name)
	if err != nil {
		return nil, &StartError{Err: err}
	}
	line, err := c.ask(ctx, p.setup, startTime)
	var hello greeting
	if err == nil {
		err = json.Unmarshal(line, &hello)
	}
	if err != nil {
		c.kill()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &StartError{Err: fmt.Errorf("start a child process for %s: %w", p.name, err)}
	}
	if hello.Error != "" {
		c.kill()
		return nil, &StartError{Refused: true, Err: errors.New(hello.Error)}
	}
	return c, nil
}

func (p *Pool) put(c *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || len(p.idle) >= mostKept {
		c.kill()
		return
	}
	p.idle = append(p.idle, c)
}

// process is a running child.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *tail
	ended  chan struct{} // closed after the process was waited for
	err    error         // how the process ended; read it after ended is closed
}

func start(name string) (*process, error) {
	self, err := executable()
	if err != nil {
		return nil, fmt.Errorf("find the program that runs: %w", err)
	}
	c := &process{cmd: exec.Command(self), stderr: &tail{}, ended: make(chan struct{})}
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
		return how + "; its standard error ends: " + text
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

// tail keeps the end of a child's standard error.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if extra := len(t.text) - maxStderr; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(bytes.TrimSpace(t.text)), "")
}
