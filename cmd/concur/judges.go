package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
)

// withOfflineJudges names the offline model's rule-based judges where the agent's model
// is an offline one and no judge is named: they cost nothing, and every stage is then seen
// at work.
func withOfflineJudges(c config.Configuration) config.Configuration {
	if !isOffline(c.Model) {
		return c
	}
	if c.Judge.Correctness == "" {
		c.Judge.Correctness = config.SameModel
	}
	if c.Judge.Quality == "" {
		c.Judge.Quality = config.SameModel
	}
	return c
}

func isOffline(spec string) bool { return strings.HasPrefix(spec, offlineProvider+":") }

// openAsked opens the models of verifier, picker and judges. own is the agent's model,
// which "same" stands for.
func (p *runPlan) openAsked(own model.Model) error {
	c := p.Configuration
	open := func(key, spec string) (model.Model, string, error) {
		if spec == config.SameModel || spec == c.Model {
			return own, c.Model, nil
		}
		m, err := p.models.open(spec)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", key, err)
		}
		return m, spec, nil
	}
	stages := c.Consensus.Stages
	if slices.Contains(stages, config.StageVerifier) || slices.Contains(stages, config.StagePick) {
		m, name, err := open("verifier.model", c.Verifier.Model)
		if err != nil {
			return err
		}
		if slices.Contains(stages, config.StageVerifier) {
			p.Verifier = &consensus.Verifier{Model: m, Name: name, Temperature: c.Verifier.Temperature, Seed: p.Seed, Cache: &consensus.Cache{}}
		}
		if slices.Contains(stages, config.StagePick) {
			p.Picker = &consensus.Picker{Model: m, Temperature: c.Verifier.Temperature, Seed: p.Seed}
		}
	}
	cache := &judge.Cache{}
	settings := func(key, spec string) (judge.Settings, error) {
		m, name, err := open(key, spec)
		return judge.Settings{Model: m, Name: name, Threshold: c.Judge.Threshold, Seed: p.Seed, Cache: cache}, err
	}
	if c.Judge.Correctness != "" {
		s, err := settings("judge.correctness", c.Judge.Correctness)
		if err != nil {
			return err
		}
		p.Correctness = &judge.Correctness{Settings: s}
	}
	if c.Judge.Quality != "" {
		s, err := settings("judge.quality", c.Judge.Quality)
		if err != nil {
			return err
		}
		p.Quality = &judge.Quality{Settings: s}
	}
	return nil
}
