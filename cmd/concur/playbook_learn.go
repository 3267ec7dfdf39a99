package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/playbook"
	"github.com/seed-5817661a/concur/runner/playbook/learn"
	"github.com/seed-5817661a/concur/runner/store"
)

func playbookLearn(ctx context.Context, c *console.Console, given *playbookLearnOptions, w io.Writer) error {
	if given.reflector == "" {
		if err := given.idle("without --reflector", flagMaxCalls, flagConfig); err != nil {
			return err
		}
	}
	stage, err := playbook.ParseStage(given.stage)
	if err != nil {
		return console.Usagef("--stage: %w", err)
	}
	for _, name := range given.words {
		run, err := c.FindRun(given.runsDir, name)
		if err != nil {
			return err
		}
		o, err := learnOptions(given, run)
		if err != nil {
			return err
		}
		lesson, err := reflectOn(ctx, c, given, w, run, o)
		if err != nil {
			return console.Usagef("learn from run %s: %w", run.Manifest.Run, err)
		}
		if stage == playbook.Draft {
			lesson.Draft()
		}
		batch, err := learn.AddLesson(ctx, given.into, lesson, o.Budget, time.Now())
		if err != nil {
			return err
		}
		if err := os.Remove(journalOf(given, run)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		describeLesson(w, run.Manifest.Run, lesson, batch)
	}
	return nil
}

func reflectOn(ctx context.Context, c *console.Console, given *playbookLearnOptions, w io.Writer, run *store.Run,
	o learn.Options) (lesson *learn.Lesson, err error) {
	spec := given.reflector
	if spec == "" {
		return learn.Sequence(run, o)
	}
	f, wrong := given.fromFile(config.New())
	if wrong != nil {
		return nil, wrong
	}
	conf := f.Configuration
	conf.Model = spec
	err = c.Assembler.WithModel(ctx, conf, func(within context.Context, m model.Model) error {
		unread := 0
		lesson, unread, err = learn.Contrast{Model: m, MaxCalls: given.maxCalls,
			Journal: journalOf(given, run)}.Learn(within, run, o)
		if unread > 0 {
			fmt.Fprintf(w, "%s could not be read\n", text.Counted(unread, "reply"))
		}
		return err
	})
	return lesson, err
}

// journalOf returns the file that keeps a model's replies about a run until they are in the playbook.
func journalOf(given *playbookLearnOptions, run *store.Run) string {
	return given.into + "." + run.Manifest.Run + "." + given.labels + ".journal"
}

func learnOptions(given *playbookLearnOptions, run *store.Run) (learn.Options, error) {
	o := learn.Options{
		Labels: learn.Labels(given.labels), Level: given.level, Configuration: given.configuration, Budget: given.budget,
	}
	switch {
	case !(o.Level > 0 && o.Level < 1):
		return o, console.Usagef("--level is %v: give one between 0 and 1, such as %v", o.Level, learn.DefaultLevel)
	case o.Budget < 0:
		return o, console.Usagef("--budget is %d: give 1 or more tokens", o.Budget)
	}
	data, _, err := runner.Reopen(run.Manifest, given.dataset)
	if err != nil {
		return o, err
	}
	o.Known = learn.Golds(data)
	return o, nil
}

func describeLesson(w io.Writer, run string, l *learn.Lesson, b *learn.Batch) {
	if b == nil {
		fmt.Fprintf(w, "run %s: learned from before by %s; nothing was changed\n", document.Clean(run),
			document.Clean(l.Learned.Reflector))
		return
	}
	fmt.Fprintf(w, "run %s: %s, %s compared, %s\n", document.Clean(run), text.Counted(len(l.Learned.Queries), "query"),
		text.Counted(l.Tested, "sequence"), text.Counted(len(b.Changes), "change"))
	for _, c := range b.Changes {
		fmt.Fprintf(w, "  %s %s: %s\n", c.Type, c.Result, document.Clean(c.Reason))
	}
	for _, r := range b.Refused {
		fmt.Fprintf(w, "  refused: %s: %s\n", r.Type, document.Clean(r.Why))
	}
	if l.Dropped > 0 {
		fmt.Fprintf(w, "dropped for an answer of the dataset in it: %s\n", text.Counted(l.Dropped, "bullet"))
	}
	if len(l.Nameless) > 0 {
		fmt.Fprintf(w, "no bullet for %s: the questions have no words of their own\n",
			document.Clean(strings.Join(l.Nameless, ", ")))
	}
}

//go:embed help/playbook-learn.txt
var playbookLearnHelp string

// playbookLearnOptions holds the arguments and flags of concur playbook learn.
type playbookLearnOptions struct {
	arguments
	settings

	into, labels, stage, configuration, reflector, dataset, runsDir string
	level                                                           float64
	budget, maxCalls                                                int
}

func playbookLearnCommand(c *console.Console) *cli.Command {
	var given playbookLearnOptions
	return &cli.Command{
		Name: "learn", ArgsUsage: "RUN…", Description: described(playbookLearnHelp),
		Usage: "make bullets from right and wrong traces of finished runs",
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: "into", TakesFile: true, Destination: &given.into, Value: "playbook.yaml",
				Usage: "change or create the playbook `FILE`",
			},
			choice(&given.labels, &cli.StringFlag{
				Name:  "labels",
				Usage: "`LABELS` of right traces: gold, or majority (traces with the most frequent answer)",
			}, "gold", "majority"),
			choice(&given.stage, &cli.StringFlag{
				Name:  "stage",
				Usage: "add bullets to the `STAGE` shown, or draft: agents see them only with playbook.stage: draft",
			}, "shown", "draft"),
			levelFlag(&given.level),
			&cli.IntFlag{
				Name: "budget", Destination: &given.budget, DefaultText: "no bound",
				Usage: "limit the playbook to this many `TOKENS`: bullets with the lowest scores are removed",
			},
			&cli.StringFlag{
				Name: flagConfiguration, Destination: &given.configuration, DefaultText: "the only one",
				Usage: "learn from the configuration `NAME` of an ablation",
			},
			&cli.StringFlag{
				Name: flagReflector, Destination: &given.reflector, DefaultText: "the reflector sequence, without a model",
				Usage: "ask the model `PROVIDER:MODEL` about a right and a wrong trace of each query",
			},
			&cli.IntFlag{
				Name: flagMaxCalls, Destination: &given.maxCalls, DefaultText: "no bound",
				Usage: "with --reflector: ask at most this many `TIMES`; the same command continues later",
			},
			datasetFlag(&given.dataset),
			runsDirFlag(&given.runsDir),
			configFlag(&given.settings),
		},
		Action: takes(&given.arguments, "", c.Folded(func(ctx context.Context, w io.Writer) error {
			return playbookLearn(ctx, c, &given, w)
		})),
	}
}

