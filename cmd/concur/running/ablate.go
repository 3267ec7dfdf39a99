package running

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/assemble/kinds"
	"github.com/seed-5817661a/concur/runner/config"
)

func ablateAction(ctx context.Context, c *console.Console, given *flags.TracesOptions, o *console.Output) error {
	if err := given.TableOptions.Check(&given.Arguments); err != nil {
		return err
	}
	if err := given.Hub.Complete(&given.Settings); err != nil {
		return err
	}
	if given.Resume != "" {
		if err := given.Idle("on a run that was begun before", flags.NameAllowSeen); err != nil {
			return err
		}
		return resumeAction(ctx, c, given, o)
	}
	if given.RetryFailed {
		return console.Usagef("--retry-failed goes with --resume RUN: add it, or leave the flag out")
	}
	draft, err := ablationDraft(ctx, c, given)
	if err != nil {
		return err
	}
	return Begin(ctx, c, given, draft, o)
}

// ablationDraft reads and resolves the spec: its base overrides concur.yaml, flags override both, and the keys
// of a configuration override all.
func ablationDraft(ctx context.Context, c *console.Console, given *flags.TracesOptions) (draft runner.Draft,
	err error) {
	spec, err := ablationSpec(c, given)
	if err != nil {
		return draft, err
	}
	source := given.DatasetOr(cmp.Or(given.Dataset, spec.Dataset))
	base, wrong := spec.Defaults(kinds.DefaultsFor(source))
	f, inFile := given.FromFile(base)
	if inFile == nil && !spec.HasPrompts() {
		inFile = given.ChoosePrompt(&f)
	}
	base, inSpec := spec.Base(f.Configuration)
	base, inFlags := given.FromFlags(base)
	if err := errors.Join(wrong, inFile, inSpec, inFlags); err != nil {
		return draft, err
	}
	if spec.RemovesTools() {
		if base, err = runner.WithDatasetTools(source, base); err != nil {
			return draft, err
		}
	}
	rows, err := spec.Rows(base, func(c config.Configuration) (config.Configuration, error) {
		if err := ablations.CheckRunWide(base, c); err != nil {
			return c, err
		}
		c, err := assemble.WithCorpus(c, source)
		return c.Completed(), err
	})
	if err != nil {
		return draft, fmt.Errorf("%w%s", err, blame(given.Agent()))
	}
	confs := make([]config.Configuration, len(rows))
	for i, row := range rows {
		confs[i] = row.Configuration
	}
	if draft, err = NewDraft(ctx, c, given, source, confs); err != nil {
		return draft, err
	}
	draft.Manifest.Ablation, draft.Manifest.Baseline = spec.Name, spec.Baseline()
	for i, row := range rows {
		draft.Manifest.Configurations[i].Note = row.Note
	}
	return draft, nil
}

//go:embed help/ablate.txt
var ablateHelp string

// AblateCommand returns the command `concur ablate`.
func AblateCommand(c *console.Console) *cli.Command {
	var given flags.TracesOptions
	return &cli.Command{
		Name: "ablate", ArgsUsage: "[SPEC]", Description: flags.Described(ablateHelp, "{{specs}}",
			strings.Join(ablations.Presets(), ", ")),
		Usage: "run several configurations on the same queries, and measure how much each part helps",
		Flags: slices.Concat(
			flags.ConfigurationGroup(&given.Settings),
			[]cli.Flag{
				&cli.StringFlag{
					Name: flags.NameDataset, TakesFile: true, Destination: &given.Dataset, EnvVars: []string{"CONCUR_DATASET"},
					Usage: "`DATASET` that replaces the spec's: a built-in name or a file",
				},
				flags.Seed(&given.Seed),
			},
			flags.FilterGroup(&given.FilterOptions),
			[]cli.Flag{flags.Shard(&given.Shard)},
			flags.ComparisonGroup(&given.ComparisonOptions),
			flags.TableGroup(&given.TableOptions),
			flags.RunningGroup(&given.RunningOptions, &given.Settings),
			flags.HubGroup(&given.Hub),
			flags.ResultGroup(&given.ResultOptions),
		),
		Action: flags.Takes(&given.Arguments, "one spec", flags.WithRun(c, &given.Arguments, &given.ResultOptions,
			func(ctx context.Context, o *console.Output) error {
				return ablateAction(ctx, c, &given, o)
			}, &given.Corpus, &given.Dataset, &given.File)),
	}
}
