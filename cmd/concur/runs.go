package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

func (c *console) runsAction(ctx context.Context, given *runsOptions) error {
	runs, damaged, err := store.List(given.runsDir)
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
	switch {
	case given.format == formatJSON:
		return reports.RunsJSON(c.out, entries)
	case len(entries) == 0:
		_, err := fmt.Fprintf(c.out, "no runs in %s\n", given.runsDir)
		return err
	}
	return reports.Runs(c.out, entries, screenOf(c.out, c.environ, usualWidth))
}

func (c *console) runsRemove(ctx context.Context, given *runsRmOptions) error {
	runs, err := runsToRemove(ctx, given)
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
		if err := c.ask("this removes "+strings.Join(names, ", "), "Remove?", "add --"+flagYes+" to remove them"); err != nil {
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

func runsToRemove(ctx context.Context, given *runsRmOptions) ([]*store.Run, error) {
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

// runsVerify checks runs, and names all that is wrong.
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
		return &exitError{exitInvalid, fmt.Errorf("%s damaged", text.CountedOf(damaged, len(all), "run")+" "+text.Verb(damaged, "is", "are"))}
	}
	return nil
}

// runsRepair keeps what is whole of a run, and says what it left out.
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
		if f.Backup != "" {
			fmt.Fprintf(w, "; as it was: %s", f.Backup)
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

func (c *console) traceAction(ctx context.Context, given *traceOptions, w io.Writer) error {
	run, err := c.findRun(given.runsDir, given.word(0))
	if err != nil {
		return err
	}
	of, err := agentsOf(given.configuration, run.Manifest)
	if err != nil {
		return err
	}
	asJSON, query, rows := given.format == formatJSON, given.word(1), run.Rows()
	asked := func(r store.Record) bool { return slices.Contains(of[r.Agent], r.Configuration) }
	if m := run.Manifest; query == "" || m.State != store.Complete && !asJSON {
		if err := drain(rows.Reading(asked)); err != nil {
			return err
		}
	}
	if m := run.Manifest; m.State != store.Complete && !asJSON {
		fmt.Fprintf(w, "run %s is not complete (state: %s): %s %s decided\n\n", m.Run, m.State,
			text.CountedOf(rows.Len(), m.Dataset.Queries, "query"), text.Verb(rows.Len(), "is", "are"))
	}
	if query == "" {
		for name, needs := range map[string]bool{flagTrace: given.trace != nil, flagDiff: given.diff != "", flagFull: given.full} {
			if needs {
				return usagef("--%s needs a QUERY; `concur trace %s` lists those of the run", name, given.word(0))
			}
		}
		return reports.WriteRows(w, reports.Format(given.format), run.Manifest.Run, rows.WrongFirst(), screenOf(c.out, c.environ, usualWidth))
	}
	if asJSON && given.diff != "" {
		return usagef("--diff compares two traces in words, and --format json has all their events: leave one out")
	}
	if asJSON {
		if err := given.idle("with --format json, which has every event", flagFull); err != nil {
			return err
		}
	}
	index, err := run.IndexOf(ctx, query)
	if err != nil {
		return err
	}
	traces := map[trace.ID][]trace.Event{}
	order := slices.DeleteFunc(index.Traces(query), func(id trace.ID) bool { return of[id.Agent] == nil })
	for _, id := range order {
		if traces[id], err = index.ReadEvents(run, id); err != nil {
			return err
		}
	}
	if len(order) == 0 {
		if err := drain(rows.Reading(asked)); err != nil {
			return err
		}
		return usagef("run %s has no trace of query %q; it has %s", run.Manifest.Run, query, queriesOf(rows))
	}
	if given.diff != "" {
		if given.trace != nil {
			return usagef("--diff and --trace exclude each other: leave one out")
		}
		return traceDiff(ctx, given, w, traces, order)
	}
	records, err := index.ReadRecords(run, index.RecordsOf(query))
	if err != nil {
		return err
	}
	records = slices.DeleteFunc(records, func(r store.Record) bool { return !asked(r) })
	slices.SortStableFunc(records, func(a, b store.Record) int {
		return cmp.Compare(rowOf(run.Manifest, a), rowOf(run.Manifest, b))
	})
	all := len(order)
	if n := or(given.trace, 0); given.trace != nil {
		order = slices.DeleteFunc(order, func(id trace.ID) bool { return id.Trace != n })
	}
	if len(order) == 0 {
		return usagef("query %s has no trace %d; it has %d, counted from 0", query, *given.trace, all)
	}
	if asJSON {
		out := reports.Transcripts{Run: run.Manifest.Run, Query: query, Records: records}
		for _, id := range order {
			out.Traces = append(out.Traces, reports.TracedEvents{ID: id, Configurations: of[id.Agent], Events: traces[id]})
		}
		return reports.TranscriptsJSON(w, out)
	}
	for _, r := range records {
		if err := reports.Record(w, r); err != nil {
			return err
		}
	}
	for _, id := range order {
		fmt.Fprintln(w)
		if len(run.Manifest.Configurations) > 1 && id.Trace == order[0].Trace {
			fmt.Fprintf(w, "═══ %s\n\n", reports.Printable(strings.Join(of[id.Agent], ", ")))
		}
		if err := reports.Transcript(w, id, traces[id], given.full); err != nil {
			return err
		}
	}
	return nil
}

// rowOf gives the place of a record's configuration in the manifest.
func rowOf(m store.Manifest, r store.Record) int {
	return slices.IndexFunc(m.Configurations, func(c store.Configuration) bool { return c.Name == r.Configuration })
}

// drain reads a sequence to its end.
func drain[T any](all iter.Seq2[T, error]) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

func traceDiff(ctx context.Context, given *traceOptions, w io.Writer, traces map[trace.ID][]trace.Event, order []trace.ID) error {
	var pair [2]int
	var rest string
	if n, _ := fmt.Sscanf(given.diff, "%d,%d%s", &pair[0], &pair[1], &rest); n != 2 {
		return usagef("--diff %q: write the numbers of two traces, such as 0,2", given.diff)
	}
	if order[0].Agent != order[len(order)-1].Agent {
		return usagef("--diff: the query was asked under several configurations; choose one with --configuration")
	}
	var of [2][]trace.Event
	for i, n := range pair {
		at := slices.IndexFunc(order, func(id trace.ID) bool { return id.Trace == n })
		if at < 0 {
			return usagef("query %s has no trace %d; it has %d, counted from 0", order[0].Query, n, len(order))
		}
		of[i] = traces[order[at]]
	}
	return reports.Parting(w, of[0], of[1], given.full)
}

//go:embed help/trace.txt
var traceHelp string

// traceOptions are the arguments and flags of concur trace.
type traceOptions struct {
	arguments
	resultOptions

	configuration, diff, runsDir string
	trace                        *int
	full                         bool
}

func traceCommand(c *console) *cli.Command {
	var given traceOptions
	return &cli.Command{
		Name: "trace", ArgsUsage: "RUN [QUERY]", Description: described(traceHelp),
		Usage: "show what the agent did on a query: thoughts, actions, observations, guards",
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: flagConfiguration, Destination: &given.configuration, DefaultText: "all",
				Usage: "show the configuration `NAME` of an ablation only",
			},
			&cli.IntFlag{
				Name: flagTrace, Action: stored(&given.trace), DefaultText: "all",
				Usage: "show trace `N` only, 0 for the first",
			},
			&cli.StringFlag{
				Name: flagDiff, Destination: &given.diff,
				Usage: "show where traces `A,B` of the query part, and what each did from there",
			},
			&cli.BoolFlag{
				Name: flagFull, Destination: &given.full,
				Usage: "show a document every time that it came back, not once a trace",
			},
			choice(&given.format, &cli.StringFlag{
				Name: flagFormat, EnvVars: []string{"CONCUR_FORMAT"},
				Usage: "`FORMAT`: table, or json with every event as it is in trace.jsonl",
			}, "table", "json"),
			runsDirFlag(&given.runsDir),
		},
		Action: takes(&given.arguments, "", c.foldedUnlessJSON(&given.format, func(ctx context.Context, w io.Writer) error {
			return c.traceAction(ctx, &given, w)
		})),
	}
}

