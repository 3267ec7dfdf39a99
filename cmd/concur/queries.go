package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/shard"
	"github.com/seed-5817661a/concur/runner/store"
)

// newDraft returns a draft of a new run of configurations over the queries that flags select from a dataset.
func newDraft(ctx context.Context, c *console.Console, given *tracesOptions, source string,
	confs []config.Configuration) (runner.Draft, error) {
	selection, err := selected(c, given)
	if err != nil {
		return runner.Draft{}, err
	}
	selection = cmp.Or(selection, &runner.Selection{})
	if given.shard != "" {
		if selection.Shard, err = shard.Parse(given.shard, c.Environ); err != nil {
			return runner.Draft{}, console.Usagef("--shard %s: %w", given.shard, err)
		}
	}
	data, of, err := selection.Open(source)
	if err != nil {
		return runner.Draft{}, err
	}
	d, err := runner.NewDraft(data, of, confs, given.seed, time.Now())
	d.Manifest.GitCommit, d.AllowSeen = console.GitCommit(ctx), given.allowSeen
	if err == nil && of.Shard != nil && d.SeedDrawn {
		err = console.Usagef("--shard %s: each shard would draw a seed of its own: add --seed 4711, or another number, to "+
			"every shard", given.shard)
	}
	return d, err
}

// ablationSpec reads the spec; "prompts" compares the prompts of concur.yaml.
func ablationSpec(c *console.Console, given *tracesOptions) (*ablations.Spec, error) {
	if given.word(0) != ablations.PromptsSpec {
		return ablations.Read(cmp.Or(given.word(0), "offline")) // the default needs no key and no network
	}
	f, err := given.fromFile(config.New())
	if err == nil && len(f.Prompts) < 2 {
		err = console.Usagef("ablate prompts compares the prompts of concur.yaml, which has %d: name two or more under "+
			"prompts",
			len(f.Prompts))
	}
	return ablations.OfPrompts(given.configurationFile(), f.Prompts), err
}

// ablationSettings returns the first configuration of an ablation. Flags may change only its limits and, if
// failed traces are run again, the corpus.
func ablationSettings(given *tracesOptions, m store.Manifest) (config.Configuration, error) {
	made := m.Configurations[0].Configuration
	var refused []string
	for _, key := range given.agent() {
		if key.onLine && (key.flag != flagCorpus || !given.retryFailed) { // variables of the environment may stay set
			refused = append(refused, "--"+key.flag)
		}
	}
	for _, f := range given.flags {
		if slices.Contains([]string{flagSeed, flagDataset, flagQuery, flagCategory, flagTag, flagLimit, flagFailedIn,
			flagSample, flagConfig}, f.name) {
			refused = append(refused, "--"+f.name)
		}
	}
	if refused = append(refused, given.words...); len(refused) > 0 {
		slices.Sort(refused)
		return made, fmt.Errorf("its settings cannot change: leave %s out, or begin a new run",
			strings.Join(refused, ", "))
	}
	now := made
	given.override(&now)
	made.Limits = now.Limits
	if !given.has(flagCorpus) {
		return made, nil
	}
	made.Search = now.Search
	return assemble.WithCorpus(made, m.Dataset.Source)
}

// selected returns the selection of queries by flags; nil if there is no such flag.
func selected(c *console.Console, given *tracesOptions) (s *runner.Selection, err error) {
	if !given.filterOptions.used() {
		return nil, nil
	}
	s = &runner.Selection{
		Part: datasets.Part{
			Queries: given.query, Categories: given.category, Tags: given.tag, Limit: valueOr(given.limit, 0),
		},
		Sample: valueOr(given.sample, 0), Seed: valueOr(given.seed, 0),
	}
	if n := valueOr(given.limit, 1); n < 1 {
		return nil, console.Usagef("--limit is %d: it must be at least 1", n)
	}
	if n := valueOr(given.sample, 1); n < 1 {
		return nil, console.Usagef("--sample is %d: it must be at least 1", n)
	}
	if name := given.failedIn; name != "" {
		if s.FailedIn, err = c.FindRun(given.runsDir, name); err != nil {
			return nil, console.Usagef("--failed-in: %w", err)
		}
	}
	return s, nil
}

// flagShard is the name of the flag for a part of a run.
const flagShard = "shard"

func shardFlag(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: flagShard, Destination: at, DefaultText: "the whole run",
		Usage: "run part `I/N` of the queries, such as 2/4, or auto in a job of Slurm, GitLab or Kubernetes; " +
			"`concur merge` joins the parts",
	}
}
