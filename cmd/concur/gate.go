package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// defaultBaseline lies beside what it guards, and is committed.
const defaultBaseline = "baseline.jsonl"

const (
	flagBaselineFile = "baseline"
	flagJUnit        = "junit"
	flagMarkdown     = "markdown"
	flagSimulations  = "simulations"
	flagFrozen       = "frozen"
	flagAs           = "as"
	flagSpaced       = "spaced"
	flagNoConfirm    = "no-confirm"
	flagPoolRuns     = "pool-runs"
)

// quickSimulation is the number of simulated runs behind the figures that a decision prints.
const quickSimulation = 1000

// strictSpacing is how long late traces wait where the traces of a run are not independent.
const strictSpacing = 30 * time.Minute

func baselineFlag() cli.Flag {
	return &cli.StringFlag{Name: flagBaselineFile, Value: defaultBaseline, Usage: "`FILE` with the accepted runs", EnvVars: []string{"CONCUR_BASELINE"}}
}

func oneConfigurationFlag() cli.Flag {
	return &cli.StringFlag{Name: flagConfiguration, Usage: "the configuration `NAME` of an ablation", DefaultText: "the only one"}
}

func ruleFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: flagPoolRuns, Usage: "`RUNS` of the baseline that the run is compared with", DefaultText: "15 traces of each query, 5 runs at least"},
		&cli.Float64Flag{Name: "alpha", Value: gate.DefaultAlpha, Usage: "bound on the `CHANCE` of a false alarm"},
		&cli.BoolFlag{Name: flagNoConfirm, Usage: "run no fresh traces: decide with those that exist, and print what would be run"},
		&cli.BoolFlag{Name: "strict", Usage: "take the levels for traces that are not independent"},
	}
}

func (c *console) gateCommand() *cli.Command {
	return &cli.Command{
		Name:      "gate",
		Usage:     "compare a run with the accepted ones, and tell a regression from noise",
		ArgsUsage: "RUN",
		Description: `RUN is a run folder, its name, or latest. It is compared with the last accepted runs in
the baseline file, query by query. Queries that lost traces are run again with fresh
traces, kept in RUN-fresh, before they count; so are all queries where the total alarms.
A query without history is not gated yet, and blocks nothing. gate.json in the run's
folder keeps the decision. What it said with fresh traces stays: another level, pool or
threshold is another question, and needs a name (--as).

Exit codes: 0 PASS · 1 REGRESSION or DRIFT · 2 usage · 3 INVALID · 4 INCONCLUSIVE, such
as too little history. docs/ci.md says what to do about each.

Examples:
  concur run --seed 7 && concur gate latest
  concur gate latest --junit gate.xml --markdown comment.md
  concur gate latest --no-confirm
  concur gate latest --min-pass-rate 0.8 --max-usd 2
  concur gate latest --alpha 0.01 --as release
  concur gate simulate`,
		Flags: slices.Concat([]cli.Flag{baselineFlag(), oneConfigurationFlag(), datasetFlag()}, ruleFlags(), []cli.Flag{
			&cli.StringFlag{Name: flagAs, Usage: "ask this beside the run's own decision, under a `NAME`"},
			&cli.DurationFlag{Name: flagSpaced, Usage: "run fresh traces beyond the first looks no sooner than `TIME` after the run", DefaultText: "0; 30m where strict", EnvVars: []string{"CONCUR_SPACED"}},
			&cli.StringFlag{Name: flagFrozen, Usage: "a second baseline `FILE` that does not roll on, to find slow drift"},
			&cli.Float64Flag{Name: "floor", Usage: "fail where the pass rate is provably below `RATE`"},
			&cli.Float64Flag{Name: "non-inferiority", Usage: "want it shown that the run is not worse by `MARGIN`, from 300 queries on"},
			&cli.Float64Flag{Name: "min-pass-rate", Usage: "plain threshold: fail below `RATE`"},
			&cli.IntFlag{Name: "max-losses", Usage: "plain threshold: fail where more than `N` queries are lost against the last accepted run"},
			&cli.Float64Flag{Name: "max-usd", Usage: "plain threshold: fail where the run cost more than `DOLLARS`"},
			&cli.DurationFlag{Name: "max-p95", Usage: "plain threshold: fail where 95 % of traces took more than `TIME`"},
			&cli.IntFlag{Name: flagSimulations, Value: quickSimulation, Usage: "simulated `RUNS` behind the gate's own false alarms and power, fewer above 100 queries and none above 300; 0 leaves these out"},
			&cli.StringFlag{Name: flagJUnit, Usage: "also write JUnit XML to `FILE`"},
			&cli.StringFlag{Name: flagMarkdown, Usage: "also write Markdown to `FILE`, for a comment on a pull request"},
			&cli.BoolFlag{Name: flagYes, Usage: "run fresh traces without asking, whatever they may cost", EnvVars: []string{"CONCUR_YES"}},
			&cli.BoolFlag{Name: flagQuiet, Usage: "no progress on standard error", EnvVars: []string{"CONCUR_QUIET"}},
			runsDirFlag(),
		}, limitFlagsOf(configurationFlags()), outputFlags(reports.GateFormats())),
		OnUsageError: usageError,
		Action: func(ctx *cli.Context) error {
			if err := resultsApart(ctx); err != nil {
				return err
			}
			var report *reports.Gate
			err := c.withOutput(ctx, reports.GateFormats(), func(o *output) error {
				var err error
				report, err = c.gateAction(ctx, o)
				return err
			})
			if report == nil {
				err = c.noDecision(ctx, err)
			}
			return err
		},
		Subcommands: []*cli.Command{c.gateSimulateCommand()},
	}
}

