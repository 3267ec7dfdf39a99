package reading

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/listing"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/runner/store/upkeep"
)

func runsAction(c *console.Console, given *runsOptions) error {
	runs, damaged, err := runlist.List(given.runsDir)
	if err != nil {
		return err
	}
	for _, d := range damaged {
		fmt.Fprintf(c.Err, "concur: %v\n", d)
	}
	entries := make([]listing.RunEntry, len(runs))
	for i, r := range runs {
		entries[i].Manifest = r.Manifest
		if entries[i].Bytes, err = r.Size(); err != nil {
			return fmt.Errorf("list runs: %w", err)
		}
		if entries[i].Summary, err = result.Stored(r); err != nil { // the list is useful without this figure
			fmt.Fprintf(c.Err, "concur: %v\n", err)
		}
	}
	switch {
	case given.Format == console.FormatJSON:
		return listing.WriteRunsJSON(c.Out, entries)
	case len(entries) == 0:
		_, err := fmt.Fprintf(c.Out, "no runs in %s\n", given.runsDir)
		return err
	}
	return listing.WriteRuns(c.Out, entries, console.ScreenOf(c.Out, c.Environ, console.UsualWidth))
}

func runsRemove(c *console.Console, given *runsRmOptions) error {
	runs, err := runsToRemove(given)
	if err != nil {
		return err
	}
	names := make([]string, len(runs))
	for i, r := range runs {
		names[i] = r.Dir
	}
	if len(runs) == 0 {
		fmt.Fprintln(c.Err, "there is nothing to remove")
	} else if !given.yes {
		if err := c.Ask("this removes "+strings.Join(names, ", "), "Remove?",
			"add --"+flags.NameYes+" to remove them"); err != nil {
			return err
		}
	}
	for _, r := range runs {
		err := r.Remove()
		if given.olderThan != "" && errors.Is(err, disk.ErrHeld) {
			fmt.Fprintf(c.Err, "left out %s, which another process is writing\n", r.Dir)
			continue
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(c.Err, "removed %s\n", r.Dir)
	}
	return nil
}

func runsToRemove(given *runsRmOptions) ([]*store.Run, error) {
	age, file := given.olderThan, given.baseline
	switch {
	case age == "" && len(given.Words) == 0:
		return nil, console.Usagef("runs rm takes RUNs, or --older-than; `concur runs` lists them")
	case age != "" && len(given.Words) > 0:
		return nil, console.Usagef("runs rm takes either RUNs or --older-than")
	}
	accepted, err := os.ReadFile(file)
	if err != nil && (given.named || !errors.Is(err, fs.ErrNotExist)) {
		return nil, console.Usagef("--baseline: %w", err)
	}
	r := runlist.Removal{Names: given.Words, KeptBy: file, Keep: func(run string) bool {
		return bytes.Contains(accepted, []byte(strconv.Quote(run)))
	}}
	if age != "" {
		if r.OlderThan, err = runlist.ParseAge(age); err != nil {
			return nil, console.Usagef("--older-than: %w", err)
		}
	}
	return r.Runs(given.runsDir, time.Now())
}

// runsVerify checks runs, and prints all faults.
func runsVerify(ctx context.Context, c *console.Console, given *runsVerifyOptions, w io.Writer) error {
	damaged, all := 0, given.Words
	for _, name := range all {
		run, err := runlist.Find(given.runsDir, name)
		if err != nil && !errors.Is(err, disk.ErrDamaged) {
			return err
		}
		wrong := []error{err}
		if err == nil {
			wrong = upkeep.Verify(ctx, run)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, err := range wrong {
			fmt.Fprintf(w, "%s: %v\n", name, err)
		}
		if len(wrong) > 0 {
			damaged++
			continue
		}
		fmt.Fprintf(w, "%s is whole (state: %s)\n", run.Manifest.Run, run.Manifest.State)
	}
	if damaged > 0 {
		return console.WithCode(console.ExitInvalid, fmt.Errorf("%s damaged", text.CountedOf(damaged, len(all), "run")+" "+
			""+text.Verb(damaged, "is", "are")))
	}
	return nil
}

//go:embed help/runs.txt
var runsHelp string

// runsOptions holds the arguments and flags of concur runs.
type runsOptions struct {
	flags.Arguments
	flags.ResultOptions

	runsDir string
}

// RunsCommand returns the command `concur runs`.
func RunsCommand(c *console.Console) *cli.Command {
	var given runsOptions
	return &cli.Command{
		Name: "runs", Description: flags.Described(runsHelp),
		Usage: "list, check, repair, compress or remove the runs of a folder",
		Flags: []cli.Flag{
			flags.RunsDir(&given.runsDir),
			flags.Choice(&given.Format, &cli.StringFlag{
				Name: flags.NameFormat, EnvVars: []string{"CONCUR_FORMAT"},
				Usage: "`FORMAT` of the list: table, json",
			}, "table", "json"),
		},
		Action: flags.Takes(&given.Arguments, "", func(_ context.Context) error {
			return runsAction(c, &given)
		}),
		Subcommands: []*cli.Command{
			runsRmCommand(c),
			runsVerifyCommand(c),
			runsRepairCommand(c),
			runsCompressCommand(c),
		},
	}
}

//go:embed help/runs-rm.txt
var runsRmHelp string

// runsRmOptions holds the arguments and flags of concur runs rm.
type runsRmOptions struct {
	flags.Arguments

	runsDir, olderThan, baseline string
	yes                          bool
	named                        bool // the baseline was named
}

func runsRmCommand(c *console.Console) *cli.Command {
	var given runsRmOptions
	return &cli.Command{
		Name: "rm", ArgsUsage: "[RUN…]", Description: flags.Described(runsRmHelp),
		Usage: "remove run folders",
		Flags: []cli.Flag{
			flags.RunsDir(&given.runsDir),
			&cli.StringFlag{
				Name: "older-than", Destination: &given.olderThan,
				Usage: "remove all runs that began longer ago than `AGE`, such as 12h or 30d",
			},
			&cli.StringFlag{
				Name: flags.NameBaseline, TakesFile: true, Action: flags.Noted(&given.named), Destination: &given.baseline,
				Value: "baseline.jsonl",
				Usage: "do not remove runs that this baseline `FILE` names",
			},
			&cli.BoolFlag{
				Name: flags.NameYes, Destination: &given.yes, EnvVars: []string{"CONCUR_YES"},
				Usage: "remove without asking",
			},
		},
		Action: flags.Takes(&given.Arguments, "", func(_ context.Context) error {
			return runsRemove(c, &given)
		}),
	}
}

//go:embed help/runs-verify.txt
var runsVerifyHelp string

// runsVerifyOptions holds the arguments and flags of concur runs verify.
type runsVerifyOptions struct {
	flags.Arguments

	runsDir string
}

func runsVerifyCommand(c *console.Console) *cli.Command {
	var given runsVerifyOptions
	return &cli.Command{
		Name: "verify", ArgsUsage: "RUN [RUN…]", Description: flags.Described(runsVerifyHelp),
		Usage: "check every file of runs, and change nothing",
		Flags: []cli.Flag{
			flags.RunsDir(&given.runsDir),
		},
		Action: flags.Takes(&given.Arguments, "RUNs", c.Folded(func(ctx context.Context, w io.Writer) error {
			return runsVerify(ctx, c, &given, w)
		})),
	}
}
