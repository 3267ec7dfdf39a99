package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports"
)

const flagRates = "rates"

func (c *console) gateSimulateCommand() *cli.Command {
	return &cli.Command{
		Name:  "simulate",
		Usage: "simulate how good the gate is on the queries of the baseline",
		Description: `False alarms per run, the chance to find broken queries and losses over all, the fresh
traces that it takes, and the smallest loss that it finds. The rates of the queries are those of the pool, (right + 1/2) / (traces + 1) each, and as many traces are
drawn of it as the pool has; with another K or number of runs, K times the runs. The rates
err towards noise, so the figures are cautious. Without a baseline, --rates gives them.

Examples:
  concur gate simulate
  concur gate simulate -k 5 --pool-runs 10 --alpha 0.01
  concur gate simulate --rates 24x0.995,3x0.9,2x0.6 -k 3`,
		Flags: slices.Concat([]cli.Flag{
			baselineFlag(), oneConfigurationFlag(),
			&cli.StringFlag{Name: flagRates, Usage: "simulate queries that are right at these `RATES`, such as 24x0.995,2x0.6", DefaultText: "the baseline's"},
			&cli.IntFlag{Name: "k", Usage: "`TRACES` per query and run", DefaultText: "the baseline's; 3 with --" + flagRates},
		}, ruleFlags(), []cli.Flag{
			&cli.IntFlag{Name: flagSimulations, Value: gate.DefaultSimulations, Usage: "simulated `RUNS` behind each figure"},
			seedFlag(),
		}, outputFlags(plainFormats())),
		Action: c.withOutput(plainFormats(), simulateAction),
	}
}

func simulateAction(ctx *cli.Context, o *output) error {
	if ctx.NArg() > 0 {
		return usagef("gate simulate takes no argument; the baseline is --%s FILE", flagBaselineFile)
	}
	options, err := gateOptions(ctx)
	if err != nil {
		return err
	}
	var rates []float64
	cfg := gate.SimConfig{K: 3, Options: options}
	if text := ctx.String(flagRates); text != "" {
		if rates, err = gate.ParseRates(text); err != nil {
			err = fmt.Errorf("--%s: %w", flagRates, err)
		}
	} else {
		rates, cfg, err = ratesOf(ctx, options)
	}
	if err != nil {
		return err
	}
	if ctx.IsSet("k") {
		cfg.K, cfg.Histories, cfg.PoolRuns = ctx.Int("k"), nil, baseline.PoolRuns(ctx.Int("k")) // a baseline that was made with it
	}
	if n := ctx.Int(flagPoolRuns); n > 0 && n != cfg.PoolRuns {
		cfg.PoolRuns, cfg.Histories = n, nil
	}
	if cfg.PoolRuns == 0 {
		cfg.PoolRuns = baseline.PoolRuns(cfg.K)
	}
	cfg.Runs, cfg.Seed = ctx.Int(flagSimulations), 1
	if ctx.IsSet("seed") {
		cfg.Seed = ctx.Int64("seed")
	}
	out, err := gate.Simulate(ctx.Context, rates, cfg)
	if err != nil {
		return err
	}
	return o.write(func() error { return reports.WriteOperating(o, reports.Format(o.format), out) })
}

func ratesOf(ctx *cli.Context, options gate.Options) ([]float64, gate.SimConfig, error) {
	file := ctx.String(flagBaselineFile)
	b, err := baseline.Read(file)
	if err != nil {
		return nil, gate.SimConfig{}, err
	}
	name, err := configurationOf(ctx, b)
	if err != nil {
		return nil, gate.SimConfig{}, err
	}
	pool := b.Pool(name, ctx.Int(flagPoolRuns), 0)
	if len(pool.Runs) == 0 {
		return nil, gate.SimConfig{}, usagef("simulate gate: the baseline %s has no runs that count since its last reset; accept some with `concur baseline add`", file)
	}
	rates, cfg := gate.Posterior(pool.Evidence(1, confirm.Permutations), options)
	return rates, cfg, nil
}