// limitFlagsOf leaves those that reach neither agent nor result.
func limitFlagsOf(flags []cli.Flag) []cli.Flag {
	return slices.DeleteFunc(flags, func(f cli.Flag) bool { return !slices.Contains(limitFlags(), f.Names()[0]) })
}

// gateAction decides and reports. The report is nil where it came to no decision.
func (c *console) gateAction(ctx *cli.Context, o *output) (*reports.Gate, error) {
	signals := c.listen()
	defer signals.stop()
	options, err := gateOptions(ctx)
	if err != nil {
		return nil, err
	}
	g, err := c.newGating(ctx, options)
	if err != nil {
		return nil, err
	}
	g.signals = signals
	if err := g.allowed(ctx); err != nil {
		return nil, err
	}
	rates, cfg := gate.Posterior(g.Evidence, options)
	cfg.Runs, cfg.Seed, cfg.Options.NoFresh = simulations(ctx, len(rates)), 1, ""
	var operating *gate.Operating
	if len(rates) > 0 && cfg.Runs > 0 {
		simulated, err := gate.Simulate(ctx.Context, rates, cfg)
		if err != nil {
			return nil, err
		}
		operating = &simulated
	}
	g.expected = operating
	out, err := g.decide(ctx)
	if err != nil {
		return nil, err
	}
	out.Operating = operating
	report := g.report(out)
	return &report, c.deliver(ctx, o, g, report)
}

// simulations bounds the time that the figures of many queries take.
func simulations(ctx *cli.Context, queries int) int {
	n := ctx.Int(flagSimulations)
	switch {
	case ctx.IsSet(flagSimulations) || queries <= 100:
		return n
	case queries > 300:
		return 0
	}
	return max(100, n*100*100/(queries*queries))
}

// gateOptions reads the flags that say how to decide.
func gateOptions(ctx *cli.Context) (gate.Options, error) {
	o := gate.Options{Alpha: ctx.Float64("alpha"), Strict: ctx.Bool("strict")}
	if ctx.Bool(flagNoConfirm) {
		o.NoFresh = "--" + flagNoConfirm
	}
	if !(o.Alpha > 0 && o.Alpha < 1) {
		return o, usagef("--alpha is %v: it must lie between 0 and 1", o.Alpha)
	}
	if n := ctx.Int(flagPoolRuns); ctx.IsSet(flagPoolRuns) && n < 1 {
		return o, usagef("--%s is %d: it must be at least 1", flagPoolRuns, n)
	}
	if n := ctx.Int(flagSimulations); n < 0 {
		return o, usagef("--%s is %d: it must be 0 or more", flagSimulations, n)
	}
	for name, field := range map[string]**float64{
		"floor": &o.Floor, "non-inferiority": &o.NonInferiority, "min-pass-rate": &o.MinPassRate, "max-usd": &o.MaxUSD,
	} {
		if ctx.IsSet(name) {
			v := ctx.Float64(name)
			*field = &v
		}
	}
	if ctx.IsSet("max-losses") {
		v := ctx.Int("max-losses")
		o.MaxLosses = &v
	}
	if ctx.IsSet("max-p95") {
		v := ctx.Duration("max-p95").Seconds()
		o.MaxP95S = &v
	}
	return o, nil
}

