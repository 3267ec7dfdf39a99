package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
)

// planAction says how many queries and traces find a drop, by a run or by stated rates.
func (c *console) planAction(ctx *cli.Context, o *output) error {
	drop, rows := ctx.Float64("detect")/100, ctx.Int("rows")
	if !(drop > 0 && drop < 1) {
		return usagef("--detect is %v: give points between 0 and 100, such as 10", ctx.Float64("detect"))
	}
	plan, err := c.planOf(ctx, drop, rows)
	if err != nil {
		return usagef("%w", err)
	}
	return o.write(func() error { return reports.WritePlan(o, reports.Format(o.format), plan, o.screen(false)) })
}

func (c *console) planOf(ctx *cli.Context, drop float64, rows int) (result.Plan, error) {
	stated := ctx.IsSet("rate")
	switch {
	case stated && ctx.NArg() > 0:
		return result.Plan{}, fmt.Errorf("plan by the run %s and by --rate: give one of the two", ctx.Args().First())
	case stated:
		return result.StatedPlan(ctx.Float64("rate"), ctx.Float64("between"), drop, rows)
	case ctx.IsSet("between"):
		return result.Plan{}, fmt.Errorf("--between says how rates differ that --rate states: add --rate")
	case ctx.NArg() == 0:
		return result.Plan{}, fmt.Errorf("plan needs a RUN, such as latest, or --rate .9 --between .1")
	}
	run, err := findRun(ctx)
	if err != nil {
		return result.Plan{}, err
	}
	m := run.Manifest
	if m.State != store.Complete {
		return result.Plan{}, fmt.Errorf("plan from run %s: it is not complete (state: %s): finish it with `%s`", m.Run, m.State, store.ResumeCommand(run.Dir, m))
	}
	name, err := planConfiguration(m, ctx.String(flagConfiguration))
	if err != nil {
		return result.Plan{}, err
	}
	return result.PlanFrom(m, name, run.Records(), drop, rows)
}

// planConfiguration is the configuration that is asked for: the named one, else the only one, else the baseline.
func planConfiguration(m store.Manifest, name string) (string, error) {
	var names []string
	for _, c := range m.Configurations {
		names = append(names, c.Name)
	}
	switch {
	case name == "" && len(names) == 1:
		return names[0], nil
	case name == "" && m.Baseline != "":
		return m.Baseline, nil
	case !slices.Contains(names, name):
		return "", fmt.Errorf("plan from configuration %q: run %s has %s; choose with --configuration NAME", name, m.Run, strings.Join(names, ", "))
	}
	return name, nil
}
