package reading

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/naming"
	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/transcript"
	"github.com/seed-5817661a/concur/reports/worth"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/workers"
	"github.com/seed-5817661a/concur/trace"
)

// Chosen returns the records of the chosen configurations of a run.
func Chosen(configuration string, run *store.Run) ([]store.Record, error) {
	of, err := agentsOf(configuration, run.Manifest)
	if err != nil {
		return nil, err
	}
	records, err := run.Sorted()
	return slices.DeleteFunc(records, func(r store.Record) bool {
		return !slices.Contains(of[r.Agent], r.Configuration)
	}), err
}

// agentsOf returns, for each agent, the chosen configurations that share it.
func agentsOf(configuration string, m store.Manifest) (map[string][]string, error) {
	of := map[string][]string{}
	var known []string
	name := naming.NameOf(m, configuration)
	for _, c := range m.Configurations {
		known = append(known, c.Name)
		if name == "" || name == c.Name {
			of[c.Agent] = append(of[c.Agent], c.Name)
		}
	}
	if len(of) == 0 {
		return nil, console.Usagef("run %s has no configuration %q; it has %s", m.Run, configuration, strings.Join(known,
			", "))
	}
	return of, nil
}

func queriesOf(rows *store.Rows) string {
	names := make([]string, rows.Len())
	for i, r := range rows.All() {
		names[i] = r.Query
	}
	return cmp.Or(text.ListedUpTo(60, names), "none that is decided")
}

