package gating

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/gatereport"
)

// gateSimulations is the number of runs that a gate simulates to estimate its own false alarms and power.
const gateSimulations = 1000

// simulationCount returns the number of runs to simulate. Without --simulations it falls with the square of the
// number of queries above 100, to limit the time.
func (given *gateOptions) simulationCount(queries int) int {
	if given.simulations != nil || queries <= 100 {
		return flags.ValueOr(given.simulations, gateSimulations)
	}
	return gateSimulations * 100 * 100 / (queries * queries)
}

func simulateAction(ctx context.Context, c *console.Console, given *gateSimulateOptions, o *console.Output) error {
	options, err := given.options()
	if err != nil {
		return err
	}
	rates, cfg := []float64(nil), gate.SimConfig{K: 3, Options: options}
	if text := given.rates; text != "" {
		if err := given.Idle("with --rates", flags.NameBaseline, flags.NameConfiguration); err != nil {
			return err
		}
		if rates, err = gate.ParseRates(text); err != nil {
			err = fmt.Errorf("--rates: %w", err)
		}
	} else if _, pool, unread := poolOf(&given.decisionOptions); unread != nil {
		err = unread
	} else if len(pool.Runs) == 0 {
		err = console.Usagef("simulate gate: the baseline %s has no runs that count since its last reset; accept some with "+
			"`concur baseline add`", given.baseline)
	} else {
		rates, cfg = gate.Posterior(pool.Evidence(1, confirm.Permutations), options)
	}
	if err != nil {
		return err
	}
	if given.k != nil {
		cfg.K, cfg.Histories, cfg.PoolRuns = *given.k, nil, 0 // a baseline with this K
	}
	if n := cmp.Or(flags.ValueOr(given.poolRuns, 0), cfg.PoolRuns, baseline.PoolRuns(cfg.K)); n != cfg.PoolRuns {
		cfg.PoolRuns, cfg.Histories = n, nil
	}
	cfg.Runs, cfg.Seed = given.simulations, flags.ValueOr(given.seed, 1)
	out, err := simulate(ctx, c, given.quiet, rates, cfg)
	if err != nil {
		return err
	}
	return o.Deliver(func() error { return gatereport.WriteOperating(o, document.Format(o.Format), out, o.Screen(false)) })
}

func simulate(ctx context.Context, c *console.Console, quiet bool, rates []float64, cfg gate.SimConfig) (gate.Operating,
	error) {
	share, stop := c.Progress(quiet).Bar(fmt.Sprintf("simulate the gate on %s, %d runs for each figure",
		text.Counted(len(rates), "query"), cfg.Runs))
	defer stop()
	cfg.OnShare = share
	return gate.Simulate(ctx, rates, cfg)
}

//go:embed help/gate-simulate.txt
var gateSimulateHelp string

// gateSimulateOptions holds the arguments and flags of concur gate simulate.
type gateSimulateOptions struct {
	flags.Arguments
	flags.ResultOptions
	decisionOptions

	rates       string
	k           *int
	simulations int
	seed        *int64
}

func gateSimulateCommand(c *console.Console) *cli.Command {
	var given gateSimulateOptions
	return &cli.Command{
		Name: "simulate", Description: flags.Described(gateSimulateHelp),
		Usage: "simulate how well the gate works on the queries of the baseline",
		Flags: slices.Concat(
			[]cli.Flag{
				flags.Baseline(&given.baseline),
				flags.Configuration(&given.configuration),
				&cli.StringFlag{
					Name: flags.NameRates, Destination: &given.rates, DefaultText: "the baseline's",
					Usage: "simulate queries with these `RATES` of right traces, such as 24x0.995,2x0.6",
				},
				&cli.IntFlag{
					Name: "k", Action: flags.Stored(&given.k), DefaultText: "the baseline's; 3 with --rates",
					Usage: "`TRACES` per query and run",
				},
				flags.PoolRuns(&given.poolRuns),
				flags.Alpha(&given.alpha),
				flags.NoConfirm(&given.noConfirm),
				flags.Strict(&given.strict),
				&cli.IntFlag{
					Name: flags.NameSimulations, Destination: &given.simulations, Value: gate.DefaultSimulations,
					Usage: "simulated `RUNS` for each figure",
				},
				flags.Seed(&given.seed),
				flags.Quiet(&given.quiet),
			},
			flags.FigureGroup(&given.ResultOptions),
		),
		Action: flags.Takes(&given.Arguments, "", flags.WithOutput(c, &given.Arguments, &given.ResultOptions,
			func(ctx context.Context, o *console.Output) error {
				return simulateAction(ctx, c, &given, o)
			}, &given.baseline)),
	}
}
