package live

import (
	"context"
	"errors"
	"sync"

	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/reports/otel/send"
)

// sender sends batches of a queue, one after the other.
type sender struct {
	queue  *queue
	client *send.Client
	source otel.Source
	log    func(string)
	done   chan struct{} // closed after the last batch

	mu     sync.Mutex
	counts send.Counts
	failed error           // the first failure
	logged map[string]bool // texts of failures
	gone   bool            // the endpoint takes no spans
}

// newSender returns a sender that works until its queue is closed. When ctx ends, it drops what is left.
func newSender(ctx context.Context, q *queue, o Options) *sender {
	s := &sender{
		queue: q, client: send.NewClient(o.Endpoint), log: o.Log, done: make(chan struct{}),
		source: otel.Source{Service: o.Endpoint.Service, Version: o.Version, More: o.Endpoint.Resource},
		logged: map[string]bool{},
	}
	go func() {
		defer close(s.done)
		for {
			batch, ok := s.queue.next()
			if !ok {
				return
			}
			s.send(ctx, batch)
		}
	}()
	return s
}

// send sends the spans and then the log records of a batch. What could not be sent is dropped.
func (s *sender) send(ctx context.Context, batch []item) {
	var spans, logs otel.Spans
	for _, i := range batch {
		if i.span != nil {
			spans.Spans = append(spans.Spans, i.span)
		} else {
			logs.Logs = append(logs.Logs, i.log)
		}
	}
	for _, part := range []otel.Spans{spans, logs} {
		n := len(part.Spans) + len(part.Logs)
		if n == 0 {
			continue
		}
		counts, gone := s.state()
		if gone {
			s.queue.drop(n)
			continue
		}
		err := s.client.Take(ctx, s.source, part, &counts)
		s.mu.Lock()
		s.counts = counts
		s.mu.Unlock()
		if counts.NoLogs != nil {
			s.say(counts.NoLogs, "telemetry: verdicts are sent only as attributes of spans: ")
		}
		if err != nil {
			s.queue.drop(n)
			if ctx.Err() == nil {
				s.fail(err)
			}
		}
	}
}

func (s *sender) state() (counts send.Counts, gone bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts, s.gone
}

// fail remembers a failure, and logs it if it is the first with this text.
func (s *sender) fail(err error) {
	s.mu.Lock()
	if s.failed == nil {
		s.failed = err
	}
	_, refused := errors.AsType[*send.RefusedError](err)
	s.gone = s.gone || refused
	s.mu.Unlock()
	s.say(err, "telemetry: spans are dropped: ")
}

// say logs an error, each text once.
func (s *sender) say(err error, before string) {
	s.mu.Lock()
	first := !s.logged[err.Error()]
	s.logged[err.Error()] = true
	s.mu.Unlock()
	if first {
		s.log(before + err.Error())
	}
}

func (s *sender) result() (send.Counts, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts, s.failed
}
