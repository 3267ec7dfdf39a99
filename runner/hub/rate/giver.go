package rate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// token is the message that is the right to send one request.
type token struct {
	Text int `json:"text"` // tokens of text that it allows; 0 means any number
}

// Limits of the stream of tokens. What is not taken in maxAge is lost, so that tokens cannot be saved up.
const (
	maxAge  = time.Second
	maxKept = 8
)

// Giver gives out the tokens of a run.
type Giver struct {
	link   *link.Link
	run    wire.Run
	limits map[string]Limits // by endpoint
	// valid reports whether this process still coordinates the run. It asks the hub.
	valid func(context.Context) error
	last  uint64 // sequence of the last message in the stream
}

// NewGiver makes the stream of tokens for endpoints. valid returns an error if another process coordinates the run.
func NewGiver(ctx context.Context, l *link.Link, run wire.Run, limits map[string]Limits,
	valid func(context.Context) error) (*Giver, error) {
	g := &Giver{link: l, run: run, limits: limits, valid: valid}
	return g, g.open(ctx)
}

// open makes the stream and the consumers, and reads where the stream ends.
func (g *Giver) open(ctx context.Context) error {
	stream, err := g.link.JS.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: g.run.Rate(), Subjects: []string{g.run.RateSubject("*")}, Retention: jetstream.WorkQueuePolicy,
		Storage: jetstream.MemoryStorage, MaxAge: maxAge, MaxMsgsPerSubject: maxKept, DiscardNewPerSubject: true,
		Discard: jetstream.DiscardNew, Duplicates: maxAge,
	})
	if err != nil {
		return fmt.Errorf("make the stream of requests: %w", err)
	}
	for endpoint := range g.limits {
		key := wire.EndpointKey(endpoint)
		if _, err := stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: key, FilterSubject: g.run.RateSubject(key), AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: time.Minute, MaxDeliver: 1, MaxAckPending: -1, MaxWaiting: maxWaiting,
		}); err != nil {
			return fmt.Errorf("make the consumer of requests: %w", err)
		}
	}
	info, err := stream.Info(ctx)
	if err != nil {
		return err
	}
	g.last = info.State.LastSeq
	return nil
}

// maxWaiting is the number of requests that may wait for a token: one for each place of all workers.
const maxWaiting = 16384

// Give gives out tokens until ctx is done. It returns an error if another process coordinates the run.
func (g *Giver) Give(ctx context.Context) error {
	next := map[string]time.Time{}
	for endpoint, l := range g.limits { // the coordinator before may just have given out one
		next[endpoint] = time.Now().Add(l.Spacing())
	}
	for {
		endpoint := ""
		for name, at := range next {
			if endpoint == "" || at.Before(next[endpoint]) {
				endpoint = name
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Until(next[endpoint])):
		}
		// From now on, not from the time at which it was due: a process that slept gives out one, and not many.
		next[endpoint] = time.Now().Add(g.limits[endpoint].Spacing())
		if err := g.give(ctx, endpoint); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

// give gives out one token. If the hub does not answer or has lost the stream, the token is lost.
func (g *Giver) give(ctx context.Context, endpoint string) error {
	raw, err := json.Marshal(token{g.limits[endpoint].text()})
	if err != nil {
		return err
	}
	within, cancel := context.WithTimeout(ctx, link.Timeout)
	defer cancel()
	ack, err := g.link.JS.Publish(within, g.run.RateSubject(wire.EndpointKey(endpoint)), raw,
		jetstream.WithExpectLastSequence(g.last), jetstream.WithRetryAttempts(0))
	var api *jetstream.APIError
	switch {
	case err == nil:
		g.last = ack.Sequence
		return nil
	case errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence:
		// Another coordinator, or an answer that was lost.
		if err := g.valid(within); err != nil {
			return err
		}
		_ = g.open(within) // the next token tries again
	case link.Gone(err), errors.Is(err, jetstream.ErrNoStreamResponse):
		_ = g.open(within) // the hub has lost the stream
	}
	return nil
}
