package rate

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// Taker takes tokens for the requests of a process.
type Taker struct {
	link *link.Link
	run  wire.Run

	mu        sync.Mutex
	consumers map[string]jetstream.Consumer // by endpoint
}

// NewTaker returns a Taker for a run.
func NewTaker(l *link.Link, run wire.Run) *Taker {
	return &Taker{link: l, run: run, consumers: map[string]jetstream.Consumer{}}
}

// Take waits for the right to send one request with this estimated number of tokens of text to an endpoint. It returns
// an error only if ctx is done. A long request takes several tokens.
func (t *Taker) Take(ctx context.Context, endpoint string, text int) error {
	for {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		consumer := t.consumer(ctx, endpoint)
		if consumer == nil {
			if err := pause(ctx); err != nil {
				return err
			}
			continue
		}
		asked := time.Now()
		batch, err := consumer.Fetch(1, jetstream.FetchMaxWait(fetchWait))
		if err == nil {
			for m := range batch.Messages() {
				var got token
				if m.Ack() != nil || json.Unmarshal(m.Data(), &got) != nil {
					continue
				}
				// This process was stopped while the token waited in it: others have sent requests since.
				if time.Since(asked) > fetchWait+maxAge {
					continue
				}
				if text -= got.Text; got.Text == 0 || text <= 0 {
					return nil
				}
			}
			err = batch.Error()
		}
		if err != nil {
			t.forget(endpoint)
			if err := pause(ctx); err != nil {
				return err
			}
		}
	}
}

// fetchWait is the time after which a fetch is sent again, in case the hub was started again.
const fetchWait = time.Second

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(fetchWait / 10):
		return nil
	}
}

// consumer returns the consumer of an endpoint's tokens; nil if it was not found.
func (t *Taker) consumer(ctx context.Context, endpoint string) jetstream.Consumer {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.consumers[endpoint]; c != nil {
		return c
	}
	ctx, cancel := context.WithTimeout(ctx, link.Timeout)
	defer cancel()
	c, err := t.link.JS.Consumer(ctx, t.run.Rate(), wire.EndpointKey(endpoint))
	if err != nil {
		return nil
	}
	t.consumers[endpoint] = c
	return c
}

func (t *Taker) forget(endpoint string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.consumers, endpoint)
}