//go:embed help/runs.txt
var runsHelp string

// runsOptions are the arguments and flags of concur runs.
type runsOptions struct {
	arguments
	resultOptions

	runsDir string
}

func runsCommand(c *console) *cli.Command {
	var given runsOptions
	return &cli.Command{
		Name: "runs", Description: described(runsHelp),
		Usage: "list the runs of a folder, check, repair or remove some",
		Flags: []cli.Flag{
			runsDirFlag(&given.runsDir),
			choice(&given.format, &cli.StringFlag{
				Name: flagFormat, EnvVars: []string{"CONCUR_FORMAT"},
				Usage: "`FORMAT` of the list: table, json",
			}, "table", "json"),
		},
		Action: takes(&given.arguments, "", func(ctx context.Context) error {
			return c.runsAction(ctx, &given)
		}),
		Subcommands: []*cli.Command{
			runsRmCommand(c),
			runsVerifyCommand(c),
			runsRepairCommand(c),
		},
	}
}

//go:embed help/runs-rm.txt
var runsRmHelp string

// runsRmOptions are the arguments and flags of concur runs rm.
type runsRmOptions struct {
	arguments

	runsDir, olderThan, baseline string
	yes                          bool
	named                        bool // the baseline
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
				Usage: "keep the runs that this baseline `FILE` names",
			},
			&cli.BoolFlag{
				Name: flagYes, Destination: &given.yes, EnvVars: []string{"CONCUR_YES"},
				Usage: "remove without asking",
			},
		},
		Action: takes(&given.arguments, "", func(ctx context.Context) error {
			return c.runsRemove(ctx, &given)
		}),
	}
}

//go:embed help/runs-verify.txt
var runsVerifyHelp string

// runsVerifyOptions are the arguments and flags of concur runs verify.
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

// runsRepairOptions are the arguments and flags of concur runs repair.
type runsRepairOptions struct {
	arguments

	runsDir string
}

func runsRepairCommand(c *console) *cli.Command {
	var given runsRepairOptions
	return &cli.Command{
		Name: "repair", ArgsUsage: "RUN", Description: described(runsRepairHelp),
		Usage: "keep what is whole of a damaged run",
		Flags: []cli.Flag{
			runsDirFlag(&given.runsDir),
		},
		Action: takes(&given.arguments, "one RUN", c.folded(func(ctx context.Context, w io.Writer) error {
			return runsRepair(ctx, &given, w)
		})),
	}
}
