package assemble

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
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

// WithModel opens the model of a configuration, but no agent. It calls do, and then closes the model. The
// context of do ends when the budget is spent.
func (a *Assembler) WithModel(ctx context.Context, c config.Configuration,
	do func(context.Context, model.Model) error) error {
	return a.within(ctx, runner.Plan{}, c, Options{}, func(ctx context.Context, s *Session) error {
		m, err := s.Models.Open(c.Model)
		if err != nil {
			return err
		}
		return do(ctx, m)
	})
}

// WithSampler opens a scorer and a model that continues texts, with one budget. It calls do, and then closes them. spec
// may be ""; then there is no model. The context of do ends when the budget is spent.
func (a *Assembler) WithSampler(ctx context.Context, c config.Configuration, scorer, spec string,
	do func(context.Context, model.Scorer, model.Model) error) error {
	if spec != "" {
		if config.IsOffline(spec) {
			return fmt.Errorf("%s writes no calls into texts: leave --model out, and rules propose calls", spec)
		}
		if c.Model = spec; a.AssistantPrefix(c) == endpoints.PrefixNone {
			provider, _, _ := strings.Cut(spec, ":")
			return fmt.Errorf("%.60s is not known to continue a text: set providers.%.20s.assistant_prefix, or leave --model "+
				"out", spec, provider)
		}
	}
	return a.within(ctx, runner.Plan{}, c, Options{}, func(ctx context.Context, s *Session) error {
		opened, err := s.OpenScorer(ctx, c.ModelOf(scorer), nil)
		var m model.Model
		if err == nil && spec != "" {
			m, err = s.Models.Open(spec)
		}
		if err != nil {
			return err
		}
		return do(ctx, opened, m)
	})
}
