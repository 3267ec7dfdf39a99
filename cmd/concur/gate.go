package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports"
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
	flagRates        = "rates"
)

// plainName is what --as takes: it becomes part of a file's name.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

func baselineFlag() cli.Flag {
	return &cli.StringFlag{Name: flagBaselineFile, Value: defaultBaseline, Usage: "`FILE` with the accepted runs", EnvVars: []string{"CONCUR_BASELINE"}}
}

func datasetFlag() cli.Flag {
	return &cli.StringFlag{Name: flagDataset, Usage: "`FILE` with the run's dataset, if it was moved", DefaultText: "where the run found it, else its name in this folder"}
}

func oneConfigurationFlag() cli.Flag {
	return &cli.StringFlag{Name: flagConfiguration, Usage: "the configuration `NAME` of an ablation", DefaultText: "the only one"}
}

func ruleFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: flagPoolRuns, Usage: "`RUNS` of the baseline that the run is compared with", DefaultText: "15 traces of each query, 5 runs at least"},
		&cli.Float64Flag{Name: "alpha", Value: gate.DefaultAlpha, Usage: "bound on the `CHANCE` of a false alarm"},
		&cli.BoolFlag{Name: flagNoConfirm, Usage: "run no fresh traces: decide with those that exist, and print what would be run"},
		&cli.BoolFlag{Name: "strict", Usage: "use the levels for traces that are not independent"},
	}
}

func (c *console) gateCommand() *cli.Command {
	limits := flagsNamed()
	return &cli.Command{
		Name: "gate",
		Flags: slices.Concat([]cli.Flag{baselineFlag(), oneConfigurationFlag(), datasetFlag()}, ruleFlags(), []cli.Flag{
			&cli.StringFlag{Name: flagAs, Usage: "decide this beside the run's own decision, under a `NAME`"},
			&cli.DurationFlag{Name: flagSpaced, Usage: "run fresh traces after the first looks no sooner than `TIME` after the run", DefaultText: "0; 30m with --strict", EnvVars: []string{"CONCUR_SPACED"}},
			&cli.StringFlag{Name: flagFrozen, Usage: "a second baseline `FILE` that stays the same, to find slow drift"},
			&cli.Float64Flag{Name: "floor", Usage: "fail where the pass rate is provably below `RATE`"},
			&cli.Float64Flag{Name: "non-inferiority", Usage: "require proof that the run is not worse by `MARGIN`; needs 300 queries"},
			&cli.Float64Flag{Name: "min-pass-rate", Usage: "plain threshold: fail below `RATE`"},
			&cli.Float64Flag{Name: "max-usd", Usage: "plain threshold: fail where the run cost more than `DOLLARS`"},
			&cli.DurationFlag{Name: "max-p95", Usage: "plain threshold: fail where 95 % of traces took more than `TIME`"},
			&cli.IntFlag{Name: flagSimulations, Value: 1000, Usage: "simulated `RUNS` behind the gate's own false alarms and power, fewer above 100 queries; 0 leaves these out"},
			&cli.StringFlag{Name: flagJUnit, Usage: "also write JUnit XML to `FILE`"},
			&cli.StringFlag{Name: flagMarkdown, Usage: "also write Markdown to `FILE`, for a comment on a pull request"},
			&cli.BoolFlag{Name: flagYes, Usage: "run fresh traces without asking, whatever they may cost", EnvVars: []string{"CONCUR_YES"}},
			quietFlag(),
			runsDirFlag(),
		}, limits, outputFlags(gateFormats())),
		Action: c.withOutput(gateFormats(), func(ctx *cli.Context, o *output) error {
			report, err := c.gateAction(ctx, o)
			if report == nil {
				return c.noDecision(ctx, err)
			}
			return err
		}),
		Subcommands: []*cli.Command{c.gateSimulateCommand()},
	}
}

// simulations bounds the time that the figures of many queries take.
func simulations(ctx *cli.Context, queries int) int {
	n := ctx.Int(flagSimulations)
	if ctx.IsSet(flagSimulations) || queries <= 100 {
		return n
	}
	return n * 100 * 100 / (queries * queries)
}

