package main

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
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/listing"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) runsAction(given *runsOptions) error {
	runs, damaged, err := store.List(given.runsDir)
	if err != nil {
		return err
	}
	for _, d := range damaged {
		fmt.Fprintf(c.err, "concur: %v\n", d)
	}
	entries := make([]listing.RunEntry, len(runs))
	for i, r := range runs {
		entries[i].Manifest = r.Manifest
		if entries[i].Bytes, err = r.Size(); err != nil {
			return fmt.Errorf("list runs: %w", err)
		}
		if entries[i].Summary, err = result.Stored(r); err != nil { // the list is useful without this figure
			fmt.Fprintf(c.err, "concur: %v\n", err)
		}
	}
	switch {
	case given.format == formatJSON:
		return listing.WriteRunsJSON(c.out, entries)
	case len(entries) == 0:
		_, err := fmt.Fprintf(c.out, "no runs in %s\n", given.runsDir)
		return err
	}
	return listing.WriteRuns(c.out, entries, screenOf(c.out, c.environ, usualWidth))
}

func (c *console) runsRemove(given *runsRmOptions) error {
	runs, err := runsToRemove(given)
	if err != nil {
		return err
	}
	names := make([]string, len(runs))
	for i, r := range runs {
		names[i] = r.Dir
	}
	if len(runs) == 0 {
		fmt.Fprintln(c.err, "there is nothing to remove")
	} else if !given.yes {
		if err := c.ask("this removes "+strings.Join(names, ", "), "Remove?",
			"add --"+flagYes+" to remove them"); err != nil {
			return err
		}
	}
	for _, r := range runs {
		err := r.Remove()
		if given.olderThan != "" && errors.Is(err, store.ErrHeld) {
			fmt.Fprintf(c.err, "left out %s, which another process is writing\n", r.Dir)
			continue
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(c.err, "removed %s\n", r.Dir)
	}
	return nil
}

func runsToRemove(given *runsRmOptions) ([]*store.Run, error) {
	age, file := given.olderThan, given.baseline
	switch {
	case age == "" && len(given.words) == 0:
		return nil, usagef("runs rm takes RUNs, or --older-than; `concur runs` lists them")
	case age != "" && len(given.words) > 0:
		return nil, usagef("runs rm takes either RUNs or --older-than")
	}
	accepted, err := os.ReadFile(file)
	if err != nil && (given.named || !errors.Is(err, fs.ErrNotExist)) {
		return nil, usagef("--baseline: %w", err)
	}
	r := store.Removal{Names: given.words, KeptBy: file, Keep: func(run string) bool {
		return bytes.Contains(accepted, []byte(strconv.Quote(run)))
	}}
	if age != "" {
		if r.OlderThan, err = store.ParseAge(age); err != nil {
			return nil, usagef("--older-than: %w", err)
		}
	}
	return r.Runs(given.runsDir, time.Now())
}

// runsVerify checks runs, and prints all faults.
func (c *console) runsVerify(ctx context.Context, given *runsVerifyOptions, w io.Writer) error {
	damaged, all := 0, given.words
	for _, name := range all {
		run, err := store.Find(given.runsDir, name)
		if err != nil && !errors.Is(err, store.ErrDamaged) {
			return err
		}
		wrong := []error{err}
		if err == nil {
			wrong = run.Verify(ctx)
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
		return &exitError{exitInvalid, fmt.Errorf("%s damaged", text.CountedOf(damaged, len(all), "run")+" "+
			""+text.Verb(damaged, "is", "are"))}
	}
	return nil
}

// runsRepair keeps the undamaged part of a run, and prints what was left out.
func runsRepair(ctx context.Context, given *runsRepairOptions, w io.Writer) error {
	run, err := store.Find(given.runsDir, given.word(0))
	if err != nil {
		return err
	}
	before := run.Manifest.State
	files, err := run.Repair(ctx)
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
	if left := run.Verify(ctx); len(left) > 0 {
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

//go:embed help/runs.txt
var runsHelp string

// runsOptions holds the arguments and flags of concur runs.
type runsOptions struct {
	arguments
	resultOptions

	runsDir string
}

func runsCommand(c *console) *cli.Command {
	var given runsOptions
	return &cli.Command{
		Name: "runs", Description: described(runsHelp),
		Usage: "list, check, repair, compress or remove the runs of a folder",
		Flags: []cli.Flag{
			runsDirFlag(&given.runsDir),
			choice(&given.format, &cli.StringFlag{
				Name: flagFormat, EnvVars: []string{"CONCUR_FORMAT"},
				Usage: "`FORMAT` of the list: table, json",
			}, "table", "json"),
		},
		Action: takes(&given.arguments, "", func(_ context.Context) error {
			return c.runsAction(&given)
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
	arguments

	runsDir, olderThan, baseline string
	yes                          bool
	named                        bool // the baseline was named
}

func runsRmCommand(c *console) *cli.Command {
	var given runsRmOptions
	return &cli.Command{
		Name: "rm", ArgsUsage: "[RUN…]", Description: described(runsRmHelp),
		Usage: "remove run folders",
		Flags: []cli.Flag{
			runsDirFlag(&given.runsDir),
			&cli.StringFlag{
				Name: "older-than", Destination: &given.olderThan,
				Usage: "remove all runs that began longer ago than `AGE`, such as 12h or 30d",
			},
			&cli.StringFlag{
				Name: flagBaseline, TakesFile: true, Action: noted(&given.named), Destination: &given.baseline,
				Value: "baseline.jsonl",
				Usage: "do not remove runs that this baseline `FILE` names",
			},
			&cli.BoolFlag{
				Name: flagYes, Destination: &given.yes, EnvVars: []string{"CONCUR_YES"},
				Usage: "remove without asking",
			},
		},
		Action: takes(&given.arguments, "", func(_ context.Context) error {
			return c.runsRemove(&given)
		}),
	}
}

//go:embed help/runs-verify.txt
var runsVerifyHelp string

// runsVerifyOptions holds the arguments and flags of concur runs verify.
type runsVerifyOptions struct {
	arguments

	runsDir string
}

func runsVerifyCommand(c *console) *cli.Command {
	var given runsVerifyOptions
	return &cli.Command{
		Name: "verify", ArgsUsage: "RUN [RUN…]", Description: described(runsVerifyHelp),
		Usage: "check every file of runs, and change nothing",
		Flags: []cli.Flag{
			runsDirFlag(&given.runsDir),
		},
		Action: takes(&given.arguments, "RUNs", c.folded(func(ctx context.Context, w io.Writer) error {
			return c.runsVerify(ctx, &given, w)
		})),
	}
}

//go:embed help/runs-repair.txt
var runsRepairHelp string

// runsRepairOptions holds the arguments and flags of concur runs repair.
type runsRepairOptions struct {
	arguments

	runsDir string
}

func runsRepairCommand(c *console) *cli.Command {
	var given runsRepairOptions
	return &cli.Command{
		Name: "repair", ArgsUsage: "RUN", Description: described(runsRepairHelp),
		Usage: "repair a damaged run: keep its undamaged lines",
		Flags: []cli.Flag{
			runsDirFlag(&given.runsDir),
		},
		Action: takes(&given.arguments, "one RUN", c.folded(func(ctx context.Context, w io.Writer) error {
			return runsRepair(ctx, &given, w)
		})),
	}
}
