package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
)

// withJudges names the offline model's rule-based judges where the agent's model
// is an offline one and no judge is named: they cost nothing, and every stage is then seen
// at work. The name none is nobody.
func withJudges(c config.Configuration) config.Configuration {
	for _, spec := range []*string{&c.Judge.Correctness, &c.Judge.Quality} {
		switch {
		case *spec == config.NoModel:
			*spec = ""
		case *spec == "" && isOffline(c.Model):
			*spec = config.SameModel
		}
	}
	return c
}

func isOffline(spec string) bool { return strings.HasPrefix(spec, offlineProvider+":") }

// remembered is what was asked already, shared by all configurations of a run: the same
// question to the same model has the same answer in every row.
type remembered struct {
	verifiers map[string]*consensus.Cache // by model and settings
	judges    *judge.Cache
}

func (r *remembered) verifier(name string, v config.Verifier) *consensus.Cache {
	key := fmt.Sprintf("%s at %g to %d", name, v.Temperature, v.MaxTokens)
	if r.verifiers[key] == nil {
		r.verifiers[key] = &consensus.Cache{}
	}
	return r.verifiers[key]
}

// openAsked opens the models of verifier, picker and judges of a configuration, whose own
// model is open: "same" stands for it.
func (p *runPlan) openAsked(a *runner.Arm, r *remembered) error {
	c := a.Configuration
	open := func(key, spec string) (model.Model, string, error) {
		if spec == config.SameModel || spec == c.Model {
			return a.Model, c.Model, nil
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
			a.Verifier = &consensus.Verifier{Model: m, Name: name, Temperature: c.Verifier.Temperature, MaxTokens: c.Verifier.MaxTokens, Seed: p.Seed, Cache: r.verifier(name, c.Verifier)}
		}
		if slices.Contains(stages, config.StagePick) {
			a.Picker = &consensus.Picker{Model: m, Temperature: c.Verifier.Temperature, MaxTokens: c.Verifier.MaxTokens, Seed: p.Seed}
		}
	}
	settings := func(key, spec string) (judge.Settings, error) {
		m, name, err := open(key, spec)
		return judge.Settings{Model: m, Name: name, Threshold: c.Judge.Threshold, MaxTokens: c.Judge.MaxTokens, Seed: p.Seed, Cache: r.judges}, err
	}
	if c.Judge.Correctness != "" {
		s, err := settings("judge.correctness", c.Judge.Correctness)
		if err != nil {
			return err
		}
		a.Correctness = &judge.Correctness{Settings: s}
	}
	if c.Judge.Quality != "" {
		s, err := settings("judge.quality", c.Judge.Quality)
		if err != nil {
			return err
		}
		a.Quality = &judge.Quality{Settings: s}
	}
	return nil
}
