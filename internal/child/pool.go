package child

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// The limits of a pool.
const (
	mostAtOnce = 32                     // children that run at the same time
	mostKept   = 8                      // children that wait for a question
	startTime  = 20 * time.Second       // from the start of a child to its greeting, on a busy machine
	grace      = 200 * time.Millisecond // between the end of a question's time and the kill
	maxStderr  = 2 << 10                // bytes of the beginning and of the end of standard error that an error shows
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
	single bool // a child serves one Session
	places chan struct{}

	mu       sync.Mutex
	idle     []*process
	closed   bool
	starting bool           // a spare child starts
	behind   sync.WaitGroup // spare children that start, and used ones that end
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

// NewSinglePool returns a pool like NewPool, whose children are never used again: each Ask and each Session gets a
// fresh child. After the first one, and after Check, a spare child is kept ready.
func NewSinglePool(name string, setup any) (*Pool, error) {
	p, err := NewPool(name, setup)
	if err == nil {
		p.single = true
	}
	return p, err
}

// Ask sends a question to a child and decodes its answer; numbers of unknown type become json.Number. The child is
// killed if it does not answer within limit and a fifth of a second more, or when ctx ends. The time in
// which Ask waits for a child does not count. The error is ErrTime, an *EndedError, a *StartError, or the error of ctx.
func (p *Pool) Ask(ctx context.Context, question, answer any, limit time.Duration) error {
	s, err := p.Open(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Ask(ctx, question, answer, limit)
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
	p.closed = true
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, c := range idle {
		c.kill()
	}
	p.behind.Wait()
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
	return p.startOne(ctx)
}

// startOne starts a child and gives it the setup.
func (p *Pool) startOne(ctx context.Context) (*process, error) {
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
