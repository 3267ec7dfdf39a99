package gating

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/sent/accepted"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/cmd/concur/reading"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/gatereport"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

func baselineAdd(ctx context.Context, c *console.Console, given *baselineAddOptions, w io.Writer) error {
	run, err := gatedRun(given.runsDir, given.Word(0))
	if err != nil {
		return err
	}
	data, _, err := runner.Reopen(run.Manifest, given.dataset)
	if err != nil {
		return err
	}
	file := given.baseline
	candidate := baseline.Candidate{}
	if candidate.Pass, err = reading.ReadPass(run, given.configuration); err != nil {
		return err
	}
	name := candidate.Configuration.Name
	log, err := confirm.ReadLog(run, name)
	if err := cmp.Or(candidate.Judged(), err); err != nil {
		return err
	}
	// A decision counts only with this baseline, but an alarm with any.
	if own, ok := confirm.OwnEntry(log); ok && (own.Decision.Alarm() || own.Baseline == filepath.Clean(file) ||
		console.SameFile(own.Baseline, file)) {
		candidate.Decision, candidate.Bootstrap, candidate.Undecided = own.Decision, own.Bootstrap, confirm.Undecided(log)
	}
	b, err := accept(ctx, c, given.override, file, candidate, data)
	if err == nil {
		fmt.Fprintf(w, "accepted %s into %s; configuration %s has %s\n", run.Manifest.Run, file, name,
			text.Counted(len(b.Counting(name)), "run"))
		err = accepted.Keep(ctx, accepted.File(file), run, candidate.Configuration, candidate.IDs())
	}
	return err
}

// accept adds a run to a baseline, by a person if --override gives a reason.
func accept(ctx context.Context, c *console.Console, reason, file string, run baseline.Candidate,
	data *datasets.Dataset) (*baseline.Baseline, error) {
	if reason != "" {
		run.Override = &baseline.Override{Reason: reason, Author: c.Author(ctx)}
	}
	return ChangeBaseline(ctx, file, func(b *baseline.Baseline) error { return b.Add(run, data) })
}

// ChangeBaseline changes the baseline in a file. The exit code of the error is ExitInvalid if the file could not be
// written.
func ChangeBaseline(ctx context.Context, file string,
	change func(*baseline.Baseline) error) (*baseline.Baseline, error) {
	b, err := baseline.Change(ctx, file, change)
	if errors.Is(err, disk.ErrHeld) || errors.Is(err, baseline.ErrNotWritten) {
		err = console.WithCode(console.ExitInvalid, err)
	}
	return b, err
}

func baselineReset(ctx context.Context, c *console.Console, given *baselineResetOptions, w io.Writer) error {
	if given.reason == "" {
		return console.Usagef("baseline reset needs --reason: say in a sentence why the history begins again")
	}
	keep := given.keep
	for i, of := range keep {
		if of != runlist.Latest {
			continue
		}
		run, err := runlist.Find(given.runsDir, of)
		if err != nil {
			return err
		}
		keep[i] = run.Manifest.Run
	}
	r := baseline.Reset{Author: c.Author(ctx), Reason: given.reason, Keep: keep}
	b, err := ChangeBaseline(ctx, given.baseline, func(b *baseline.Baseline) (err error) {
		r.Time = time.Now()
		if r.Configuration, err = configurationOf(given.baseline, given.configuration, b); err != nil {
			return err
		}
		return b.Reset(r)
	})
	if err == nil {
		fmt.Fprintf(w, "configuration %s begins again in %s, with %s\n", r.Configuration, given.baseline,
			text.Counted(len(b.Counting(r.Configuration)), "run"))
	}
	return err
}

// poolOf returns the baseline and the pool of the named configuration.
func poolOf(given *decisionOptions) (*baseline.Baseline, baseline.Pool, error) {
	b, err := baseline.Read(given.baseline)
	if err != nil {
		return nil, baseline.Pool{}, err
	}
	name, err := configurationOf(given.baseline, given.configuration, b)
	return b, b.Pool(name, flags.ValueOr(given.poolRuns, 0), 0), err
}

func baselineShow(given *baselineShowOptions, o *console.Output) error {
	b, pool, err := poolOf(&given.decisionOptions)
	if err != nil {
		return err
	}
	var graded baseline.Regraded
	if source := given.dataset; source != "" {
		data, err := datasets.Open(source)
		if err != nil {
			return err
		}
		if pool, graded, err = pool.Regrade(data); err != nil {
			return err
		}
	}
	shown := gatereport.NewBaseline(given.baseline, b, pool, pool.Evidence(1, confirm.Permutations))
	shown.Warnings = append(shown.Warnings, graded.Warnings()...)
	return o.Deliver(func() error {
		return gatereport.WriteBaseline(o, document.Format(o.Format), shown,
			o.Screen(false))
	})
}

