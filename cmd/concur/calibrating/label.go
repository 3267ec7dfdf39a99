package calibrating

import (
	"cmp"
	"context"
	_ "embed"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/labels"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/cmd/concur/reading"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports/labelling"
)

func labelAction(ctx context.Context, c *console.Console, given *labelOptions) error {
	run, err := c.FindRun(given.runsDir, given.Word(0))
	if err == nil {
		run, err = reading.CompleteRun(run.Dir)
	}
	if err != nil {
		return err
	}
	records, err := reading.Chosen(given.configuration, run)
	if err != nil {
		return err
	}
	s := &labelling.Session{
		Run: run, In: c.In, Out: c.Out, Err: c.Err, Screen: console.ScreenOf(c.Err, c.Environ, console.UsualWidth),
		Author: cmp.Or(given.author, c.Author(ctx)),
	}
	switch len(given.Words) {
	case 1:
		if err := given.Idle("without a QUERY", flags.NameReason); err != nil {
			return err
		}
		order, wrong := labels.Order(records, run.Manifest.Seed, given.uniform)
		if wrong != nil {
			return console.Usagef("label run %s: %w", run.Manifest.Run, wrong)
		}
		err = s.Ask(ctx, order, given.limit)
	case 3:
		if err := given.Idle("with a QUERY", flags.NameLimit, flags.NameUniform); err != nil {
			return err
		}
		err = s.One(ctx, records, given.Word(1), judge.Ruling(given.Word(2)), given.reason)
	default:
		return console.Usagef("label takes RUN, or RUN QUERY correct|incorrect")
	}
	if err != nil || s.Given == 0 {
		return err
	}
	return reading.SummarizeAgain(run)
}

//go:embed help/label.txt
var labelHelp string

// labelOptions holds the arguments and flags of concur label.
type labelOptions struct {
	flags.Arguments

	author, reason, configuration, runsDir string
	limit                                  int
	uniform                                bool
}

// LabelCommand returns the command `concur label`.
func LabelCommand(c *console.Console) *cli.Command {
	var given labelOptions
	return &cli.Command{
		Name: "label", ArgsUsage: "RUN [QUERY correct|incorrect]", Description: flags.Described(labelHelp),
		Usage: "label answers of a run yourself as right or wrong",
		Flags: []cli.Flag{
			flags.Author(&given.author),
			&cli.StringFlag{Name: flags.NameReason, Destination: &given.reason, Usage: "`REASON` of the label, with a QUERY"},
			&cli.IntFlag{
				Name: flags.NameLimit, Destination: &given.limit, DefaultText: "until q",
				Usage: "end after this many `LABELS`",
			},
			flags.Uniform(&given.uniform),
			&cli.StringFlag{
				Name: flags.NameConfiguration, Destination: &given.configuration, DefaultText: "all",
				Usage: "label only the configuration `NAME` of an ablation",
			},
			flags.RunsDir(&given.runsDir),
		},
		Action: flags.Takes(&given.Arguments, "RUN, or RUN QUERY correct|incorrect", func(ctx context.Context) error {
			return labelAction(ctx, c, &given)
		}),
	}
}
