package child

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Session is a conversation with one child: its questions see what earlier ones changed. It is not safe for
// concurrent use.
type Session struct {
	pool  *Pool
	child *process
	ended bool // after an error the child has been killed
}

// Open takes a child for a session. It waits while too many children run. Close the session.
func (p *Pool) Open(ctx context.Context) (*Session, error) {
	select {
	case p.places <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	c, err := p.take(ctx)
	if err != nil {
		<-p.places
		return nil, err
	}
	return &Session{pool: p, child: c}, nil
}

// Ask does what Pool.Ask does, with the session's child. After an error the child has been killed, and further
// questions fail.
func (s *Session) Ask(ctx context.Context, question, answer any, limit time.Duration) error {
	if s.ended {
		return &EndedError{Cause: "an earlier question ended it"}
	}
	raw, err := json.Marshal(question)
	if err != nil {
		return fmt.Errorf("encode the question for the child %s: %w", s.pool.name, err)
	}
	line, err := s.child.ask(ctx, append(raw, '\n'), limit+grace)
	if err != nil {
		s.ended = true
		return err
	}
	decode := json.NewDecoder(bytes.NewReader(line))
	decode.UseNumber() // large integers stay exact
	if err := decode.Decode(answer); err != nil {
		return fmt.Errorf("read the answer of the child %s: %w", s.pool.name, err)
	}
	return nil
}

// Close gives the child back, or ends it if its pool uses a child once.
func (s *Session) Close() {
	defer func() { <-s.pool.places }()
	switch {
	case s.pool.single:
		s.pool.replace(s.child)
	case !s.ended:
		s.pool.put(s.child)
	}
}

// replace ends a used child, and starts a spare one if none waits. It does not wait for them: the caller has its
// answer.
func (p *Pool) replace(used *process) {
	used.signal()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.behind.Go(used.kill)
	if p.closed || len(p.idle) > 0 || p.starting {
		return
	}
	p.starting = true
	p.behind.Go(func() {
		c, err := p.startOne(context.Background())
		p.mu.Lock()
		p.starting = false
		p.mu.Unlock()
		if err == nil { // else the next question starts one, and reports the failure
			p.put(c)
		}
	})
}