// gating is a decision on its way.
type gating struct {
	*console
	confirm.Case
	run      *store.Run
	source   string // of the dataset, where it lies now
	file     string // the baseline
	options  gate.Options
	folders  *confirm.Folders
	question confirm.Question
	said     []confirm.Said
	as       string
	signals  *listener
	expected *gate.Operating // nil where not simulated
	approved bool            // that fresh traces may cost what they do
}

// newGating opens the run and what it is compared with, and refuses what is no evidence.
func (c *console) newGating(ctx *cli.Context, options gate.Options) (*gating, error) {
	run, err := findRun(ctx, 1)
	if err != nil {
		return nil, err
	}
	m := run.Manifest
	refuse := func(err error) error { return usagef("gate run %s: %w", m.Run, err) }
	// A link must not hide what lies beside the run: the fresh traces that it has already.
	if run.Dir, err = resolved(run.Dir); err != nil {
		return nil, refuse(err)
	}
	if m.State != store.Complete {
		return nil, &exitError{exitInvalid, fmt.Errorf("gate run %s: it is not complete (state: %s): finish it with `%s`", m.Run, m.State, store.ResumeCommand(run.Dir, m))}
	}
	if err := confirm.Evidential(m); err != nil {
		return nil, refuse(err)
	}
	g := &gating{console: c, run: run, options: options, file: ctx.String(flagBaselineFile), as: ctx.String(flagAs)}
	if g.as != "" && !plainName.MatchString(g.as) {
		return nil, usagef("--%s is %q: a name has letters, digits, - and _, at most 40", flagAs, g.as)
	}
	pass, err := baseline.ReadPass(run, ctx.String(flagConfiguration))
	if err != nil {
		return nil, usagef("%w", err)
	}
	if g.said, err = saidOf(run, pass.Configuration.Name); err != nil { // before anything that takes time
		return nil, usagef("%w", err)
	}
	data, source, err := sameDataset(ctx, m)
	if err != nil {
		return nil, err
	}
	g.source = source
	for _, name := range []string{flagOut, flagJUnit, flagMarkdown} {
		if err := checkOut(name, ctx.String(name), []string{g.source}); err != nil {
			return nil, err
		}
	}
	materials := confirm.Materials{Pass: pass, Data: data, PoolRuns: ctx.Int(flagPoolRuns), Deterministic: config.IsOffline(pass.Configuration.Model)}
	if materials.Baseline, err = baseline.Read(g.file); err != nil {
		return nil, usagef("%w", err)
	}
	if file := ctx.String(flagFrozen); file != "" {
		materials.Frozen, err = baseline.Read(file)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, usagef("--%s %s: there is no such file; a frozen baseline is a copy of a baseline with ten runs or more, as it was at a release", flagFrozen, file)
		}
		if err != nil {
			return nil, usagef("--%s: %w", flagFrozen, err)
		}
	}
	if g.Case, err = confirm.Prepare(materials); err != nil {
		return nil, refuse(err)
	}
	g.question = g.Case.Question(options, filepath.Clean(g.file), ctx.String(flagFrozen))
	g.folders = &confirm.Folders{Pass: pass, Dir: run.Dir, ReadOnly: true, Deterministic: materials.Deterministic}
	if err := options.Validate(len(g.Data.Queries)); err != nil {
		return nil, usagef("%w", err)
	}
	return g, nil
}

// allowed refuses a question that would put another decision in the place of the run's.
func (g *gating) allowed(ctx *cli.Context) error {
	state, err := g.folders.State(ctx.Context)
	if err != nil {
		return &exitError{exitInvalid, err}
	}
	if err := confirm.Allow(g.said, g.as, g.question, state); err != nil {
		return usagef("gate run %s: %w", g.run.Manifest.Run, err)
	}
	return nil
}

