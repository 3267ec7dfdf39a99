package gating

import (
	"context"
	_ "embed"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/internal/text"
)

func baselinePrune(ctx context.Context, given *baselinePruneOptions, w io.Writer) error {
	var gone []string
	file := given.baseline
	b, err := ChangeBaseline(ctx, file, func(b *baseline.Baseline) (err error) {
		gone, err = b.Prune(given.keepRuns)
		return err
	})
	if err == nil {
		fmt.Fprintf(w, "removed %s from %s, which has %d now\n", text.Counted(len(gone), "run"), file, len(b.Runs))
	}
	return err
}

//go:embed help/baseline-prune.txt
var baselinePruneHelp string

// baselinePruneOptions holds the arguments and flags of concur baseline prune.
type baselinePruneOptions struct {
	flags.Arguments

	baseline string
	keepRuns int
}

func baselinePruneCommand(c *console.Console) *cli.Command {
	var given baselinePruneOptions
	return &cli.Command{
		Name: "prune", Description: flags.Described(baselinePruneHelp),
		Usage: "remove old runs from the file that no pool needs any more",
		Flags: []cli.Flag{
			flags.Baseline(&given.baseline),
			&cli.IntFlag{
				Name: "keep-runs", Destination: &given.keepRuns, Value: 20,
				Usage: "number of `RUNS` to keep of each configuration",
			},
		},
		Action: flags.Takes(&given.Arguments, "", c.Folded(func(ctx context.Context, w io.Writer) error {
			return baselinePrune(ctx, &given, w)
		})),
	}
}
