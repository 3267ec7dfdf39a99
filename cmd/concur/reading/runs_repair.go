package reading

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/runner/store/upkeep"
)

// runsRepair keeps the undamaged part of a run, and prints what was left out.
func runsRepair(ctx context.Context, given *runsRepairOptions, w io.Writer) error {
	run, err := runlist.Find(given.runsDir, given.Word(0))
	if err != nil {
		return err
	}
	before := run.Manifest.State
	files, err := upkeep.Repair(ctx, run)
	for _, f := range files {
		fmt.Fprintf(w, "%s: kept %s", f.File, text.Counted(f.Kept, "line"))
		for _, n := range []struct {
			lines int
			what  string
		}{{f.Moved, "put back to its place"}, {f.Dropped, "left out"}, {f.Missing, "missing"}} {
			if n.lines > 0 {
				fmt.Fprintf(w, ", %d %s", n.lines, n.what)
			}
		}
		if len(f.Backups) > 0 {
			fmt.Fprintf(w, "; as it was: %s", strings.Join(f.Backups, ", "))
		}
		fmt.Fprintln(w)
	}
	if err != nil {
		return err
	}
	if left := upkeep.Verify(ctx, run); len(left) > 0 {
		return fmt.Errorf("repair run %s: %w", run.Dir, errors.Join(left...))
	}
	switch {
	case len(files) == 0:
		fmt.Fprintf(w, "%s is whole: nothing was changed\n", run.Manifest.Run)
	case run.Manifest.State == store.Complete:
		fmt.Fprintf(w, "%s is whole again\n", run.Manifest.Run)
	case before == store.Complete:
		fmt.Fprintf(w, "%s is interrupted now; run what is missing again: %s\n", run.Manifest.Run,
			store.ResumeCommand(run.Dir, run.Manifest))
	default:
		fmt.Fprintf(w, "go on with %s\n", store.ResumeCommand(run.Dir, run.Manifest))
	}
	return nil
}

//go:embed help/runs-repair.txt
var runsRepairHelp string

// runsRepairOptions holds the arguments and flags of concur runs repair.
type runsRepairOptions struct {
	flags.Arguments

	runsDir string
}

func runsRepairCommand(c *console.Console) *cli.Command {
	var given runsRepairOptions
	return &cli.Command{
		Name: "repair", ArgsUsage: "RUN", Description: flags.Described(runsRepairHelp),
		Usage: "repair a damaged run: keep its undamaged lines",
		Flags: []cli.Flag{
			flags.RunsDir(&given.runsDir),
		},
		Action: flags.Takes(&given.Arguments, "one RUN", c.Folded(func(ctx context.Context, w io.Writer) error {
			return runsRepair(ctx, &given, w)
		})),
	}
}
