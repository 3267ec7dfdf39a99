package program

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/process"
)

// mostOthers is the maximum number of lines that a program may write before its reply.
const mostOthers = 1000

// pool has the processes of one command that are idle. A process works on one check at a time.
type pool struct {
	mu     sync.Mutex
	idle   []*server
	last   int64 // number of the last check
	closed bool
}

// server is a process that answers checks, one line each.
type server struct {
	set  *process.Set
	cmd  *exec.Cmd
	stop context.CancelFunc
	in   io.WriteCloser
	out  *bufio.Reader
	log  *process.Log
}

// serve asks an idle process of a command, or a new one. A process that fails is ended.
func (p *Programs) serve(ctx context.Context, command []string, q Question) (r reply, err error) {
	pool := p.pool(command)
	s, call, err := pool.take(p, command)
	if err != nil {
		return r, err
	}
	q.Call = call
	line, err := json.Marshal(q)
	if err != nil {
		pool.put(s)
		return r, err
	}
	s.log.Begin(q.ID)
	done := make(chan error, 1)
	go func() {
		var err error
		r, err = s.exchange(append(line, '\n'), call)
		done <- err
	}()
	select {
	case err = <-done:
	case <-ctx.Done():
		s.end()
		<-done // its pipes are closed
		return reply{}, fmt.Errorf("%w%s", context.Cause(ctx), s.log.Tail())
	}
	if err != nil {
		s.end()
		return reply{}, fmt.Errorf("%w%s", err, s.log.Tail())
	}
	pool.put(s)
	return r, nil
}

func (p *Programs) pool(command []string) *pool {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := strings.Join(command, "\x00")
	if p.pools == nil {
		p.pools = map[string]*pool{}
	}
	if p.pools[key] == nil {
		p.pools[key] = &pool{}
	}
	return p.pools[key]
}

// take returns a process, and the number of its next check.
func (l *pool) take(p *Programs, command []string) (*server, int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	if n := len(l.idle); n > 0 {
		s := l.idle[n-1]
		l.idle = l.idle[:n-1]
		return s, l.last, nil
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &server{set: &p.Set, cmd: process.New(ctx, command, p.Env), stop: stop, log: process.NewLog(p.Log, "check", "")}
	s.log.Hider, s.cmd.Stderr = p.Hider, s.log
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		s.in, err = s.cmd.StdinPipe()
	}
	if err == nil {
		err = p.Start(s.cmd)
	}
	if err != nil {
		stop()
		return nil, 0, fmt.Errorf("cannot be started: %w", err)
	}
	if err := process.Guard(s.cmd); err != nil {
		s.log.Note(err.Error() + ": it may continue if concur is killed")
	}
	s.out = bufio.NewReaderSize(out, 64<<10)
	return s, l.last, nil
}

// put gives a process back.
func (l *pool) put(s *server) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		s.end()
		return
	}
	l.idle = append(l.idle, s)
}

func (l *pool) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.idle {
		s.end()
	}
	l.idle, l.closed = nil, true
}

// end ends a process.
func (s *server) end() {
	_ = s.in.Close()
	s.stop()
	_ = s.set.Wait(s.cmd) // killed, so its status has no meaning
	s.log.End()
}

// exchange writes a check and reads lines up to the reply with its number.
func (s *server) exchange(line []byte, call int64) (reply, error) {
	unread := make(chan error, 1)
	go func() { // in parallel, because a program with much output would block otherwise
		_, err := s.in.Write(line)
		unread <- err
	}()
	for range mostOthers {
		line, err := s.line()
		if errors.Is(err, errFlood) {
			return reply{}, err
		}
		if err != nil {
			return reply{}, errors.New("ended before its reply")
		}
		r, wrong := parse(line)
		switch {
		case wrong == nil && r.Call != nil && *r.Call == call:
			<-unread
			return r, nil
		case wrong == nil && r.Call == nil:
			return reply{}, errors.New(`printed a reply without "call": repeat that of the check`)
		case bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) && wrong != nil:
			return reply{}, wrong
		}
	}
	return reply{}, fmt.Errorf("wrote %d lines before its reply", mostOthers)
}

// line reads a line of up to maxOutput bytes.
func (s *server) line() (line []byte, err error) {
	for {
		part, err := s.out.ReadSlice('\n')
		if line = append(line, part...); len(line) > maxOutput {
			return nil, errFlood
		}
		if err == nil || errors.Is(err, io.EOF) && len(line) > 0 {
			return line, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}
