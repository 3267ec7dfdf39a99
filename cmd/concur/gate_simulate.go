package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports"
)

func (c *console) gateSimulateCommand() *cli.Command {
	return &cli.Command{
		Name:  "simulate",
		Usage: "simulate how good the gate is on the queries of the baseline",
		Description: `False alarms per run and in 20 runs, the chance to find one, two or three broken queries
and losses over all, the fresh traces that it takes, and the smallest drop that it finds.
The rates of the queries are those of the pool, (right + 1/2) / (traces + 1) each, and so many traces are drawn of it as the pool has; with
another K or number of runs, K times the runs.

Examples:
  concur gate simulate
  concur gate simulate -k 5 --pool-runs 10 --alpha 0.05`,
		Flags: slices.Concat([]cli.Flag{
			baselineFlag(), oneConfigurationFlag(),
			&cli.IntFlag{Name: "k", Usage: "`TRACES` per query and run", DefaultText: "the baseline's"},
			&cli.IntFlag{Name: "pool-runs", Usage: "`RUNS` that a run is held against", DefaultText: "the baseline's"},
			&cli.Float64Flag{Name: "alpha", Value: gate.DefaultAlpha, Usage: "bound on the `CHANCE` of a false alarm"},
			&cli.BoolFlag{Name: "no-confirm", Usage: "without fresh traces"},
			&cli.BoolFlag{Name: "strict", Usage: "both passes must reject by themselves"},
			&cli.IntFlag{Name: flagSimulations, Value: fullSimulation, Usage: "simulated `RUNS` behind each figure"},
			seedFlag(),
		}, outputFlags(plainFormats())),
		OnUsageError: usageError,
		Action: func(ctx *cli.Context) error {
			return c.withOutput(ctx, plainFormats(), func(o *output) error { return simulateAction(ctx, o) })
		},
	}
}

func simulateAction(ctx *cli.Context, o *output) error {
	if ctx.NArg() > 0 {
		return usagef("gate simulate takes no argument; the baseline is --%s FILE", flagBaselineFile)
	}
	b, err := gate.ReadBaseline(ctx.String(flagBaselineFile))
	if err != nil {
		return usagef("%w", err)
	}
	name, err := configurationOf(ctx, b)
	if err != nil {
		return err
	}
	pool := b.Pool(name, ctx.Int("pool-runs"))
	if len(pool.Runs) == 0 {
		return usagef("simulate gate: the baseline %s has no runs that count since its last reset; accept some with `concur baseline add`", ctx.String(flagBaselineFile))
	}
	evidence := pool.Evidence(1, permutations)
	evidence.K = pool.Runs[len(pool.Runs)-1].K
	cfg := gate.SimConfigOf(evidence, gate.Options{Alpha: ctx.Float64("alpha"), NoConfirm: ctx.Bool("no-confirm"), Strict: ctx.Bool("strict")})
	cfg.Runs, cfg.Seed = ctx.Int(flagSimulations), 1
	if ctx.IsSet("k") {
		cfg.K, cfg.Histories = ctx.Int("k"), nil // a baseline that was made with it
	}
	if n := ctx.Int("pool-runs"); ctx.IsSet("pool-runs") && n != len(pool.Runs) {
		cfg.PoolRuns, cfg.Histories = n, nil
	}
	if ctx.IsSet("seed") {
		cfg.Seed = ctx.Int64("seed")
	}
	for flag, n := range map[string]int{"k": cfg.K, "pool-runs": cfg.PoolRuns, flagSimulations: cfg.Runs} {
		if n < 1 {
			return usagef("--%s is %d: it must be at least 1", flag, n)
		}
	}
	if !(cfg.Options.Alpha > 0 && cfg.Options.Alpha < 1) {
		return usagef("--alpha is %v: it must lie between 0 and 1", cfg.Options.Alpha)
	}
	rates := gate.Rates(evidence)
	if len(rates) == 0 {
		return usagef("simulate gate: the baseline %s has safety queries only, whose rule needs no simulation", ctx.String(flagBaselineFile))
	}
	out, err := gate.Simulate(ctx.Context, rates, cfg)
	if err != nil {
		return fmt.Errorf("%w", err)
	}
	return o.write(func() error {
		if o.format == formatJSON {
			raw, err := json.MarshalIndent(out, "", "  ")
			o.Write(append(raw, '\n'))
			return err
		}
		return reports.WriteOperating(o, out)
	})
}
