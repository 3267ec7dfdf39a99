package weighing

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/naming"
	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/worth"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// Names of flags.
const (
	flagScorer = "scorer"
	flagTau    = "tau"
)

func usefulnessAction(ctx context.Context, c *console.Console, given *usefulnessOptions, o *console.Output) error {
	if !(given.tau >= 0) || math.IsInf(given.tau, 0) {
		return console.Usagef("--%s is %g: give a number of nats from 0 up, such as 1", flagTau, given.tau)
	}
	run, err := c.FindRun(given.runsDir, given.Word(0))
	if err != nil {
		return err
	}
	conf, err := flags.ReadConfiguration(c, &given.Settings, "")
	if err != nil {
		return err
	}
	name, err := configurationOf(run.Manifest, given.configuration)
	if err != nil {
		return err
	}
	made := settingsOf(run.Manifest, name)
	conf.Model, conf.Scorer = made.Model, cmp.Or(given.scorer, conf.Scorer, made.Scorer)
	if conf.Scorer == "" {
		return console.Usagef("name a model that gives log-probabilities with --%s, such as --%[1]s offline:ngram",
			flagScorer)
	}
	golds, err := readGolds(run, given.dataset)
	if err != nil {
		return err
	}
	report, err := measure(ctx, c, run, golds, conf, usefulness.Options{Tau: given.tau, Configuration: name}, given.quiet)
	if err != nil {
		return err
	}
	return o.Deliver(func() error {
		return worth.Write(o, document.Format(o.Format), report, o.Screen(false))
	})
}

// measure opens the scorer of a configuration and measures the calls of a run.
func measure(ctx context.Context, c *console.Console, run *store.Run, golds usefulness.Golds, conf config.Configuration,
	o usefulness.Options, quiet bool) (report *usefulness.Report, err error) {
	spec := conf.ModelOf(conf.Scorer)
	set, stop := c.Progress(quiet).Bar("score the calls")
	defer stop()
	err = c.Assembler.WithScorer(ctx, conf, conf.Scorer, assemble.ScorerOptions{},
		func(within context.Context, s model.Scorer) error {
			o.Scorer = usefulness.Scorer{Scorer: s, Name: spec, Version: versionOf(c, conf, spec)}
			o.Parallel, o.Progress = conf.Limits.Traces(), set
			report, err = usefulness.Measure(within, run, golds, o)
			if cause := context.Cause(within); err != nil && cause != nil && ctx.Err() == nil {
				err = errors.Join(cause, err) // the budget is spent, or the endpoint is down
			}
			return err
		})
	return report, err
}

// ScoreRun scores the calls of a run that has ended, for each configuration that names a scorer. The report then has
// columns on their worth. An error does not affect the run.
func ScoreRun(ctx context.Context, c *console.Console, dir string, quiet bool) error {
	run, err := store.Open(dir)
	if err != nil {
		return err
	}
	names := scored(run.Manifest)
	if len(names) == 0 {
		return nil
	}
	golds, err := readGolds(run, "")
	if err != nil {
		return err
	}
	for _, name := range names {
		made := settingsOf(run.Manifest, name)
		o := usefulness.Options{Tau: usefulness.DefaultTau, Configuration: name}
		if _, err := measure(ctx, c, run, golds, made, o, quiet); err != nil {
			return fmt.Errorf("%w; the run is complete; score its calls with: concur usefulness %s --scorer %s", err,
				store.ShellQuoted(dir), made.ModelOf(made.Scorer))
		}
	}
	return nil
}

// scored returns the names of the configurations with a scorer; only "" if all of them have the same one.
func scored(m store.Manifest) (names []string) {
	scorers := map[string]bool{}
	for _, c := range m.Configurations {
		scorers[c.ModelOf(c.Scorer)] = true
		if c.Scorer != "" {
			names = append(names, c.Name)
		}
	}
	if len(names) == len(m.Configurations) && len(scorers) == 1 {
		return []string{""}
	}
	return names
}

// configurationOf returns the full name of a configuration of a run; "" means all of them.
func configurationOf(m store.Manifest, given string) (string, error) {
	name := naming.NameOf(m, given)
	if given == "" || slices.ContainsFunc(m.Configurations, func(c store.Configuration) bool { return c.Name == name }) {
		return name, nil
	}
	return "", console.Usagef("run %s has no configuration %q; `concur report %[1]s` lists them", m.Run, given)
}