//go:embed help/baseline.txt
var baselineHelp string

// BaselineCommand returns the command `concur baseline`.
func BaselineCommand(c *console.Console) *cli.Command {
	return &cli.Command{
		Name: "baseline", Description: flags.Described(baselineHelp),
		Usage:  "manage the accepted runs, with which the gate compares new runs",
		Action: flags.ShowCommands,
		Subcommands: []*cli.Command{
			baselineAddCommand(c),
			baselineShowCommand(c),
			baselineResetCommand(c),
			baselinePruneCommand(c),
		},
	}
}

//go:embed help/baseline-add.txt
var baselineAddHelp string

// baselineAddOptions holds the arguments and flags of concur baseline add.
type baselineAddOptions struct {
	flags.Arguments

	baseline, configuration, dataset, override, runsDir string
}

func baselineAddCommand(c *console.Console) *cli.Command {
	var given baselineAddOptions
	return &cli.Command{
		Name: "add", ArgsUsage: "RUN", Description: flags.Described(baselineAddHelp),
		Usage: "accept a run of the main line",
		Flags: []cli.Flag{
			flags.Baseline(&given.baseline),
			flags.Configuration(&given.configuration),
			flags.Dataset(&given.dataset),
			&cli.StringFlag{
				Name: "override", Destination: &given.override,
				Usage: "accept the run against the gate's decision, for this `REASON`",
			},
			flags.RunsDir(&given.runsDir),
		},
		Action: flags.Takes(&given.Arguments, "", c.Folded(func(ctx context.Context, w io.Writer) error {
			return baselineAdd(ctx, c, &given, w)
		})),
	}
}

//go:embed help/baseline-show.txt
var baselineShowHelp string

// baselineShowOptions holds the arguments and flags of concur baseline show.
type baselineShowOptions struct {
	flags.Arguments
	flags.ResultOptions
	decisionOptions

	dataset string
}

func baselineShowCommand(c *console.Console) *cli.Command {
	var given baselineShowOptions
	return &cli.Command{
		Name: "show", Description: flags.Described(baselineShowHelp),
		Usage: "show the accepted runs, and how often each query was right",
		Flags: slices.Concat(
			[]cli.Flag{
				flags.Baseline(&given.baseline),
				flags.Configuration(&given.configuration),
				&cli.IntFlag{
					Name: flags.NamePoolRuns, Action: flags.Stored(&given.poolRuns), DefaultText: "15 traces of each query, 5 runs " +
						"at least",
					Usage: "`RUNS` that a run is compared with",
				},
				&cli.StringFlag{
					Name: flags.NameDataset, TakesFile: true, Destination: &given.dataset, DefaultText: "as they were graded",
					Usage: "grade the stored answers by the golds of this `DATASET`",
				},
			},
			flags.FigureGroup(&given.ResultOptions),
		),
		Action: flags.Takes(&given.Arguments, "", flags.WithOutput(c, &given.Arguments, &given.ResultOptions,
			func(_ context.Context, o *console.Output) error {
				return baselineShow(&given, o)
			}, &given.baseline, &given.dataset)),
	}
}

//go:embed help/baseline-reset.txt
var baselineResetHelp string

// baselineResetOptions holds the arguments and flags of concur baseline reset.
type baselineResetOptions struct {
	flags.Arguments

	baseline, configuration, reason, runsDir string
	keep                                     []string
}

func baselineResetCommand(c *console.Console) *cli.Command {
	var given baselineResetOptions
	return &cli.Command{
		Name: "reset", Description: flags.Described(baselineResetHelp),
		Usage: "start the history again after an intended change",
		Flags: []cli.Flag{
			flags.Baseline(&given.baseline),
			flags.Configuration(&given.configuration),
			&cli.StringFlag{Name: "reason", Destination: &given.reason, Usage: "the reason, as a `SENTENCE`"},
			&cli.StringSliceFlag{
				Name: "keep", TakesFile: true, Action: flags.Listed("keep", &given.keep),
				Usage: "accepted `RUNS` that show the change and still count",
			},
			flags.RunsDir(&given.runsDir),
		},
		Action: flags.Takes(&given.Arguments, "", c.Folded(func(ctx context.Context, w io.Writer) error {
			return baselineReset(ctx, c, &given, w)
		})),
	}
}
