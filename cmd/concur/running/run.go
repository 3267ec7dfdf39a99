package running

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
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

func runAction(ctx context.Context, c *console.Console, given *runOptions, o *console.Output) error {
	switch {
	case given.name != nil && (given.Resume != "" || given.replay != ""):
		return console.Usagef("--name is for a new run: one that is resumed or replayed keeps its name")
	case given.Resume != "" && given.replay != "":
		return console.Usagef("--resume and --replay do not go together: finish the run first")
	}
	if err := given.idles(); err != nil {
		return err
	}
	if given.replay == "" {
		if err := given.Hub.Complete(&given.Settings); err != nil {
			return err
		}
	}
	switch {
	case given.Resume != "":
		return resumeAction(ctx, c, &given.TracesOptions, o)
	case given.replay != "":
		return replayAction(ctx, c, given, o)
	}
	if err := checkName(given.name); err != nil {
		return err
	}
	source := given.DatasetOr(given.Word(0))
	conf, err := flags.ReadConfiguration(c, &given.Settings, source)
	if err != nil {
		return err
	}
	draft, err := NewDraft(ctx, c, &given.TracesOptions, source, []config.Configuration{conf})
	if err != nil {
		return err
	}
	draft.Manifest.Title = flags.ValueOr(given.name, given.Prompt)
	if !given.Quiet {
		noteNamesake(c, given.RunsDir, flags.ValueOr(given.name, ""))
	}
	return Begin(ctx, c, &given.TracesOptions, draft, o)
}

// idles returns an error for flags that have no effect on this kind of run: new, resumed or replayed.
func (given *runOptions) idles() error {
	err := given.TableOptions.Check(&given.Arguments)
	switch {
	case err != nil:
	case given.replay == "" && given.recordMissing:
		err = console.Usagef("--record-missing goes with --replay RUN: add it, or leave the flag out")
	case given.replay == "" && given.check:
		err = console.Usagef("--check goes with --replay RUN: add it, or leave the flag out")
	case given.Resume == "" && given.RetryFailed:
		err = console.Usagef("--retry-failed goes with --resume RUN: add it, or leave the flag out")
	}
	if given.replay != "" {
		err = cmp.Or(err, given.Idle("on a replay, which makes no traces", flags.NameHub))
	}
	if given.Resume != "" || given.replay != "" {
		err = cmp.Or(err, given.Idle("on a run that was begun before", flags.NameAllowSeen, flags.NamePrompt))
	}
	return err
}

// maxName is the maximum number of characters of a run's name for people.
const maxName = 60

// checkName returns an error for a --name that a table cannot show, or that could mean another run.
func checkName(given *string) error {
	name := flags.ValueOr(given, "")
	switch {
	case given == nil:
		return nil
	case strings.TrimSpace(name) != name || name == "" || utf8.RuneCountInString(name) > maxName ||
		document.Clean(name) != name:
		return console.Usagef("--name %q: give 1 to %d printable characters, without spaces at the ends", name, maxName)
	case strings.HasPrefix(name, runlist.Latest) || strings.ContainsAny(name, `/\`):
		return console.Usagef("--name %q would be taken for another run or a folder: leave out / and \\, and begin "+
			"otherwise than "+
			"with %s", name, runlist.Latest)
	}
	return nil
}

// noteNamesake says if a run of the same name exists, because commands then use the newer one.
func noteNamesake(c *console.Console, runsDir, name string) {
	runs, _, err := runlist.List(runsDir)
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
	flags.TracesOptions

	name                 *string
	replay               string
	check, recordMissing bool
	watch                bool
}

// RunCommand returns the command `concur run`.
func RunCommand(c *console.Console) *cli.Command {
	var given runOptions
	return &cli.Command{
		Name: "run", Aliases: []string{"eval"}, ArgsUsage: "[DATASET]", Description: flags.Described(runHelp, "{{datasets}}",
			strings.Join(datasets.Builtin(), ", ")),
		Usage: "run K traces for every query of a dataset, and judge the answer on which they agree",
		Flags: slices.Concat(
			flags.ConfigurationGroup(&given.Settings),
			[]cli.Flag{
				flags.Seed(&given.Seed),
				&cli.StringFlag{
					Name: flags.NameName, Action: flags.Stored(&given.name), DefaultText: "its model, or its agent's command",
					Usage: "`NAME` of the run for tables, and for every command that takes a RUN",
				},
				&cli.StringFlag{
					Name: flags.NamePrompt, Destination: &given.Prompt, EnvVars: []string{"CONCUR_PROMPT"},
					DefaultText: "the first", Usage: "use the prompt `NAME` of concur.yaml's prompts; it is the run's name too",
				},
				&cli.StringFlag{
					Name: flags.NameReplay, TakesFile: true, Destination: &given.replay, DefaultText: "a new run",
					Usage: "repeat `RUN` from its recording, without models and search",
				},
				&cli.BoolFlag{
					Name: flags.NameCheck, Destination: &given.check,
					Usage: "with --replay: exit 1 if a verdict differs from the recording",
				},
				&cli.BoolFlag{
					Name: flags.NameRecordMissing, Destination: &given.recordMissing,
					Usage: "with --replay: send requests that are not in the recording to models and tools",
				},
			},
			flags.RunningGroup(&given.RunningOptions, &given.Settings),
			flags.HubGroup(&given.Hub),
			flags.FilterGroup(&given.FilterOptions),
			[]cli.Flag{flags.Shard(&given.Shard), flags.Watch(&given.watch,
				"run again when files of agent, prompts, configuration or dataset change, until Ctrl-C")},
			flags.TableGroup(&given.TableOptions),
			flags.ResultGroup(&given.ResultOptions),
		),
		Action: flags.Takes(&given.Arguments, "one dataset", flags.WithRun(c, &given.Arguments, &given.ResultOptions,
			func(ctx context.Context, o *console.Output) error {
				if given.watch {
					return watchRun(ctx, c, &given, o)
				}
				return runAction(ctx, c, &given, o)
			}, &given.Corpus, &given.File)),
	}
}
