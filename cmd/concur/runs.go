package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

func (c *console) runsAction(ctx *cli.Context) error {
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
	switch {
	case ctx.String(flagFormat) == formatJSON:
		return reports.RunsJSON(c.out, entries)
	case len(entries) == 0:
		_, err := fmt.Fprintf(c.out, "no runs in %s\n", ctx.String(flagRunsDir))
		return err
	}
	return reports.Runs(c.out, entries, screenOf(c.out, c.environ, usualWidth))
}

func (c *console) runsRemove(ctx *cli.Context) error {
	runs, err := runsToRemove(ctx)
	if err != nil {
		return err
	}
	names := make([]string, len(runs))
	for i, r := range runs {
		names[i] = r.Dir
	}
	if len(runs) == 0 {
		fmt.Fprintln(c.err, "there is nothing to remove")
	} else if !ctx.Bool(flagYes) {
		if err := c.ask("this removes "+strings.Join(names, ", "), "Remove?", "add --"+flagYes+" to remove them"); err != nil {
			return err
		}
	}
	for _, r := range runs {
		err := r.Remove()
		if ctx.IsSet("older-than") && errors.Is(err, store.ErrHeld) {
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
	age, file := ctx.String("older-than"), ctx.String(flagBaseline)
	switch {
	case age == "" && !ctx.Args().Present():
		return nil, usagef("runs rm takes RUNs, or --older-than; `concur runs` lists them")
	case age != "" && ctx.Args().Present():
		return nil, usagef("runs rm takes either RUNs or --older-than")
	}
	accepted, err := os.ReadFile(file)
	if err != nil && (ctx.IsSet(flagBaseline) || !errors.Is(err, fs.ErrNotExist)) {
		return nil, usagef("--baseline: %w", err)
	}
	r := store.Removal{Names: ctx.Args().Slice(), KeptBy: file, Keep: func(run string) bool {
		return bytes.Contains(accepted, []byte(strconv.Quote(run)))
	}}
	if age != "" {
		if r.OlderThan, err = store.ParseAge(age); err != nil {
			return nil, usagef("--older-than: %w", err)
		}
	}
	return r.Runs(ctx.String(flagRunsDir), time.Now())
}

// runsVerify checks runs, and names all that is wrong.
func (c *console) runsVerify(ctx *cli.Context, w io.Writer) error {
	damaged, all := 0, ctx.Args().Slice()
	for _, name := range all {
		run, err := store.Find(ctx.String(flagRunsDir), name)
		if err != nil && !errors.Is(err, store.ErrDamaged) {
			return err
		}
		wrong := []error{err}
		if err == nil {
			wrong = run.Verify(ctx.Context)
		}
		if ctx.Context.Err() != nil {
			return ctx.Context.Err()
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
func runsRepair(ctx *cli.Context, w io.Writer) error {
	run, err := store.Find(ctx.String(flagRunsDir), ctx.Args().First())
	if err != nil {
		return err
	}
	before := run.Manifest.State
	files, err := run.Repair(ctx.Context)
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
	if left := run.Verify(ctx.Context); len(left) > 0 {
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

func (c *console) traceAction(ctx *cli.Context, w io.Writer) error {
	run, err := findRun(ctx)
	if err != nil {
		return err
	}
	records, of, err := chosen(ctx, run)
	if err != nil {
		return err
	}
	asJSON := ctx.String(flagFormat) == formatJSON
	if m := run.Manifest; m.State != store.Complete && !asJSON {
		fmt.Fprintf(w, "run %s is not complete (state: %s): %s %s decided\n\n", m.Run, m.State,
			text.CountedOf(len(records), m.Dataset.Queries, "query"), text.Verb(len(records), "is", "are"))
	}
	query := ctx.Args().Get(1)
	if query == "" {
		correct := map[judge.Ruling]int{judge.Correct: 1} // the others come first
		for _, name := range []string{"trace", "diff", "full"} {
			if ctx.IsSet(name) {
				return usagef("--%s needs a QUERY; `concur trace %s` lists those of the run", name, ctx.Args().First())
			}
		}
		slices.SortStableFunc(records, func(a, b store.Record) int {
			return cmp.Compare(correct[a.Verdict.Verdict], correct[b.Verdict.Verdict])
		})
		return reports.WriteRows(w, reports.Format(ctx.String(flagFormat)), run.Manifest.Run, records, screenOf(c.out, c.environ, usualWidth))
	}
	if asJSON && ctx.IsSet("diff") {
		return usagef("--diff compares two traces in words, and --format json has all their events: leave one out")
	}
	index := store.NewIndex()
	if err := index.UpdateTraces(ctx.Context, run); err != nil {
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
		return usagef("run %s has no trace of query %q; it has %s", run.Manifest.Run, query, queriesOf(records))
	}
	if ctx.IsSet("diff") {
		if ctx.IsSet("trace") {
			return usagef("--diff and --trace exclude each other: leave one out")
		}
		return traceDiff(ctx, w, traces, order)
	}
	records = slices.DeleteFunc(records, func(r store.Record) bool { return r.Query != query })
	all := len(order)
	if n := ctx.Int("trace"); ctx.IsSet("trace") {
		order = slices.DeleteFunc(order, func(id trace.ID) bool { return id.Trace != n })
	}
	if len(order) == 0 {
		return usagef("query %s has no trace %d; it has %d, counted from 0", query, ctx.Int("trace"), all)
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
		if err := reports.Transcript(w, id, traces[id], ctx.Bool("full")); err != nil {
			return err
		}
	}
	return nil
}

func traceDiff(ctx *cli.Context, w io.Writer, traces map[trace.ID][]trace.Event, order []trace.ID) error {
	var pair [2]int
	var rest string
	if n, _ := fmt.Sscanf(ctx.String("diff"), "%d,%d%s", &pair[0], &pair[1], &rest); n != 2 {
		return usagef("--diff %q: write the numbers of two traces, such as 0,2", ctx.String("diff"))
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
	return reports.Parting(w, of[0], of[1], ctx.Bool("full"))
}