// settingsOf returns a configuration of a run, or the first one.
func settingsOf(m store.Manifest, name string) config.Configuration {
	for _, c := range m.Configurations {
		if name == "" || c.Name == name {
			return c.Configuration
		}
	}
	return config.Configuration{}
}

// versionOf returns what identifies the scorer's scores: the version of a local model, or address and settings.
func versionOf(c *console.Console, conf config.Configuration, spec string) string {
	conf.Model = spec
	return spec + " " + c.Assembler.Versions(conf)["model"]
}

// readGolds reads the right answers of a run's queries. The manifest of an import has no dataset, so the dataset that
// the user named cannot be compared with it; only its questions are compared with those of the run.
func readGolds(run *store.Run, dataset string) (golds usefulness.Golds, err error) {
	var set *queries.Set
	imported := run.Manifest.Dataset.Source == "" && dataset != ""
	if imported {
		set, err = queries.Open(dataset, datasets.Part{})
	} else {
		set, _, err = runner.ReopenSet(run.Manifest, dataset)
	}
	if err != nil {
		return nil, err
	}
	if imported {
		err = sameQuestions(run, set, dataset)
	}
	if err == nil {
		golds, err = usefulness.ReadGolds(set)
	}
	if err := errors.Join(err, set.Close()); err != nil {
		return nil, fmt.Errorf("read the golds of run %s: %w", run.Manifest.Run, err)
	}
	return golds, nil
}

// sameQuestions returns an error if a query of a run has another question in the dataset, or is not in it.
func sameQuestions(run *store.Run, set *queries.Set, dataset string) error {
	texts := map[string]string{}
	for q, err := range set.Queries() {
		if err != nil {
			return err
		}
		texts[q.ID] = q.Text
	}
	for r, err := range run.Records() {
		if err != nil {
			return err
		}
		if texts[r.Query] != r.Question {
			return fmt.Errorf("%s does not have its query %s, or has another question for it: name the dataset of the run "+
				"with --dataset", dataset, r.Query)
		}
	}
	return nil
}

//go:embed help/usefulness.txt
var usefulnessHelp string

// usefulnessOptions holds the arguments and flags of concur usefulness.
type usefulnessOptions struct {
	flags.Arguments
	flags.Settings
	flags.ResultOptions

	scorer, configuration, dataset, runsDir string
	tau                                     float64
	quiet                                   bool
}

// UsefulnessCommand returns the command `concur usefulness`.
func UsefulnessCommand(c *console.Console) *cli.Command {
	var given usefulnessOptions
	return &cli.Command{
		Name: "usefulness", ArgsUsage: "RUN", Description: flags.Described(usefulnessHelp),
		Usage: "say what each call of a tool was worth: how much likelier its result makes the right answer",
		Flags: slices.Concat(
			[]cli.Flag{
				&cli.StringFlag{
					Name: flagScorer, Destination: &given.scorer, DefaultText: "scorer of concur.yaml or of the run",
					Usage: "`PROVIDER:MODEL` that gives log-probabilities, such as offline:ngram; same means the agent's model",
				},
				&cli.Float64Flag{
					Name: flagTau, Destination: &given.tau, Value: usefulness.DefaultTau,
					Usage: "`GAIN` in nats from which a call counts as useful, and as harmful if it is negative",
				},
				&cli.StringFlag{
					Name: flags.NameConfiguration, Destination: &given.configuration, DefaultText: "all",
					Usage: "measure only the configuration `NAME` of an ablation",
				},
				&cli.StringFlag{
					Name: flags.NameDataset, TakesFile: true, Destination: &given.dataset, DefaultText: "the run's",
					Usage: "`FILE` with the run's queries, if it was moved or the run was imported",
				},
				flags.Format(&given.Format, worth.Formats()...),
				flags.Out(&given.Out),
			},
			flags.LimitGroup(&given.Settings),
			[]cli.Flag{
				flags.RunsDir(&given.runsDir),
				flags.Config(&given.Settings),
				flags.Quiet(&given.quiet),
			},
		),
		Action: flags.Takes(&given.Arguments, "", flags.WithOutput(c, &given.Arguments, &given.ResultOptions,
			func(ctx context.Context, o *console.Output) error {
				return usefulnessAction(ctx, c, &given, o)
			}, &given.dataset)),
	}
}