func gateOptions(ctx *cli.Context) (gate.Options, error) {
	if a := ctx.Float64("alpha"); !(a >= gate.LeastAlpha && a < 1) {
		return gate.Options{}, usagef("--alpha is %v: it must lie between %v and 1, such as %v", a, gate.LeastAlpha, gate.DefaultAlpha)
	}
	if n := ctx.Int(flagPoolRuns); ctx.IsSet(flagPoolRuns) && n < 1 {
		return gate.Options{}, usagef("--%s is %d: it must be at least 1", flagPoolRuns, n)
	}
	if d := ctx.Duration(flagSpaced); d < 0 {
		return gate.Options{}, usagef("--%s is %s: it must not be negative", flagSpaced, d)
	}
	if as := ctx.String(flagAs); ctx.IsSet(flagAs) && !plainName.MatchString(as) {
		return gate.Options{}, usagef("--%s is %q: a name has letters, digits, - and _, at most 40; or leave the flag out", flagAs, as)
	}
	o := gate.Options{Alpha: ctx.Float64("alpha"), Strict: ctx.Bool("strict")}
	if ctx.Bool(flagNoConfirm) {
		o.NoFresh = "--" + flagNoConfirm
	}
	for name, limit := range o.Thresholds() {
		if !ctx.IsSet(name) {
			continue
		}
		v := ctx.Float64(name)
		if name == "max-p95" {
			v = ctx.Duration(name).Seconds()
		}
		*limit = &v
	}
	return o, nil
}

func (c *console) gateSimulateCommand() *cli.Command {
	return &cli.Command{
		Name: "simulate",
		Flags: slices.Concat([]cli.Flag{
			baselineFlag(), oneConfigurationFlag(),
			&cli.StringFlag{Name: flagRates, Usage: "simulate queries that are right at these `RATES`, such as 24x0.995,2x0.6", DefaultText: "the baseline's"},
			&cli.IntFlag{Name: "k", Usage: "`TRACES` per query and run", DefaultText: "the baseline's; 3 with --" + flagRates},
		}, ruleFlags(), []cli.Flag{
			&cli.IntFlag{Name: flagSimulations, Value: gate.DefaultSimulations, Usage: "simulated `RUNS` behind each figure"},
			seedFlag(), quietFlag(),
		}, outputFlags(plainFormats())),
		Action: c.withOutput(plainFormats(), c.simulateAction),
	}
}

func (c *console) simulateAction(ctx *cli.Context, o *output) error {
	options, err := gateOptions(ctx)
	if err := cmp.Or(noArguments(ctx), err); err != nil {
		return err
	}
	rates, cfg := []float64(nil), gate.SimConfig{K: 3, Options: options}
	if text := ctx.String(flagRates); text != "" {
		if rates, err = gate.ParseRates(text); err != nil {
			err = fmt.Errorf("--%s: %w", flagRates, err)
		}
	} else if _, pool, unread := poolOf(ctx); unread != nil {
		err = unread
	} else if len(pool.Runs) == 0 {
		err = usagef("simulate gate: the baseline %s has no runs that count since its last reset; accept some with `concur baseline add`", ctx.String(flagBaselineFile))
	} else {
		rates, cfg = gate.Posterior(pool.Evidence(1, confirm.Permutations), options)
	}
	if err != nil {
		return err
	}
	if ctx.IsSet("k") {
		cfg.K, cfg.Histories, cfg.PoolRuns = ctx.Int("k"), nil, 0 // a baseline that was made with it
	}
	if n := cmp.Or(ctx.Int(flagPoolRuns), cfg.PoolRuns, baseline.PoolRuns(cfg.K)); n != cfg.PoolRuns {
		cfg.PoolRuns, cfg.Histories = n, nil
	}
	cfg.Runs, cfg.Seed = ctx.Int(flagSimulations), 1
	if ctx.IsSet("seed") {
		cfg.Seed = ctx.Int64("seed")
	}
	out, err := c.simulate(ctx, rates, cfg)
	if err != nil {
		return err
	}
	return o.write(func() error { return reports.WriteOperating(o, reports.Format(o.format), out, o.screen(false)) })
}

// simulate shows how far it is.
func (c *console) simulate(ctx *cli.Context, rates []float64, cfg gate.SimConfig) (gate.Operating, error) {
	share, stop := c.progress(ctx.Bool(flagQuiet)).Bar(fmt.Sprintf("simulate the gate on %s, %d runs for each figure", gate.Counted(len(rates), "query"), cfg.Runs))
	defer stop()
	cfg.OnShare = share
	return gate.Simulate(ctx.Context, rates, cfg)
}
