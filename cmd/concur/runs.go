package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
)

const flagOlderThan = "older-than"

func (c *console) runsCommand() *cli.Command {
	return &cli.Command{
		Name:  "runs",
		Usage: "list the runs of a folder, or remove some",
		Description: `The newest run comes first. Runs and ablations answer to the name latest, sessions of
ask to latest-ask, replays to latest-replay, imports to latest-import, runs that were judged
again to latest-rejudge.

Examples:
  concur runs
  concur runs --format json
  concur runs rm 20261122T120955-gold29-7bab9412
  concur runs rm --older-than 30d`,
		Flags: []cli.Flag{
			runsDirFlag(),
			&cli.StringFlag{Name: flagFormat, Value: "table", Usage: "`FORMAT` of the list: table, json", EnvVars: []string{"CONCUR_FORMAT"}},
		},
		Action: c.runsAction,
		Subcommands: []*cli.Command{{
			Name:      "rm",
			Usage:     "remove run folders",
			ArgsUsage: "[RUN...]",
			Description: `A run that another process writes, and one that the baseline file names, is
never removed.

Examples:
  concur runs rm latest-ask
  concur runs rm --older-than 30d --yes`,
			Flags: []cli.Flag{
				runsDirFlag(),
				&cli.StringFlag{Name: flagOlderThan, Usage: "remove all runs that began longer ago than `AGE`, such as 12h or 30d"},
				&cli.StringFlag{Name: flagBaseline, Value: defaultBaseline, Usage: "keep the runs that this baseline `FILE` names"},
				&cli.BoolFlag{Name: flagYes, Usage: "remove without asking", EnvVars: []string{"CONCUR_YES"}},
			},
			Action: c.runsRemove,
		}},
	}
}

func (c *console) runsAction(ctx *cli.Context) error {
	if ctx.Args().Present() {
		return usagef("there is no command %q; `concur runs --help` lists them", "runs "+ctx.Args().First())
	}
	runs, damaged, err := store.List(ctx.String(flagRunsDir))
	if err != nil {
		return err
	}
	for _, d := range damaged {
		fmt.Fprintf(c.err, "concur: %v\n", d)
	}
	entries := make([]reports.RunEntry, len(runs))
	for i, r := range runs {
		entries[i].Manifest = r.Manifest
		if entries[i].Bytes, err = r.Size(); err != nil {
			return fmt.Errorf("list runs: %w", err)
		}
		if entries[i].Summary, err = result.Stored(r); err != nil { // the list is worth having without this figure
			fmt.Fprintf(c.err, "concur: %v\n", err)
		}
	}
	switch format := ctx.String(flagFormat); {
	case format == formatJSON:
		return reports.RunsJSON(c.out, entries)
	case format != string(reports.FormatTable):
		return usagef("--format %q: known are table and json", format)
	case len(entries) == 0:
		_, err := fmt.Fprintf(c.out, "no runs in %s\n", ctx.String(flagRunsDir))
		return err
	}
	return reports.Runs(c.out, entries, screenOf(c.out, c.environ, usualWidth))
}

func (c *console) runsRemove(ctx *cli.Context) error {
	runs, err := runsToRemove(ctx)
	if err != nil || len(runs) == 0 {
		if err == nil {
			fmt.Fprintln(c.err, "there is nothing to remove")
		}
		return err
	}
	names := make([]string, len(runs))
	for i, r := range runs {
		names[i] = r.Dir
	}
	if !ctx.Bool(flagYes) {
		what := fmt.Sprintf("this removes %s", strings.Join(names, ", "))
		if err := c.ask(what, "Remove?", "add --"+flagYes+" to remove them"); err != nil {
			return err
		}
	}
	for _, r := range runs {
		err := r.Remove()
		if ctx.IsSet(flagOlderThan) && errors.Is(err, store.ErrHeld) {
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

func runsToRemove(ctx *cli.Context) ([]*store.Run, error) {
	age, file := ctx.String(flagOlderThan), ctx.String(flagBaseline)
	switch {
	case age == "" && !ctx.Args().Present():
		return nil, usagef("runs rm takes RUNs, or --older-than; `concur runs` lists them")
	case age != "" && ctx.Args().Present():
		return nil, usagef("runs rm takes either RUNs or --older-than")
	}
	accepted, err := os.ReadFile(file)
	if err != nil && (ctx.IsSet(flagBaseline) || !errors.Is(err, fs.ErrNotExist)) {
		return nil, usagef("--%s: %w", flagBaseline, err)
	}
	r := store.Removal{Names: ctx.Args().Slice(), KeptBy: file, Keep: func(run string) bool {
		return bytes.Contains(accepted, []byte(strconv.Quote(run)))
	}}
	if age != "" {
		if r.OlderThan, err = store.ParseAge(age); err != nil {
			return nil, usagef("--%s: %w", flagOlderThan, err)
		}
	}
	return r.Runs(ctx.String(flagRunsDir), time.Now())
}