// curvePoints are the numbers of queries, learned from, after which a playbook is evaluated.
var curvePoints = []int{5, 10, 20, 40}

func playbookCurve(ctx context.Context, c *console.Console, given *playbookCurveOptions, o *console.Output) error {
	if given.resume != "" {
		return console.Usagef("playbook curve --resume: finish a curve with `concur ablate --resume %s`",
			store.ShellQuoted(given.resume))
	}
	if err := cmp.Or(given.tableOptions.check(&given.arguments),
		given.idle("on a new curve", flagRetryFailed)); err != nil {
		return err
	}
	run, err := c.FindRun(given.runsDir, given.word(0))
	if err != nil {
		return err
	}
	source := given.dataset
	if source == "" {
		return console.Usagef("playbook curve needs --dataset: the queries to evaluate on, which are others than those of " +
			"the run")
	}
	base, err := readConfiguration(c, &given.settings, source)
	if err != nil {
		return err
	}
	base.Name = "off"
	confs := []config.Configuration{base}
	options := learn.Options{Labels: learn.Labels(given.labels), Level: given.level, Configuration: given.learnedAs}
	for _, n := range curvePoints {
		options.Limit = n
		lesson, err := learn.Sequence(run, options)
		if err != nil {
			return console.Usagef("learn from run %s: %w", run.Manifest.Run, err)
		}
		path := filepath.Join(given.dir, fmt.Sprintf("curve-%d.yaml", n))
		if _, err := learn.AddLesson(ctx, path, lesson, 0, time.Now()); err != nil {
			return err
		}
		conf := base
		conf.Name, conf.Agent.Playbook.File = fmt.Sprintf("after %d", n), path
		confs = append(confs, conf)
	}
	draft, err := newDraft(ctx, c, &given.tracesOptions, source, confs)
	if err != nil {
		return err
	}
	draft.Manifest.Ablation, draft.Manifest.Baseline = "playbook-curve", base.Name
	return begin(ctx, c, &given.tracesOptions, draft, o)
}

//go:embed help/playbook-curve.txt
var playbookCurveHelp string

// playbookCurveOptions holds the arguments and flags of concur playbook curve.
type playbookCurveOptions struct {
	tracesOptions

	dir, labels, learnedAs string
	level                  float64
}

func playbookCurveCommand(c *console.Console) *cli.Command {
	var given playbookCurveOptions
	return &cli.Command{
		Name: "curve", ArgsUsage: "RUN", Description: described(playbookCurveHelp),
		Usage: "evaluate playbooks learned from 5, 10, 20 and 40 queries of a run",
		Flags: slices.Concat(
			configurationFlags(&given.settings),
			[]cli.Flag{
				&cli.StringFlag{
					Name: flagDataset, TakesFile: true, Destination: &given.dataset, EnvVars: []string{"CONCUR_DATASET"},
					Usage: "evaluate on `DATASET`: a built-in name or a file",
				},
				&cli.StringFlag{
					Name: "dir", TakesFile: true, Destination: &given.dir, Value: ".",
					Usage: "write the playbooks into this `FOLDER`",
				},
				&cli.StringFlag{
					Name: "labels", Destination: &given.labels, Value: "gold",
					Usage: "`LABELS`: gold or majority, as for concur playbook learn",
				},
				levelFlag(&given.level),
				&cli.StringFlag{
					Name: "learned-as", Destination: &given.learnedAs, DefaultText: "the only one",
					Usage: "learn from the configuration `NAME` of an ablation",
				},
				seedFlag(&given.seed),
			},
			filterFlags(&given.filterOptions),
			comparisonFlags(&given.comparisonOptions),
			tableFlags(&given.tableOptions),
			runningFlags(&given.runningOptions, &given.settings),
			resultFlags(&given.resultOptions),
		),
		Action: takes(&given.arguments, "", withRun(c, &given.arguments, &given.resultOptions,
			func(ctx context.Context, o *console.Output) error {
				return playbookCurve(ctx, c, &given, o)
			}, &given.corpus, &given.dataset, &given.file)),
	}
}
