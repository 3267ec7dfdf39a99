package usefulness

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/gain"
	"github.com/seed-5817661a/concur/trace"
)

// Scorer is a model that gives log-probabilities, with its names.
type Scorer struct {
	model.Scorer
	Name string // as it was named on the command line, such as offline:ngram
	// Version is part of the key of the scores. It must change if the same name gives other scores.
	Version string
}

// meter scores calls, each text only once.
type meter struct {
	scorer Scorer
	cache  *cache

	mu       sync.Mutex
	pending  map[string]chan struct{} // digests that are being scored
	requests int                      // so far
}

// measure returns the entry of a call. The error is one after which no further call can be scored.
func (m *meter) measure(ctx context.Context, id trace.ID, c Call, g Gold) (Entry, error) {
	e := Entry{Scorer: m.scorer.Name, ID: id, Path: c.Path, Call: c.Number, CallID: c.ID, Tool: c.Tool, Undefined: c.Why}
	if e.Undefined == "" {
		e.Undefined = g.Why
	}
	if e.Undefined != "" {
		return e, nil
	}
	e.Digest = digestOf(m.scorer.Version, c, g)
	known, err := m.once(ctx, e.Digest, func() (Entry, error) { return m.score(ctx, e, c, g) })
	if err != nil {
		return e, err
	}
	e = e.from(known)
	return e, m.cache.add(e)
}

// once returns the scores for a digest: those of the cache, or the result of score. If another call has the same
// digest and is being scored, it waits for that.
func (m *meter) once(ctx context.Context, digest string, score func() (Entry, error)) (Entry, error) {
	for {
		if e, found := m.cache.find(digest); found {
			return e, nil
		}
		m.mu.Lock()
		wait, busy := m.pending[digest]
		if !busy {
			m.pending[digest] = make(chan struct{})
		}
		m.mu.Unlock()
		if !busy {
			break
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return Entry{}, context.Cause(ctx)
		}
	}
	e, err := score()
	if err == nil {
		err = m.cache.add(e)
	}
	m.mu.Lock()
	close(m.pending[digest])
	delete(m.pending, digest)
	m.mu.Unlock()
	return e, err
}

// score asks for the log-probabilities of every answer behind the three prefixes.
func (m *meter) score(ctx context.Context, e Entry, c Call, g Gold) (Entry, error) {
	prefixes := c.prefixes()
	scores := make([][3]model.Scores, len(g.Answers))
	group, within := errgroup.WithContext(ctx)
	for i, answer := range g.Answers {
		for j, prefix := range prefixes {
			group.Go(func() (err error) {
				scores[i][j], err = m.scorer.Score(within, model.ScoreRequest{Prefix: prefix, Text: " " + answer,
					Identity: model.Identity{Agent: e.Agent, Query: e.Query, Trace: e.Trace, Step: c.Number,
						Purpose: model.Scoring, Path: c.Path, Task: fmt.Sprintf("%s of answer %d", readings[j], i+1)}})
				return err
			})
		}
	}
	err := group.Wait()
	m.mu.Lock()
	m.requests += len(g.Answers) * len(prefixes)
	m.mu.Unlock()
	if err != nil {
		reason, fits := reasonOf(err)
		e.Undefined = reason
		if fits {
			err = nil
		}
		return e, err
	}
	var all []gain.Losses
	for _, s := range scores {
		l, err := gain.Of(s[0].Tokens, s[1].Tokens, s[2].Tokens)
		switch {
		case errors.Is(err, gain.ErrNoToken):
			e.Undefined = NoToken
			return e, nil
		case err != nil: // the scorer does not do what its interface says
			e.Undefined = Refused
			return e, nil
		}
		all = append(all, l)
	}
	best, _ := gain.Best(all...)
	with, without := scores[0][0].Usage.InputTokens, scores[0][1].Usage.InputTokens
	if with > without && without > 0 {
		more := with - without
		e.Tokens = &more
	}
	return e.with(best), nil
}

// readings names the three prefixes, in their order.
var readings = [3]string{"result", "no call", "empty result"}

// reasonOf returns the reason for which a failed request leaves out its call. ok is false if the error affects further
// calls too.
func reasonOf(err error) (_ Reason, ok bool) {
	switch model.KindOf(err) {
	case model.ErrContextOverflow:
		return Overflow, true
	case model.ErrBadRequest, model.ErrContentFilter, model.ErrMalformed:
		return Refused, true
	}
	return "", false
}
