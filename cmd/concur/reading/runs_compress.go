package reading

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/runner/store/upkeep"
)

//go:embed help/runs-compress.txt
var runsCompressHelp string

// runsCompressOptions holds the arguments and flags of concur runs compress.
type runsCompressOptions struct {
	flags.Arguments

	runsDir string
}

// runsCompress compresses the traces and chats of runs. If a run cannot be compressed, it goes on with the next one and
// returns all errors at the end.
func runsCompress(ctx context.Context, given *runsCompressOptions, w io.Writer) error {
	var failed []error
	for _, name := range given.Words {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(failed, err)...)
		}
		run, err := runlist.Find(given.runsDir, name)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		saved, err := upkeep.Compress(store.Options{}, run)
		if err != nil {
			failed = append(failed, console.ExplainDisk(err))
			continue
		}
		fmt.Fprintf(w, "%s: %.1f MB less\n", run.Manifest.Run, float64(saved)/1e6)
	}
	return errors.Join(failed...)
}

func runsCompressCommand(c *console.Console) *cli.Command {
	var given runsCompressOptions
	return &cli.Command{
		Name: "compress", ArgsUsage: "RUN [RUN…]", Description: flags.Described(runsCompressHelp),
		Usage: "compress the traces and chats of finished runs",
		Flags: []cli.Flag{
			flags.RunsDir(&given.runsDir),
		},
		Action: flags.Takes(&given.Arguments, "RUNs", c.Folded(func(ctx context.Context, w io.Writer) error {
			return runsCompress(ctx, &given, w)
		})),
	}
}
