package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
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
ask to latest-ask, replays to latest-replay.

Examples:
  concur runs
  concur runs --format json
  concur runs rm 20261122T120955-gold29-7bab9412
  concur runs rm --older-than 30d`,
		Flags: []cli.Flag{
			runsDirFlag(),
			&cli.StringFlag{Name: flagFormat, Value: "table", Usage: "`FORMAT` of the list: table, json", EnvVars: []string{"CONCUR_FORMAT"}},
		},
		OnUsageError: usageError,
		Action:       c.runsAction,
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
			OnUsageError: usageError,
			Action:       c.runsRemove,
		}},
	}
}

func (c *console) runsAction(ctx *cli.Context) error {
	if ctx.Args().Present() {
		return usagef("there is no command %q; `concur runs --help` lists them", "runs "+ctx.Args().First())
	}
	runs, err := store.List(ctx.String(flagRunsDir))
	if err != nil {
		return usagef("%w", err)
	}
	entries := make([]reports.RunEntry, len(runs))
	for i, r := range runs {
		entries[i].Manifest = r.Manifest
		if entries[i].Bytes, err = r.Size(); err != nil {
			return fmt.Errorf("list runs: %w", err)
		}
		if entries[i].Summary, err = summaryOf(r); err != nil { // the list is worth having without this figure
			fmt.Fprintf(c.err, "concur: %v\n", err)
		}
	}
	switch format := ctx.String(flagFormat); format {
	case "table":
		if len(entries) == 0 {
			_, err := fmt.Fprintf(c.out, "no runs in %s\n", ctx.String(flagRunsDir))
			return err
		}
		return reports.Runs(c.out, entries)
	case "json":
		return writeRunsJSON(c, entries)
	default:
		return usagef("--format %q: known are table and json", format)
	}
}

// summaryOf reads the figures of a complete run; nil where there are none yet.
func summaryOf(r *store.Run) (*result.Result, error) {
	if r.Manifest.State != store.Complete {
		return nil, nil
	}
	raw, err := os.ReadFile(summaryPath(r.Dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var s result.Result
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("read %s: %w; `%s` writes it anew", summaryPath(r.Dir), err, store.ResumeCommand(r.Dir, r.Manifest))
	}
	return &s, nil
}

func writeRunsJSON(c *console, entries []reports.RunEntry) error {
	type configuration struct {
		Name     string   `json:"name"`
		PassRate *float64 `json:"pass_rate"`
	}
	type run struct {
		Run            string          `json:"run"`
		Start          time.Time       `json:"start"`
		Kind           store.Kind      `json:"kind"`
		Dataset        string          `json:"dataset"`
		Queries        int             `json:"queries"`
		Configurations []configuration `json:"configurations"`
		State          store.State     `json:"state"`
		Bytes          int64           `json:"bytes"`
	}
	out := struct {
		Schema string `json:"schema"`
		Runs   []run  `json:"runs"`
	}{"concur/runs/v1", make([]run, len(entries))}
	for i, e := range entries {
		out.Runs[i] = run{e.Run, e.Start, e.Kind(), e.Dataset.Name, e.Dataset.Queries, []configuration{}, e.State, e.Bytes}
		for j, x := range e.Configurations {
			one := configuration{Name: x.Name}
			if e.Summary != nil && j < len(e.Summary.Configurations) {
				one.PassRate = e.Summary.Configurations[j].PassRate
			}
			out.Runs[i].Configurations = append(out.Runs[i].Configurations, one)
		}
	}
	enc := json.NewEncoder(c.out)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func (c *console) runsRemove(ctx *cli.Context) error {
	runs, err := runsToRemove(ctx, time.Now())
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
			return usagef("%w", err)
		}
		fmt.Fprintf(c.err, "removed %s\n", r.Dir)
	}
	return nil
}

// runsToRemove are those that are named, or that are old enough. A run that a baseline names
// is refused where it was named, and left out otherwise.
func runsToRemove(ctx *cli.Context, now time.Time) ([]*store.Run, error) {
	dir, age := ctx.String(flagRunsDir), ctx.String(flagOlderThan)
	switch {
	case age == "" && !ctx.Args().Present():
		return nil, usagef("runs rm takes RUNs, or --older-than; `concur runs` lists them")
	case age != "" && ctx.Args().Present():
		return nil, usagef("runs rm takes either RUNs or --older-than")
	}
	accepted, err := os.ReadFile(ctx.String(flagBaseline))
	if err != nil && (ctx.IsSet(flagBaseline) || !errors.Is(err, fs.ErrNotExist)) {
		return nil, usagef("--%s: %w", flagBaseline, err)
	}
	kept := func(r *store.Run) bool { return bytes.Contains(accepted, []byte(strconv.Quote(r.Manifest.Run))) }
	var out []*store.Run
	for _, name := range ctx.Args().Slice() {
		r, err := store.Find(dir, name)
		if err != nil {
			return nil, usagef("%w", err)
		}
		if kept(r) {
			return nil, usagef("remove run %s: %s names it, and the gate may need its traces", r.Manifest.Run, ctx.String(flagBaseline))
		}
		out = append(out, r)
	}
	if age == "" {
		return out, nil
	}
	limit, err := parseAge(age)
	if err != nil {
		return nil, usagef("--%s: %w", flagOlderThan, err)
	}
	all, err := store.List(dir)
	if err != nil {
		return nil, usagef("%w", err)
	}
	for _, r := range all {
		if now.Sub(r.Manifest.Start) > limit && !kept(r) {
			out = append(out, r)
		}
	}
	return out, nil
}

// parseAge reads a duration that may also be in days or weeks.
func parseAge(text string) (time.Duration, error) {
	for unit, long := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		if n, ok := strings.CutSuffix(text, unit); ok {
			if x, err := strconv.Atoi(n); err == nil && x >= 0 && x <= math.MaxInt64/int(long) {
				return time.Duration(x) * long, nil
			}
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return d, nil
	}
	return 0, fmt.Errorf("%q is not an age of at most 290 years: write a number with h, d or w, such as 30d", text)
}
