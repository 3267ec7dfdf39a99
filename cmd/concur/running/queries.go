package running

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/shard"
	"github.com/seed-5817661a/concur/runner/store"
)

// NewDraft returns a draft of a new run of configurations over the queries that flags select from a dataset.
func NewDraft(ctx context.Context, c *console.Console, given *flags.TracesOptions, source string,
	confs []config.Configuration) (runner.Draft, error) {
	selection, err := selected(c, given)
	if err != nil {
		return runner.Draft{}, err
	}
	selection = cmp.Or(selection, &runner.Selection{})
	if given.Shard != "" {
		if selection.Shard, err = shard.Parse(given.Shard, c.Environ); err != nil {
			return runner.Draft{}, console.Usagef("--shard %s: %w", given.Shard, err)
		}
	}
	data, of, err := selection.Open(source)
	if err != nil {
		return runner.Draft{}, err
	}
	d, err := runner.NewDraft(data, of, confs, given.Seed, time.Now())
	d.Manifest.GitCommit, d.AllowSeen = console.GitCommit(ctx), given.AllowSeen
	if err == nil && of.Shard != nil && d.SeedDrawn {
		err = console.Usagef("--shard %s: each shard would draw a seed of its own: add --seed 4711, or another number, to "+
			"every shard", given.Shard)
	}
	return d, err
}

// ablationSpec reads the spec; "prompts" compares the prompts of concur.yaml.
func ablationSpec(c *console.Console, given *flags.TracesOptions) (*ablations.Spec, error) {
	if given.Word(0) != ablations.PromptsSpec {
		return ablations.Read(cmp.Or(given.Word(0), "offline")) // the default needs no key and no network
	}
	f, err := given.FromFile(config.New())
	if err == nil && len(f.Prompts) < 2 {
		err = console.Usagef("ablate prompts compares the prompts of concur.yaml, which has %d: name two or more under "+
			"prompts",
			len(f.Prompts))
	}
	return ablations.OfPrompts(given.ConfigurationFile(), f.Prompts), err
}

// ablationSettings returns the first configuration of an ablation. Flags may change only its limits and, if
// failed traces are run again, the corpus.
func ablationSettings(given *flags.TracesOptions, m store.Manifest) (config.Configuration, error) {
	made := m.Configurations[0].Configuration
	var refused []string
	for _, key := range given.Agent() {
		if key.OnLine && (key.Flag != flags.NameCorpus || !given.RetryFailed) { // variables of the environment may stay set
			refused = append(refused, "--"+key.Flag)
		}
	}
	for _, f := range given.Flags {
		if slices.Contains([]string{flags.NameSeed, flags.NameDataset, flags.NameQuery, flags.NameCategory, flags.NameTag,
			flags.NameLimit, flags.NameFailedIn,
			flags.NameSample, flags.NameConfig}, f.Name) {
			refused = append(refused, "--"+f.Name)
		}
	}
	if refused = append(refused, given.Words...); len(refused) > 0 {
		slices.Sort(refused)
		return made, fmt.Errorf("its settings cannot change: leave %s out, or begin a new run",
			strings.Join(refused, ", "))
	}
	now := made
	given.Override(&now)
	made.Limits = now.Limits
	if !given.Has(flags.NameCorpus) {
		return made, nil
	}
	made.Search = now.Search
	return assemble.WithCorpus(made, m.Dataset.Source)
}

// selected returns the selection of queries by flags; nil if there is no such flag.
func selected(c *console.Console, given *flags.TracesOptions) (s *runner.Selection, err error) {
	if !given.FilterOptions.Used() {
		return nil, nil
	}
	s = &runner.Selection{
		Part: datasets.Part{
			Queries: given.Query, Categories: given.Category, Tags: given.Tag, Limit: flags.ValueOr(given.Limit, 0),
		},
		Sample: flags.ValueOr(given.Sample, 0), Seed: flags.ValueOr(given.Seed, 0),
	}
	if n := flags.ValueOr(given.Limit, 1); n < 1 {
		return nil, console.Usagef("--limit is %d: it must be at least 1", n)
	}
	if n := flags.ValueOr(given.Sample, 1); n < 1 {
		return nil, console.Usagef("--sample is %d: it must be at least 1", n)
	}
	if name := given.FailedIn; name != "" {
		if s.FailedIn, err = c.FindRun(given.RunsDir, name); err != nil {
			return nil, console.Usagef("--failed-in: %w", err)
		}
	}
	return s, nil
}
