package main

import (
	"cmp"
	"fmt"
	"regexp"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports"
)

// defaultBaseline lies beside what it guards, and is committed.
const defaultBaseline = "baseline.jsonl"

// plainName is what --as takes: it becomes part of a file's name.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// simulations bounds the time that the figures of many queries take.
func simulations(ctx *cli.Context, queries int) int {
	n := ctx.Int("simulations")
	if ctx.IsSet("simulations") || queries <= 100 {
		return n
	}
	return n * 100 * 100 / (queries * queries)
}

func gateOptions(ctx *cli.Context) (gate.Options, error) {
	if a := ctx.Float64("alpha"); !(a >= gate.LeastAlpha && a < 1) {
		return gate.Options{}, usagef("--alpha is %v: it must lie between %v and 1, such as %v", a, gate.LeastAlpha, gate.DefaultAlpha)
	}
	if n := ctx.Int("pool-runs"); ctx.IsSet("pool-runs") && n < 1 {
		return gate.Options{}, usagef("--pool-runs is %d: it must be at least 1", n)
	}
	if d := ctx.Duration("spaced"); d < 0 {
		return gate.Options{}, usagef("--spaced is %s: it must not be negative", d)
	}
	if as := ctx.String("as"); ctx.IsSet("as") && !plainName.MatchString(as) {
		return gate.Options{}, usagef("--as is %q: a name has letters, digits, - and _, at most 40; or leave the flag out", as)
	}
	o := gate.Options{Alpha: ctx.Float64("alpha"), Strict: ctx.Bool("strict")}
	if ctx.Bool("no-confirm") {
		o.NoFresh = "--no-confirm"
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

func (c *console) simulateAction(ctx *cli.Context, o *output) error {
	options, err := gateOptions(ctx)
	if err := cmp.Or(noArguments(ctx), err); err != nil {
		return err
	}
	rates, cfg := []float64(nil), gate.SimConfig{K: 3, Options: options}
	if text := ctx.String("rates"); text != "" {
		if rates, err = gate.ParseRates(text); err != nil {
			err = fmt.Errorf("--rates: %w", err)
		}
	} else if _, pool, unread := poolOf(ctx); unread != nil {
		err = unread
	} else if len(pool.Runs) == 0 {
		err = usagef("simulate gate: the baseline %s has no runs that count since its last reset; accept some with `concur baseline add`", ctx.String(flagBaseline))
	} else {
		rates, cfg = gate.Posterior(pool.Evidence(1, confirm.Permutations), options)
	}
	if err != nil {
		return err
	}
	if ctx.IsSet("k") {
		cfg.K, cfg.Histories, cfg.PoolRuns = ctx.Int("k"), nil, 0 // a baseline that was made with it
	}
	if n := cmp.Or(ctx.Int("pool-runs"), cfg.PoolRuns, baseline.PoolRuns(cfg.K)); n != cfg.PoolRuns {
		cfg.PoolRuns, cfg.Histories = n, nil
	}
	cfg.Runs, cfg.Seed = ctx.Int("simulations"), 1
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
