package assemble

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/scoring"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/offline/ngram"
	"github.com/seed-5817661a/concur/runner/store"
)

// ScorerOptions describe how a scorer is opened. The zero value sends every request and records none.
type ScorerOptions struct {
	// Record gets each exchange, one at a time, in the form of a run's chat.jsonl. It may be nil.
	Record func(store.Exchange)
	// Replay has recorded exchanges that take the place of requests; nil if requests are sent. In a replay without
	// Missing the scorer needs neither network nor key.
	Replay *Replay
}

// WithScorer opens a scorer, named offline:ngram or PROVIDER:MODEL, with the limits, prices and providers of a
// configuration. It calls do, and then closes the scorer. The name "same" means the model of the configuration. The
// context of do ends when the budget is spent, or when a replay has no recorded reply.
func (a *Assembler) WithScorer(ctx context.Context, c config.Configuration, spec string, o ScorerOptions,
	do func(context.Context, model.Scorer) error) error {
	plan, options := runner.Plan{}, Options{Replay: o.Replay}
	return a.within(ctx, plan, c, options, func(ctx context.Context, s *Session) error {
		scorer, err := s.OpenScorer(ctx, c.ModelOf(spec), o.Record)
		if err != nil {
			return err
		}
		return do(ctx, scorer)
	})
}

// OpenScorer opens a scorer, named offline:ngram or PROVIDER:MODEL, with the limits and the budget of the run, or a
// replayed one. A scorer that is not replayed is first tried with a known text. Each later exchange is passed to
// record, one at a time; record may be nil.
func (m *Models) OpenScorer(ctx context.Context, text string, record func(store.Exchange)) (model.Scorer, error) {
	opened, err := m.openBy(text, func(text string) (model.Model, error) {
		inner, err := m.openScoring(text)
		if err != nil {
			return nil, err
		}
		if err := scoring.Try(ctx, scoring.Scorer(inner, text)); err != nil {
			return nil, err
		}
		return inner, nil
	})
	if err != nil {
		return nil, fmt.Errorf("scorer %q: %w", text, err)
	}
	if record != nil {
		opened = runner.Recorder(opened, text, record)
	}
	return scoring.Scorer(opened, text), nil
}

// openScoring opens a scorer with its limits, as a model.
func (m *Models) openScoring(text string) (model.Model, error) {
	s, err := parseSpec(text)
	if err != nil {
		return nil, err
	}
	if _, local := m.a.local[s.provider]; local {
		inner, err := openLocalScorer(s)
		if err != nil || m.budget == nil {
			return inner, err
		}
		return m.budget.Wrap(text, inner, m.charged(text))
	}
	return nil, errors.New("no endpoint gives log-probabilities yet: use " + ngram.FullName)
}

// openLocalScorer opens a scorer that needs neither a key nor a network.
func openLocalScorer(s spec) (model.Model, error) {
	if s.name != ngram.Name {
		return nil, fmt.Errorf("it has no log-probabilities: use %s", ngram.FullName)
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	m, err := ngram.Builtin()
	if err != nil {
		return nil, err
	}
	return scoring.Model(m, ngram.FullName), nil
}
