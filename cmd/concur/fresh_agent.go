package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/config"
)

// sameAgent refuses fresh traces of another agent than the run's, and names what has
// changed as far as the manifest tells.
func (g *gating) sameAgent(p *runPlan) error {
	now := p.Arms[0].AgentHash
	if now == g.configuration.Agent {
		return nil
	}
	changed := changedVersions(versionsOf(g.run.Manifest, g.configuration.Name), p.versions())
	if len(changed) == 0 {
		changed = append(changed, g.searched())
	}
	return usagef("gate run %s: its agent has changed since, so that fresh traces would be of another: %s; put that back, or run again and gate on that run", g.run.Manifest.Run, strings.Join(changed, "; "))
}

// searched is what an agent rests on beside rules, prompts, models and settings: a manifest
// has no hash of it by itself.
func (g *gating) searched() string {
	s := g.configuration.Search
	if slices.Contains(s.Cascade, config.BackendCorpus) && !datasets.IsBuiltinCorpus(s.Corpus) {
		return fmt.Sprintf("the corpus %s has another content", s.Corpus)
	}
	return fmt.Sprintf("the keys or addresses of its search (%s), or the built-in corpus", strings.Join(s.Cascade, ", "))
}

// limits are those of the run, with what flags say of them.
func (g *gating) limits(ctx *cli.Context) config.Limits {
	c := g.configuration.Configuration
	override(ctx, &c)
	return c.Limits
}
