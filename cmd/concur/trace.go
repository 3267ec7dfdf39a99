package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

func (c *console) traceCommand() *cli.Command {
	return &cli.Command{
		Name:      "trace",
		Usage:     "show what the agent did on a query: thoughts, actions, observations, guards",
		ArgsUsage: "RUN [QUERY]",
		Description: `RUN is a run folder, its name, or latest. Without a QUERY, the queries are listed
with their votes and verdicts. Runs that are not complete can be looked at too.

Examples:
  concur trace latest
  concur trace latest calc-03
  concur trace latest calc-03 --trace 1`,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "trace", Usage: "show trace `N` only, 0 for the first", DefaultText: "all"},
			runsDirFlag(),
		},
		OnUsageError: usageError,
		Action:       c.traceAction,
	}
}

func (c *console) traceAction(ctx *cli.Context) error {
	run, err := findRun(ctx, 2)
	if err != nil {
		return err
	}
	records, err := sortedRecords(run)
	if err != nil {
		return err
	}
	if m := run.Manifest; m.State != store.Complete {
		if _, err := fmt.Fprintf(c.out, "run %s is not complete (state: %s): %d of %d queries are decided\n\n", m.Run, m.State, len(records), m.Dataset.Queries); err != nil {
			return err
		}
	}
	query := ctx.Args().Get(1)
	if query == "" {
		return reports.Queries(c.out, records, false)
	}
	traces, order, err := eventsOf(run, query)
	if err != nil {
		return err
	}
	if len(order) == 0 {
		return usagef("run %s has no trace of query %q; it has %s", run.Manifest.Run, query, queriesOf(records))
	}
	for _, r := range records {
		if r.Query == query {
			if err := reports.Record(c.out, r); err != nil {
				return err
			}
		}
	}
	shown := 0
	for _, id := range order {
		if ctx.IsSet("trace") && id.Trace != ctx.Int("trace") {
			continue
		}
		fmt.Fprintln(c.out)
		if err := reports.Transcript(c.out, id, traces[id]); err != nil {
			return err
		}
		shown++
	}
	if shown == 0 {
		return usagef("query %s has no trace %d; it has %d, counted from 0", query, ctx.Int("trace"), len(order))
	}
	return nil
}

// eventsOf reads the events of a query's traces. order holds the traces by index.
func eventsOf(run *store.Run, query string) (traces map[trace.ID][]trace.Event, order []trace.ID, err error) {
	traces = map[trace.ID][]trace.Event{}
	for e, err := range run.Events() {
		if err != nil {
			return nil, nil, usagef("%w", err)
		}
		if e.Query == query {
			traces[e.ID] = append(traces[e.ID], e)
		}
	}
	return traces, sortedIDs(traces), nil
}

func queriesOf(records []store.Record) string {
	names := make([]string, 0, len(records))
	for _, r := range records {
		names = append(names, r.Query)
	}
	if len(names) > maxRows {
		names = append(names[:maxRows], "…")
	}
	return strings.Join(names, ", ")
}

func sortedIDs(traces map[trace.ID][]trace.Event) []trace.ID {
	return slices.SortedFunc(maps.Keys(traces), func(a, b trace.ID) int {
		return cmp.Or(cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Trace, b.Trace))
	})
}
