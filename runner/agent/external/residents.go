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
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/runner/config"
)

// Residents are processes of a command that each serve several traces. A process reads requests from standard
// input, one per line. It writes each reply as a line that has the call number of the request. A process
// handles one request at a time, and there are as many processes as there are requests at the same time. If a
// process fails, or if its request is cancelled, it is ended, and the next request starts a new process.
type Residents struct {
	Argv, Env []string // as in Command
	Dir       string   // as in Command
	Log       func(line string)
	Hider     *secret.Hider // as in Command

	mu     sync.Mutex
	idle   []*resident
	closed bool
	last   atomic.Int64 // call

	process.Set
}

// resident is one process.
type resident struct {
	cmd  *exec.Cmd
	stop context.CancelFunc
	in   io.WriteCloser
	out  *bufio.Reader
	log  *process.Log
}

// Send sends a request to an idle process, or to a new one.
func (p *Residents) Send(ctx context.Context, r Request) ([]byte, error) {
	r.Call = p.last.Add(1)
	one, err := p.take()
	if err != nil {
		return nil, err
	}
	one.log.Begin(fmt.Sprintf("%s/%d", r.ID, r.Trace))
	var output []byte
	var others int
	exchanged := make(chan error, 1)
	go func() {
		var err error
		output, others, err = one.exchange(ctx, r)
		exchanged <- err
	}()
	select {
	case err = <-exchanged:
		if err != nil {
			p.end(one)
		}
	case <-ctx.Done():
		p.end(one)
		<-exchanged // its pipes are closed
		if err = context.Cause(ctx); others > 0 {
			err = fmt.Errorf("%w; it wrote %d lines that do not reply to the request (call %d)", err, others,
				r.Call)
		}
	}
	if err != nil {
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
	one := &resident{cmd: process.New(ctx, p.Argv, p.Env), stop: stop, log: process.NewLog(p.Log, "agent", "")}
	one.log.Hider = p.Hider
	one.cmd.Dir, one.cmd.Stderr = p.Dir, one.log
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
		one.log.Note(err.Error() + ": it may continue if concur is killed")
	}
	one.out = bufio.NewReaderSize(out, 64<<10)
	return one, nil
}

// exchange writes a request and waits for its reply. output has the lines up to and including the reply. Lines
// before it are, for example, a second reply to an earlier request; others is their number.
func (r *resident) exchange(ctx context.Context, request Request) (output []byte, others int, err error) {
	unread := make(chan error, 1)
	go func() { // in parallel, because an agent with much output would block otherwise
		if _, err := r.in.Write(request.line()); err != nil {
			unread <- fmt.Errorf("the agent reads no requests: %w", err)
			r.stop()
		}
	}()
	b := boundsOf(config.ReplyLimits{}) // the agent's own limits cut the reply later
	var object []byte                   // the beginning of an object that is printed over several lines
	for {
		line, err := r.line(ctx)
		if err != nil {
			break
		}
		line = uncoloured(line)
		switch {
		case object != nil && len(object)+len(line) < maxOutput && !b.replies(line, request.Call):
			if object = append(append(object, '\n'), line...); string(line) != "}" {
				continue
			}
			line, object = object, nil
		case string(line) == "{":
			object = bytes.Clone(line)
			continue
		}
		if got, ok, _ := b.replyOf(bytes.TrimSpace(line)); ok && got.Call == request.Call {
			return append(output, line...), others, nil
		} else if ok && got.Call == 0 {
			return nil, others, errors.New(`the agent's reply has no "call": repeat that of the request`)
		}
		if got, ok, _ := b.renamedReplyOf(bytes.TrimSpace(line)); ok && got.Call == request.Call {
			return append(output, line...), others, nil
		}
		others++
		r.log.Note("not a reply to the request: " + process.LastBytes([]byte(r.log.Hider.Hide(string(line))), maxShown))
		if len(output)+len(line) < maxInMemory {
			output = append(append(output, line...), '\n')
		}
	}
	select {
	case err := <-unread:
		return nil, others, err
	default:
	}
	return nil, others, fmt.Errorf("the agent ended, or wrote a line of more than %d MiB, before its reply",
		maxOutput>>20)
}

// replies reports whether a single line is the reply to a request.
func (b bounds) replies(line []byte, call int64) bool {
	got, ok, _ := b.replyOf(line)
	return ok && got.Call == call
}

// line reads one line, of at most maxOutput bytes, and returns it without its line end. The text is valid until
// the next call.
func (r *resident) line(ctx context.Context) ([]byte, error) {
	out := &output{}
	defer out.close()
	for {
		part, err := r.out.ReadSlice('\n')
		if _, full := out.Write(bytes.TrimSuffix(part, []byte("\n"))); full != nil {
			return nil, full
		}
		if err == nil || errors.Is(err, io.EOF) && out.size > 0 {
			return out.bytes(ctx)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}

// end ends a process that is in use.
func (p *Residents) end(one *resident) {
	_ = one.in.Close()
	one.stop()
	_ = p.Wait(one.cmd) // killed, so its status has no meaning
	one.log.End()
}

// Close ends the processes that are idle. Send ends each other process after its request.
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
