package external

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"sync/atomic"

	"github.com/seed-5817661a/concur/internal/process"
)

// Residents are processes of a command that stay. Each reads a request a line from standard input and writes the
// reply as a line, with the request's call. A process has one request at a time; there are as many as requests at
// once. One that fails, or whose request is given up, is ended, and the next request starts another.
type Residents struct {
	Argv, Env []string // as of Command
	Log       func(line string)

	mu     sync.Mutex
	idle   []*resident
	closed bool
	last   atomic.Int64 // call

	process.Set
}

// resident is one process.
type resident struct {
	cmd   *exec.Cmd
	stop  context.CancelFunc
	in    io.WriteCloser
	lines chan []byte   // closed at the end of its output
	over  chan struct{} // closed by end
	log   *process.Log
}

// Send gives a request to an idle process, or to a new one.
func (p *Residents) Send(ctx context.Context, r Request) ([]byte, error) {
	r.Call = p.last.Add(1)
	one, err := p.take()
	if err != nil {
		return nil, err
	}
	one.log.Begin(fmt.Sprintf("%s/%d", r.ID, r.Trace))
	output, err := one.exchange(ctx, r)
	if err != nil {
		p.end(one)
		return nil, fmt.Errorf("%w%s", err, one.log.Tail())
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		p.end(one)
	} else {
		p.idle = append(p.idle, one)
	}
	return output, nil
}

func (p *Residents) take() (*resident, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errors.New("the agent's processes were ended")
	}
	if n := len(p.idle); n > 0 {
		one := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return one, nil
	}
	ctx, stop := context.WithCancel(context.Background())
	one := &resident{cmd: process.New(ctx, p.Argv, p.Env), stop: stop, lines: make(chan []byte), over: make(chan struct{}), log: process.NewLog(p.Log, "agent", "")}
	one.cmd.Stderr = one.log
	out, err := one.cmd.StdoutPipe()
	if err == nil {
		one.in, err = one.cmd.StdinPipe()
	}
	if err == nil {
		err = p.Start(one.cmd)
	}
	if err != nil {
		stop()
		return nil, fmt.Errorf("start the agent: %w", err)
	}
	if err := process.Guard(one.cmd); err != nil {
		one.log.Note(err.Error() + ": it may run on where concur is killed")
	}
	go one.read(out)
	return one, nil
}

// read passes the lines of the output on, each up to maxOutput.
func (r *resident) read(out io.Reader) {
	defer close(r.lines)
	scanner := bufio.NewScanner(out)
	scanner.Buffer(nil, maxOutput)
	for scanner.Scan() {
		select {
		case r.lines <- bytes.Clone(scanner.Bytes()):
		case <-r.over:
			return
		}
	}
}

// exchange writes a request and waits for its reply. The output is the other lines that came
// before it, such as a second reply to an earlier request, and the reply.
func (r *resident) exchange(ctx context.Context, request Request) ([]byte, error) {
	written := make(chan error, 1)
	go func() {
		_, err := r.in.Write(request.line())
		written <- err
	}()
	var output []byte
	others := 0
	for {
		select {
		case <-ctx.Done():
			if others > 0 {
				return nil, fmt.Errorf("%w; it wrote %d lines that are no reply to the request (call %d)", context.Cause(ctx), others, request.Call)
			}
			return nil, context.Cause(ctx)
		case err := <-written:
			if err != nil {
				return nil, fmt.Errorf("the agent reads no requests: %w", err)
			}
			written = nil
		case reply, open := <-r.lines:
			if !open {
				return nil, fmt.Errorf("the agent ended, or wrote a line of more than %d MiB, before its reply", maxOutput>>20)
			}
			if got, ok, _ := replyOf(bytes.TrimSpace(reply)); ok && got.Call == request.Call {
				return append(output, reply...), nil
			} else if ok && got.Call == 0 {
				return nil, errors.New(`the agent's reply has no "call": repeat that of the request`)
			}
			others++
			r.log.Note("not a reply to the request: " + process.Last(reply, maxShown))
			if len(output)+len(reply) < maxOutput {
				output = append(append(output, reply...), '\n')
			}
		}
	}
}

// end ends a process, which is not idle.
func (p *Residents) end(one *resident) {
	close(one.over)
	_ = one.in.Close()
	one.stop()
	_ = p.Wait(one.cmd) // ended by force: its status says nothing
	one.log.End()
}

// Close ends the idle processes. Send ends the others, each after its request.
func (p *Residents) Close() error {
	p.mu.Lock()
	idle := p.idle
	p.closed, p.idle = true, nil
	p.mu.Unlock()
	for _, one := range idle {
		p.end(one)
	}
	return nil
}
