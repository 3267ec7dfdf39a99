package main

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

func runAction(ctx context.Context, c *console.Console, given *runOptions, o *console.Output) error {
	switch {
	case given.name != nil && (given.resume != "" || given.replay != ""):
		return console.Usagef("--name is for a new run: one that is resumed or replayed keeps its name")
	case given.resume != "" && given.replay != "":
		return console.Usagef("--resume and --replay do not go together: finish the run first")
	}
	if err := given.idles(); err != nil {
		return err
	}
	switch {
	case given.resume != "":
		return resumeAction(ctx, c, &given.tracesOptions, o)
	case given.replay != "":
		return replayAction(ctx, c, given, o)
	}
	if err := checkName(given.name); err != nil {
		return err
	}
	source := given.datasetOr(given.word(0))
	conf, err := readConfiguration(c, &given.settings, source)
	if err != nil {
		return err
	}
	draft, err := newDraft(ctx, c, &given.tracesOptions, source, []config.Configuration{conf})
	if err != nil {
		return err
	}
	draft.Manifest.Title = valueOr(given.name, given.prompt)
	if !given.quiet {
		noteNamesake(c, given.runsDir, valueOr(given.name, ""))
	}
	return begin(ctx, c, &given.tracesOptions, draft, o)
}

// idles returns an error for flags that have no effect on this kind of run: new, resumed or replayed.
func (given *runOptions) idles() error {
	err := given.tableOptions.check(&given.arguments)
	switch {
	case err != nil:
	case given.replay == "" && given.recordMissing:
		err = console.Usagef("--record-missing goes with --replay RUN: add it, or leave the flag out")
	case given.replay == "" && given.check:
		err = console.Usagef("--check goes with --replay RUN: add it, or leave the flag out")
	case given.resume == "" && given.retryFailed:
		err = console.Usagef("--retry-failed goes with --resume RUN: add it, or leave the flag out")
	}
	if given.resume != "" || given.replay != "" {
		err = cmp.Or(err, given.idle("on a run that was begun before", flagAllowSeen, flagPrompt))
	}
	return err
}

// maxName is the maximum number of characters of a run's name for people.
const maxName = 60

// checkName returns an error for a --name that a table cannot show, or that could mean another run.
func checkName(given *string) error {
	name := valueOr(given, "")
	switch {
	case given == nil:
		return nil
	case strings.TrimSpace(name) != name || name == "" || utf8.RuneCountInString(name) > maxName ||
		document.Clean(name) != name:
		return console.Usagef("--name %q: give 1 to %d printable characters, without spaces at the ends", name, maxName)
	case strings.HasPrefix(name, store.Latest) || strings.ContainsAny(name, `/\`):
		return console.Usagef("--name %q would be taken for another run or a folder: leave out / and \\, and begin "+
			"otherwise than "+
			"with %s", name, store.Latest)
	}
	return nil
}

// noteNamesake says if a run of the same name exists, because commands then use the newer one.
func noteNamesake(c *console.Console, runsDir, name string) {
	runs, _, err := store.List(runsDir)
	if err != nil || name == "" {
		return // the creation of the run reports a problem with the folder
	}
	at := slices.IndexFunc(runs, func(r *store.Run) bool {
		return r.Manifest.Title == name && r.Manifest.Kind() == store.KindRun
	})
	if at >= 0 {
		c.Note(fmt.Sprintf("--name %s is the name of %s too, and will mean this run: name the older one by its folder",
			document.Printable(name), runs[at].Manifest.Run))
	}
}

//go:embed help/run.txt
var runHelp string

// runOptions holds the arguments and flags of concur run.
type runOptions struct {
	tracesOptions

	name                 *string
	replay               string
	check, recordMissing bool
	watch                bool
}

func runCommand(c *console.Console) *cli.Command {
	var given runOptions
	return &cli.Command{
		Name: "run", Aliases: []string{"eval"}, ArgsUsage: "[DATASET]", Description: described(runHelp, "{{datasets}}",
			strings.Join(datasets.Builtin(), ", ")),
		Usage: "run K traces for every query of a dataset, and judge the answer on which they agree",
		Flags: slices.Concat(
			configurationFlags(&given.settings),
			[]cli.Flag{
				seedFlag(&given.seed),
				&cli.StringFlag{
					Name: flagName, Action: stored(&given.name), DefaultText: "its model, or its agent's command",
					Usage: "`NAME` of the run for tables, and for every command that takes a RUN",
				},
				&cli.StringFlag{
					Name: flagPrompt, Destination: &given.prompt, EnvVars: []string{"CONCUR_PROMPT"},
					DefaultText: "the first", Usage: "use the prompt `NAME` of concur.yaml's prompts; it is the run's name too",
				},
				&cli.StringFlag{
					Name: flagReplay, TakesFile: true, Destination: &given.replay, DefaultText: "a new run",
					Usage: "repeat `RUN` from its recording, without models and search",
				},
				&cli.BoolFlag{
					Name: flagCheck, Destination: &given.check,
					Usage: "with --replay: exit 1 if a verdict differs from the recording",
				},
				&cli.BoolFlag{
					Name: flagRecordMissing, Destination: &given.recordMissing,
					Usage: "with --replay: send requests that are not in the recording to models and tools",
				},
			},
			runningFlags(&given.runningOptions, &given.settings),
			filterFlags(&given.filterOptions),
			[]cli.Flag{shardFlag(&given.shard), watchFlag(&given.watch,
				"run again when files of agent, prompts, configuration or dataset change, until Ctrl-C")},
			tableFlags(&given.tableOptions),
			resultFlags(&given.resultOptions),
		),
		Action: takes(&given.arguments, "one dataset", withRun(c, &given.arguments, &given.resultOptions,
			func(ctx context.Context, o *console.Output) error {
				if given.watch {
					return watchRun(ctx, c, &given, o)
				}
				return runAction(ctx, c, &given, o)
			}, &given.corpus, &given.file)),
	}
}
