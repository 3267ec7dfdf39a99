package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/runner/store"
)

//go:embed help/runs-compress.txt
var runsCompressHelp string

// runsCompressOptions are the arguments and flags of concur runs compress.
type runsCompressOptions struct {
	arguments

	runsDir string
}

// runsCompress compresses the traces and chats of runs.
func runsCompress(ctx context.Context, given *runsCompressOptions, w io.Writer) error {
	for _, name := range given.words {
		if err := ctx.Err(); err != nil {
			return err
		}
		run, err := store.Find(given.runsDir, name)
		if err != nil {
			return err
		}
		saved, err := run.Compress()
		if err != nil {
			return explainDisk(err)
		}
		fmt.Fprintf(w, "%s: %.1f MB less\n", run.Manifest.Run, float64(saved)/1e6)
	}
	return nil
}

func runsCompressCommand(c *console) *cli.Command {
	var given runsCompressOptions
	return &cli.Command{
		Name: "compress", ArgsUsage: "RUN [RUN…]", Description: described(runsCompressHelp),
		Usage: "compress the traces and chats of finished runs",
		Flags: []cli.Flag{
			runsDirFlag(&given.runsDir),
		},
		Action: takes(&given.arguments, "RUNs", c.folded(func(ctx context.Context, w io.Writer) error {
			return runsCompress(ctx, &given, w)
		})),
	}
}
