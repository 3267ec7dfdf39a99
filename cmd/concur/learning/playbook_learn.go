package learning

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
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/cmd/concur/running"
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
		if err := given.Idle("without --reflector", flags.NameMaxCalls, flags.NameConfig); err != nil {
			return err
		}
	}
	stage, err := playbook.ParseStage(given.stage)
	if err != nil {
		return console.Usagef("--stage: %w", err)
	}
	for _, name := range given.Words {
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
	f, wrong := given.FromFile(config.New())
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
	flags.Arguments
	flags.Settings

	into, labels, stage, configuration, reflector, dataset, runsDir string
	level                                                           float64
	budget, maxCalls                                                int
}

func playbookLearnCommand(c *console.Console) *cli.Command {
	var given playbookLearnOptions
	return &cli.Command{
		Name: "learn", ArgsUsage: "RUN…", Description: flags.Described(playbookLearnHelp),
		Usage: "make bullets from right and wrong traces of finished runs",
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: "into", TakesFile: true, Destination: &given.into, Value: "playbook.yaml",
				Usage: "change or create the playbook `FILE`",
			},
			flags.Choice(&given.labels, &cli.StringFlag{
				Name:  "labels",
				Usage: "`LABELS` of right traces: gold, or majority (traces with the most frequent answer)",
			}, "gold", "majority"),
			flags.Choice(&given.stage, &cli.StringFlag{
				Name:  "stage",
				Usage: "add bullets to the `STAGE` shown, or draft: agents see them only with playbook.stage: draft",
			}, "shown", "draft"),
			flags.Level(&given.level),
			&cli.IntFlag{
				Name: "budget", Destination: &given.budget, DefaultText: "no bound",
				Usage: "limit the playbook to this many `TOKENS`: bullets with the lowest scores are removed",
			},
			&cli.StringFlag{
				Name: flags.NameConfiguration, Destination: &given.configuration, DefaultText: "the only one",
				Usage: "learn from the configuration `NAME` of an ablation",
			},
			&cli.StringFlag{
				Name: flags.NameReflector, Destination: &given.reflector, DefaultText: "the reflector sequence, without a model",
				Usage: "ask the model `PROVIDER:MODEL` about a right and a wrong trace of each query",
			},
			&cli.IntFlag{
				Name: flags.NameMaxCalls, Destination: &given.maxCalls, DefaultText: "no bound",
				Usage: "with --reflector: ask at most this many `TIMES`; the same command continues later",
			},
			flags.Dataset(&given.dataset),
			flags.RunsDir(&given.runsDir),
			flags.Config(&given.Settings),
		},
		Action: flags.Takes(&given.Arguments, "", c.Folded(func(ctx context.Context, w io.Writer) error {
			return playbookLearn(ctx, c, &given, w)
		})),
	}
}

// curvePoints are the numbers of queries, learned from, after which a playbook is evaluated.
var curvePoints = []int{5, 10, 20, 40}

func playbookCurve(ctx context.Context, c *console.Console, given *playbookCurveOptions, o *console.Output) error {
	if given.Resume != "" {
		return console.Usagef("playbook curve --resume: finish a curve with `concur ablate --resume %s`",
			store.ShellQuoted(given.Resume))
	}
	if err := cmp.Or(given.TableOptions.Check(&given.Arguments),
		given.Idle("on a new curve", flags.NameRetryFailed)); err != nil {
		return err
	}
	run, err := c.FindRun(given.RunsDir, given.Word(0))
	if err != nil {
		return err
	}
	source := given.Dataset
	if source == "" {
		return console.Usagef("playbook curve needs --dataset: the queries to evaluate on, which are others than those of " +
			"the run")
	}
	base, err := flags.ReadConfiguration(c, &given.Settings, source)
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
	draft, err := running.NewDraft(ctx, c, &given.TracesOptions, source, confs)
	if err != nil {
		return err
	}
	draft.Manifest.Ablation, draft.Manifest.Baseline = "playbook-curve", base.Name
	return running.Begin(ctx, c, &given.TracesOptions, draft, o)
}

//go:embed help/playbook-curve.txt
var playbookCurveHelp string

// playbookCurveOptions holds the arguments and flags of concur playbook curve.
type playbookCurveOptions struct {
	flags.TracesOptions

	dir, labels, learnedAs string
	level                  float64
}

func playbookCurveCommand(c *console.Console) *cli.Command {
	var given playbookCurveOptions
	return &cli.Command{
		Name: "curve", ArgsUsage: "RUN", Description: flags.Described(playbookCurveHelp),
		Usage: "evaluate playbooks learned from 5, 10, 20 and 40 queries of a run",
		Flags: slices.Concat(
			flags.ConfigurationGroup(&given.Settings),
			[]cli.Flag{
				&cli.StringFlag{
					Name: flags.NameDataset, TakesFile: true, Destination: &given.Dataset, EnvVars: []string{"CONCUR_DATASET"},
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
				flags.Level(&given.level),
				&cli.StringFlag{
					Name: "learned-as", Destination: &given.learnedAs, DefaultText: "the only one",
					Usage: "learn from the configuration `NAME` of an ablation",
				},
				flags.Seed(&given.Seed),
			},
			flags.FilterGroup(&given.FilterOptions),
			flags.ComparisonGroup(&given.ComparisonOptions),
			flags.TableGroup(&given.TableOptions),
			flags.RunningGroup(&given.RunningOptions, &given.Settings),
			flags.ResultGroup(&given.ResultOptions),
		),
		Action: flags.Takes(&given.Arguments, "", flags.WithRun(c, &given.Arguments, &given.ResultOptions,
			func(ctx context.Context, o *console.Output) error {
				return playbookCurve(ctx, c, &given, o)
			}, &given.Corpus, &given.Dataset, &given.File)),
	}
}