func traceAction(ctx context.Context, c *console.Console, given *traceOptions, w io.Writer) error {
	run, err := c.FindRun(given.runsDir, given.Word(0))
	if err != nil {
		return err
	}
	of, err := agentsOf(given.configuration, run.Manifest)
	if err != nil {
		return err
	}
	asJSON, query, rows := given.Format == console.FormatJSON, given.Word(1), run.Rows()
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
	if err := given.check(query); err != nil {
		return err
	}
	if query == "" {
		return reports.WriteRows(w, document.Format(given.Format), run.Manifest.Run, rows.WrongFirst(),
			console.ScreenOf(c.Out, c.Environ, console.UsualWidth))
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
		return console.Usagef("run %s has no trace of query %q; it has %s", run.Manifest.Run, query, queriesOf(rows))
	}
	if given.diff != "" {
		return traceDiff(given, w, traces, order)
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
	if given.trace != nil {
		order = slices.DeleteFunc(order, func(id trace.ID) bool { return id.Trace != *given.trace })
	}
	if len(order) == 0 {
		return console.Usagef("query %s has no trace %d; it has %d, counted from 0", query, *given.trace, all)
	}
	shown := transcript.Transcripts{Run: run.Manifest.Run, Query: query, Records: records}
	by, err := workers.Of(run.Dir, query)
	if err != nil {
		return err
	}
	for _, id := range order {
		shown.Traces = append(shown.Traces,
			transcript.TracedEvents{ID: id, Configurations: of[id.Agent], Worker: by[id], Events: traces[id]})
	}
	if asJSON {
		return transcript.WriteJSON(w, shown)
	}
	scores, err := usefulness.ReadScored(run, "", func(q string) bool { return q == query })
	if err != nil {
		return err
	}
	return writeTranscripts(w, shown, scores, len(run.Manifest.Configurations) > 1, given.full)
}

// check returns an error for flags that need a query, and for flags that exclude each other.
func (given *traceOptions) check(query string) error {
	if query == "" {
		for _, flag := range []string{flags.NameTrace, flags.NameDiff, flags.NameFull} {
			if given.Has(flag) {
				return console.Usagef("--%s needs a QUERY; `concur trace %s` lists those of the run", flag, given.Word(0))
			}
		}
		return nil
	}
	switch {
	case given.Format == console.FormatJSON && given.diff != "":
		return console.Usagef("--diff compares two traces in words, and --format json has all their events: leave one out")
	case given.Format == console.FormatJSON:
		return given.Idle("with --format json, which has every event", flags.NameFull)
	case given.diff != "" && given.trace != nil:
		return console.Usagef("--diff and --trace exclude each other: leave one out")
	}
	return nil
}

// writeTranscripts writes the records of a query, then its traces, with the gains of their calls. In an ablation, the
// names of their configurations come before the traces.
func writeTranscripts(w io.Writer, shown transcript.Transcripts, scores *usefulness.Scored, ablation, full bool) error {
	for _, r := range shown.Records {
		if err := transcript.WriteRecord(w, r); err != nil {
			return err
		}
	}
	for _, t := range shown.Traces {
		fmt.Fprintln(w)
		if ablation && t.ID.Trace == shown.Traces[0].ID.Trace {
			fmt.Fprintf(w, "═══ %s\n\n", document.Printable(strings.Join(t.Configurations, ", ")))
		}
		t.Marks = worth.Marks(t.Events, scores.Of(t.ID))
		if err := t.Write(w, full); err != nil {
			return err
		}
	}
	return nil
}

// rowOf returns the index of a record's configuration in the manifest.
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

func traceDiff(given *traceOptions, w io.Writer, traces map[trace.ID][]trace.Event,
	order []trace.ID) error {
	var pair [2]int
	var rest string
	if n, _ := fmt.Sscanf(given.diff, "%d,%d%s", &pair[0], &pair[1], &rest); n != 2 {
		return console.Usagef("--diff %q: write the numbers of two traces, such as 0,2", given.diff)
	}
	if order[0].Agent != order[len(order)-1].Agent {
		return console.Usagef("--diff: the query was asked under several configurations; choose one with --configuration")
	}
	var of [2][]trace.Event
	for i, n := range pair {
		at := slices.IndexFunc(order, func(id trace.ID) bool { return id.Trace == n })
		if at < 0 {
			return console.Usagef("query %s has no trace %d; it has %d, counted from 0", order[0].Query, n, len(order))
		}
		of[i] = traces[order[at]]
	}
	return transcript.WriteDifference(w, of[0], of[1], given.full)
}

//go:embed help/trace.txt
var traceHelp string

// traceOptions holds the arguments and flags of concur trace.
type traceOptions struct {
	flags.Arguments
	flags.ResultOptions

	configuration, diff, runsDir string
	trace                        *int
	full                         bool
}

// TraceCommand returns the command `concur trace`.
func TraceCommand(c *console.Console) *cli.Command {
	var given traceOptions
	return &cli.Command{
		Name: "trace", ArgsUsage: "RUN [QUERY]", Description: flags.Described(traceHelp),
		Usage: "show the traces of a query: thoughts, actions, observations, guards",
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: flags.NameConfiguration, Destination: &given.configuration, DefaultText: "all",
				Usage: "show only the configuration `NAME` of an ablation",
			},
			&cli.IntFlag{
				Name: flags.NameTrace, Action: flags.Stored(&given.trace), DefaultText: "all",
				Usage: "show only trace `N`; 0 is the first",
			},
			&cli.StringFlag{
				Name: flags.NameDiff, Destination: &given.diff,
				Usage: "show the first difference of traces `A,B` of the query, and the steps of each from there",
			},
			&cli.BoolFlag{
				Name: flags.NameFull, Destination: &given.full,
				Usage: "show a document each time that a tool returned it, not only once per trace",
			},
			flags.Choice(&given.Format, &cli.StringFlag{
				Name: flags.NameFormat, EnvVars: []string{"CONCUR_FORMAT"},
				Usage: "`FORMAT`: table, or json with every event as in trace.jsonl",
			}, "table", "json"),
			flags.RunsDir(&given.runsDir),
		},
		Action: flags.Takes(&given.Arguments, "", c.FoldedUnlessJSON(&given.Format, func(ctx context.Context,
			w io.Writer) error {
			return traceAction(ctx, c, &given, w)
		})),
	}
}
