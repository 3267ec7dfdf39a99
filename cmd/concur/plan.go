package main

import (
	"context"
	"os/exec"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// newDraft is a new run of configurations over what the flags take of a dataset.
func newDraft(ctx *cli.Context, source string, confs []config.Configuration) (runner.Draft, error) {
	selection := &runner.Selection{}
	given, err := selected(ctx)
	if err != nil {
		return runner.Draft{}, err
	}
	if given != nil {
		selection = given
	}
	data, of, err := selection.Open(source)
	if err != nil {
		return runner.Draft{}, err
	}
	d, err := runner.NewDraft(data, of, confs, givenSeed(ctx), time.Now())
	d.Manifest.GitCommit = gitCommit(ctx.Context)
	return d, err
}

// selected is what the flags say of the queries; nil where they say nothing.
func selected(ctx *cli.Context) (*runner.Selection, error) {
	s := runner.Selection{
		Filter: store.Filter{Queries: list(ctx, "query"), Categories: list(ctx, "category"), Tags: list(ctx, "tag"), Limit: ctx.Int("limit")},
		Sample: ctx.Int(flagSample), Seed: ctx.Int64("seed"),
	}
	if ctx.IsSet("limit") && s.Limit < 1 {
		return nil, usagef("--limit is %d: it must be at least 1", s.Limit)
	}
	if ctx.IsSet(flagSample) && s.Sample < 1 {
		return nil, usagef("--%s is %d: it must be at least 1", flagSample, s.Sample)
	}
	if name := ctx.String(flagFailedIn); name != "" {
		var err error
		if s.FailedIn, err = store.Find(ctx.String(flagRunsDir), name); err != nil {
			return nil, usagef("--%s: %w", flagFailedIn, err)
		}
	}
	for _, name := range []string{"query", "category", "tag", "limit", flagFailedIn, flagSample} {
		if ctx.IsSet(name) {
			return &s, nil
		}
	}
	return nil, nil
}

func givenSeed(ctx *cli.Context) *int64 {
	if !ctx.IsSet("seed") {
		return nil
	}
	seed := ctx.Int64("seed")
	return &seed
}

// gitCommit is the commit of the working directory, nil where there is none.
func gitCommit(ctx context.Context) *string {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	raw, err := exec.CommandContext(ctx, "git", "rev-parse", "HEAD").Output()
	if err != nil {
		return nil
	}
	sha := strings.TrimSpace(string(raw))
	return &sha
}
