package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports"
)

// defaultBaseline is made to stand beside what it guards, and to be committed.
const defaultBaseline = "baseline.jsonl"

const (
	flagBaselineFile = "baseline"
	flagReplicate    = "replicate"
	flagJUnit        = "junit"
	flagMarkdown     = "markdown"
	flagSimulations  = "simulations"
	flagFrozen       = "frozen"
)

func baselineFlag() cli.Flag {
	return &cli.StringFlag{Name: flagBaselineFile, Value: defaultBaseline, Usage: "`FILE` with the accepted runs", EnvVars: []string{"CONCUR_BASELINE"}}
}

func oneConfigurationFlag() cli.Flag {
	return &cli.StringFlag{Name: flagConfiguration, Usage: "the configuration `NAME` of an ablation", DefaultText: "the only one"}
}

func (c *console) gateCommand() *cli.Command {
	return &cli.Command{
		Name:      "gate",
		Usage:     "hold a run against the accepted ones, and tell a regression from noise",
		ArgsUsage: "RUN",
		Description: `RUN is a run folder, its name, or latest. It is held against the last accepted runs in
the baseline file, query by query. Queries that look broken are run again with fresh
traces, kept in RUN-confirm, before they count; an alarm of the total alone has to be
borne out by a second full pass, RUN-replicate. gate.json in the run's folder keeps all
that the gate has said of it.

Exit codes: 0 PASS · 1 REGRESSION or DRIFT · 2 usage · 3 INVALID · 4 INCONCLUSIVE, such
as too little history. docs/ci.md says what to do about each.

Examples:
  concur run --seed 7 && concur gate latest
  concur gate latest --junit gate.xml --markdown comment.md
  concur gate latest --no-confirm
  concur gate latest --min-pass-rate 0.8 --max-usd 2
  concur gate simulate`,
		Flags: slices.Concat([]cli.Flag{
			baselineFlag(), oneConfigurationFlag(), datasetFlag(),
			&cli.IntFlag{Name: "pool-runs", Usage: "`RUNS` of the baseline that the run is held against", DefaultText: fmt.Sprint(gate.DefaultPoolRuns)},
			&cli.Float64Flag{Name: "alpha", Value: gate.DefaultAlpha, Usage: "bound on the `CHANCE` of a false alarm"},
			&cli.StringFlag{Name: flagReplicate, Value: "now", Usage: "where the second full pass comes from: now, a `RUN`, or off"},
			&cli.BoolFlag{Name: "no-confirm", Usage: "run no fresh traces: decide with those that are there, and say what would be run"},
			&cli.BoolFlag{Name: "strict", Usage: "both passes must reject by themselves"},
			&cli.StringFlag{Name: flagFrozen, Usage: "a second baseline `FILE` that does not roll on, to find slow drift"},
			&cli.Float64Flag{Name: "floor", Usage: "fail where the pass rate is provably below `RATE`"},
			&cli.Float64Flag{Name: "non-inferiority", Usage: "want it shown that the run is not worse by `MARGIN`, from 300 queries on"},
			&cli.Float64Flag{Name: "min-pass-rate", Usage: "plain threshold: fail below `RATE`"},
			&cli.IntFlag{Name: "max-losses", Usage: "plain threshold: fail where more than `N` queries are lost against the last accepted run"},
			&cli.Float64Flag{Name: "max-usd", Usage: "plain threshold: fail where the run cost more than `DOLLARS`"},
			&cli.DurationFlag{Name: "max-p95", Usage: "plain threshold: fail where 95 % of traces took more than `TIME`"},
			&cli.IntFlag{Name: flagSimulations, Value: quickSimulation, Usage: "simulated `RUNS` behind the gate's own false alarms and power; 0 leaves these out"},
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
			decided := false
			err := c.withOutput(ctx, reports.GateFormats(), func(o *output) error {
				report, err := c.gateAction(ctx, o)
				decided = report != nil
				return err
			})
			if !decided {
				err = c.tellGitHubWhy(err)
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

// gateAction decides and tells. The report is nil where it came to no decision.
func (c *console) gateAction(ctx *cli.Context, o *output) (*reports.Gate, error) {
	signals := listen(c.err)
	defer signals.stop()
	options, err := gateOptions(ctx)
	if err != nil {
		return nil, err
	}
	g, err := c.newGating(ctx, options)
	if err != nil {
		return nil, err
	}
	if err := g.gather(ctx, signals); err != nil {
		return nil, err
	}
	out := gate.Decide(g.evidence, g.options)
	if out.Operating, err = g.operating(ctx.Context, ctx.Int(flagSimulations)); err != nil {
		return nil, err
	}
	report := g.report(out)
	return &report, c.deliver(ctx, o, g, report)
}

// gateOptions reads the flags that say how to decide.
func gateOptions(ctx *cli.Context) (gate.Options, error) {
	o := gate.Options{Alpha: ctx.Float64("alpha"), NoConfirm: ctx.Bool("no-confirm"), Strict: ctx.Bool("strict")}
	if !(o.Alpha > 0 && o.Alpha < 1) {
		return o, usagef("--alpha is %v: it must lie between 0 and 1", o.Alpha)
	}
	if n := ctx.Int("pool-runs"); ctx.IsSet("pool-runs") && n < 1 {
		return o, usagef("--pool-runs is %d: it must be at least 1", n)
	}
	if n := ctx.Int(flagSimulations); n < 0 {
		return o, usagef("--%s is %d: it must be 0 or more", flagSimulations, n)
	}
	switch ctx.String(flagReplicate) {
	case "now":
		o.Replicate = gate.ReplicateNow
	case "off":
		o.Replicate = gate.ReplicateOff
	default:
		o.Replicate = gate.ReplicateGiven
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

// deliver writes the decision wherever it is wanted; the exit code is the decision's.
func (c *console) deliver(ctx *cli.Context, o *output, g *gating, report reports.Gate) error {
	err := o.write(func() error { return reports.WriteGate(o, reports.Format(o.format), report) })
	for file, format := range map[string]reports.Format{ctx.String(flagJUnit): reports.FormatJUnit, ctx.String(flagMarkdown): reports.FormatMarkdown} {
		if file != "" {
			err = errors.Join(err, writeGate(file, format, report))
		}
	}
	err = errors.Join(err, g.keep(report, ctx.String(flagReplicate)), c.tellGitHub(report))
	if err != nil {
		return &exitError{exitInvalid, err}
	}
	if code := report.Decision.ExitCode(); code != exitOK {
		return &exitError{code, fmt.Errorf("%s: %s", report.Decision, cmp.Or(first(report.Reasons), "see above"))}
	}
	return nil
}

func first(of []string) string {
	if len(of) == 0 {
		return ""
	}
	return of[0]
}

func writeGate(file string, format reports.Format, g reports.Gate) error {
	var b bytes.Buffer
	if err := reports.WriteGate(&b, format, g); err != nil {
		return err
	}
	return writeResult(file, b.Bytes())
}

// tellGitHub marks what was found on the page of the workflow run, where there is one.
func (c *console) tellGitHub(g reports.Gate) error {
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	err := reports.Annotations(c.err, g)
	summary := os.Getenv("GITHUB_STEP_SUMMARY")
	if summary == "" {
		return err
	}
	f, openErr := os.OpenFile(summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if openErr != nil {
		return errors.Join(err, fmt.Errorf("write step summary: %w", openErr))
	}
	return errors.Join(err, reports.WriteGate(f, reports.FormatMarkdown, g), f.Close())
}

// tellGitHubWhy marks a failure before any decision on the page of the workflow run, where
// there is one.
func (c *console) tellGitHubWhy(err error) error {
	if err == nil || exitCode(err) == exitInterrupted || os.Getenv("GITHUB_ACTIONS") != "true" {
		return err
	}
	if writeErr := reports.Annotation(c.err, "concur gate: no decision", err.Error()); writeErr != nil {
		return errors.Join(err, writeErr)
	}
	return err
}

// operating simulates how good the gate is on this pool; nil where there is nothing to
// simulate, or it is not wanted.
func (g *gating) operating(ctx context.Context, runs int) (*gate.Operating, error) {
	rates := gate.Rates(g.evidence)
	if len(rates) == 0 || g.evidence.PoolRuns == 0 || runs < 1 {
		return nil, nil
	}
	cfg := gate.SimConfigOf(g.evidence, g.options)
	cfg.Runs, cfg.Seed = runs, 1
	out, err := gate.Simulate(ctx, rates, cfg)
	return &out, err
}
