package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/judge"
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
with their votes and verdicts, those that are not right first. Runs that are not complete can be looked at too.

Examples:
  concur trace latest
  concur trace latest calc-03
  concur trace latest calc-03 --trace 1
  concur trace latest calc-03 --diff 0,2
  concur trace latest calc-03 --configuration 'no planner'`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: flagConfiguration, Usage: "show the configuration `NAME` of an ablation only", DefaultText: "all"},
			&cli.IntFlag{Name: "trace", Usage: "show trace `N` only, 0 for the first", DefaultText: "all"},
			&cli.StringFlag{Name: "diff", Usage: "show where traces `A,B` of the query part, and what each did from there"},
			&cli.BoolFlag{Name: "full", Usage: "show a document every time that it came back, not once a trace"},
			runsDirFlag(),
		},
		Action: c.folded(c.traceAction),
	}
}

func (c *console) traceAction(ctx *cli.Context, w io.Writer) error {
	run, err := findRun(ctx, 2)
	if err != nil {
		return err
	}
	records, err := run.Sorted()
	if err != nil {
		return err
	}
	of, err := agentsOf(ctx, run.Manifest)
	if err != nil {
		return err
	}
	records = slices.DeleteFunc(records, func(r store.Record) bool { return !slices.Contains(of[r.Agent], r.Configuration) })
	if m := run.Manifest; m.State != store.Complete {
		fmt.Fprintf(w, "run %s is not complete (state: %s): %d of %d queries are decided\n\n", m.Run, m.State, len(records), m.Dataset.Queries)
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
		return reports.WriteRows(w, reports.FormatTable, run.Manifest.Run, records, screenOf(c.out, c.environ, usualWidth))
	}
	traces, order, err := run.TracesOf(query)
	if err != nil {
		return err
	}
	order = slices.DeleteFunc(order, func(id trace.ID) bool { return of[id.Agent] == nil })
	if len(order) == 0 {
		return usagef("run %s has no trace of query %q; it has %s", run.Manifest.Run, query, queriesOf(records))
	}
	if ctx.IsSet("diff") {
		if ctx.IsSet("trace") {
			return usagef("--diff and --trace exclude each other: leave one out")
		}
		return traceDiff(ctx, w, traces, order)
	}
	for _, r := range records {
		if r.Query == query {
			if err := reports.Record(w, r); err != nil {
				return err
			}
		}
	}
	all := len(order)
	if n := ctx.Int("trace"); ctx.IsSet("trace") {
		order = slices.DeleteFunc(order, func(id trace.ID) bool { return id.Trace != n })
	}
	if len(order) == 0 {
		return usagef("query %s has no trace %d; it has %d, counted from 0", query, ctx.Int("trace"), all)
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
		return usagef("--diff: the query was asked under several configurations; choose one with --%s", flagConfiguration)
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

const flagConfiguration = "configuration"

// agentsOf gives for each agent those of the chosen configurations that share it.
func agentsOf(ctx *cli.Context, m store.Manifest) (map[string][]string, error) {
	of := map[string][]string{}
	var known []string
	for _, c := range m.Configurations {
		known = append(known, c.Name)
		if name := ctx.String(flagConfiguration); name == "" || ablations.SameName(name, c.Name) {
			of[c.Agent] = append(of[c.Agent], c.Name)
		}
	}
	if len(of) == 0 {
		return nil, usagef("run %s has no configuration %q; it has %s", m.Run, ctx.String(flagConfiguration), strings.Join(known, ", "))
	}
	return of, nil
}

// maxNames is the number of queries that an error lists.
const maxNames = 60

func queriesOf(records []store.Record) string {
	names := make([]string, 0, len(records))
	for _, r := range records {
		names = append(names, r.Query)
	}
	if len(names) > maxNames {
		names = append(names[:maxNames], "…")
	}
	return cmp.Or(strings.Join(names, ", "), "none that is decided")
}
