package main

import (
	"cmp"
	"context"
	_ "embed"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/labels"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports/labelling"
	"github.com/seed-5817661a/concur/runner/store"
)

func labelAction(ctx context.Context, c *console.Console, given *labelOptions) error {
	run, err := c.FindRun(given.runsDir, given.word(0))
	if err == nil {
		run, err = completeRun(run.Dir)
	}
	if err != nil {
		return err
	}
	records, err := chosen(given.configuration, run)
	if err != nil {
		return err
	}
	s := &labelling.Session{
		Run: run, In: c.In, Out: c.Out, Err: c.Err, Screen: console.ScreenOf(c.Err, c.Environ, console.UsualWidth),
		Author: cmp.Or(given.author, c.Author(ctx)),
	}
	switch len(given.words) {
	case 1:
		if err := given.idle("without a QUERY", flagReason); err != nil {
			return err
		}
		order, wrong := labels.Order(records, run.Manifest.Seed, given.uniform)
		if wrong != nil {
			return console.Usagef("label run %s: %w", run.Manifest.Run, wrong)
		}
		err = s.Ask(ctx, order, given.limit)
	case 3:
		if err := given.idle("with a QUERY", flagLimit, flagUniform); err != nil {
			return err
		}
		err = s.One(ctx, records, given.word(1), judge.Ruling(given.word(2)), given.reason)
	default:
		return console.Usagef("label takes RUN, or RUN QUERY correct|incorrect")
	}
	if err != nil || s.Given == 0 {
		return err
	}
	return summarizeAgain(run)
}

// summarizeAgain writes the figures of a run after labels were given.
func summarizeAgain(run *store.Run) error {
	r, err := ablations.Summarize(run.Manifest, run.Records(), "", ablations.Options{Margin: ablations.DefaultMargin})
	if err != nil {
		return err
	}
	return derive(run, r)
}

func authorFlag(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: flagAuthor, Destination: at, EnvVars: []string{"CONCUR_AUTHOR"}, DefaultText: "whom git names",
		Usage: "`NAME` of the person who labels",
	}
}

func uniformFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: flagUniform, Destination: at,
		Usage: "draw every answer with the same probability",
	}
}

//go:embed help/label.txt
var labelHelp string

// labelOptions holds the arguments and flags of concur label.
type labelOptions struct {
	arguments

	author, reason, configuration, runsDir string
	limit                                  int
	uniform                                bool
}

func labelCommand(c *console.Console) *cli.Command {
	var given labelOptions
	return &cli.Command{
		Name: "label", ArgsUsage: "RUN [QUERY correct|incorrect]", Description: described(labelHelp),
		Usage: "label answers of a run yourself as right or wrong",
		Flags: []cli.Flag{
			authorFlag(&given.author),
			&cli.StringFlag{Name: flagReason, Destination: &given.reason, Usage: "`REASON` of the label, with a QUERY"},
			&cli.IntFlag{
				Name: flagLimit, Destination: &given.limit, DefaultText: "until q",
				Usage: "end after this many `LABELS`",
			},
			uniformFlag(&given.uniform),
			&cli.StringFlag{
				Name: flagConfiguration, Destination: &given.configuration, DefaultText: "all",
				Usage: "label only the configuration `NAME` of an ablation",
			},
			runsDirFlag(&given.runsDir),
		},
		Action: takes(&given.arguments, "RUN, or RUN QUERY correct|incorrect", func(ctx context.Context) error {
			return labelAction(ctx, c, &given)
		}),
	}
}