// decide runs what the decision needs.
func (g *gating) decide(ctx *cli.Context) (gate.Outcome, error) {
	agent := &freshAgent{gating: g, ctx: ctx}
	g.folders.Agent, g.folders.ReadOnly = agent, g.options.NoFresh != ""
	s := confirm.Service{Fresh: g.folders, Before: func(r confirm.Round) error { return g.approve(ctx, r) }, Spaced: ctx.Duration(flagSpaced)}
	if g.run.Manifest.End != nil {
		s.Ended = *g.run.Manifest.End
	}
	if !ctx.IsSet(flagSpaced) && (g.options.Strict || g.Evidence.Dependent() != "") {
		s.Spaced = strictSpacing
	}
	running, stop := context.WithCancel(ctx.Context)
	defer stop()
	s.Wait = func(_ context.Context, d time.Duration) error {
		select {
		case <-running.Done():
			return &exitError{exitInterrupted, running.Err()}
		case <-g.signals.drain:
			return &exitError{exitInterrupted, fmt.Errorf("interrupted; ask the gate again to go on")}
		case <-time.After(d):
			return nil
		}
	}
	var out gate.Outcome
	var err error
	g.Evidence, out, err = s.Decide(ctx.Context, g.Evidence, g.options)
	if refused, ok := errors.AsType[*confirm.RefusedError](err); ok {
		return out, &exitError{exitInvalid, refused}
	}
	return out, err
}

// deliver writes the decision wherever it is wanted; the exit code is the decision's.
func (c *console) deliver(ctx *cli.Context, o *output, g *gating, report reports.Gate) error {
	err := o.write(func() error { return reports.WriteGate(o, reports.Format(o.format), report) })
	for file, format := range map[string]reports.Format{ctx.String(flagJUnit): reports.FormatJUnit, ctx.String(flagMarkdown): reports.FormatMarkdown} {
		if file != "" {
			err = errors.Join(err, writeGate(file, format, report))
		}
	}
	err = errors.Join(err, g.keep(report), c.tellGitHub(report))
	if err != nil {
		return &exitError{exitInvalid, err}
	}
	if code := report.Decision.ExitCode(); code != exitOK {
		return &exitError{code, fmt.Errorf("%s: %s", report.Decision, cmp.Or(slices.Concat(report.Reasons, []string{"see above"})...))}
	}
	return nil
}

func writeGate(file string, format reports.Format, g reports.Gate) error {
	var b bytes.Buffer
	if err := reports.WriteGate(&b, format, g); err != nil {
		return err
	}
	return store.Deliver(file, b.Bytes())
}

// tellGitHub marks what was found on the page of the workflow run, where there is one.
func (c *console) tellGitHub(g reports.Gate) error {
	if c.environ("GITHUB_ACTIONS") != "true" {
		return nil
	}
	err := reports.Annotations(c.err, g)
	summary := c.environ("GITHUB_STEP_SUMMARY")
	if summary == "" {
		return err
	}
	f, openErr := os.OpenFile(summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if openErr != nil {
		return errors.Join(err, fmt.Errorf("write step summary: %w", openErr))
	}
	return errors.Join(err, reports.WriteGate(f, reports.FormatMarkdown, g), f.Close())
}

// noDecision reports a failure before any decision where a CI looks: in the JUnit file that
// was asked for, and on the page of the workflow run.
func (c *console) noDecision(ctx *cli.Context, err error) error {
	if err == nil || exitCode(err) == exitInterrupted {
		return err
	}
	if file := ctx.String(flagJUnit); file != "" && exitCode(err) == exitInvalid {
		err = errors.Join(err, writeGate(file, reports.FormatJUnit, reports.Gate{Outcome: gate.Outcome{Reasons: []string{err.Error()}}}))
		err = &exitError{exitInvalid, err}
	}
	if c.environ("GITHUB_ACTIONS") != "true" {
		return err
	}
	if writeErr := reports.Annotation(c.err, "concur gate: no decision", err.Error()); writeErr != nil {
		return errors.Join(err, writeErr)
	}
	return err
}
