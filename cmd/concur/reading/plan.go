package reading

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/sizing"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/planning"
	"github.com/seed-5817661a/concur/runner/store"
)

// planAction prints how many queries and traces are needed to detect a drop, according to a run or to given
// rates.
func planAction(ctx context.Context, c *console.Console, given *planOptions, o *console.Output) error {
	drop, rows := given.detect/100, given.rows
	if !(drop > 0 && drop < 1) {
		return console.Usagef("--detect is %v: give points between 0 and 100, such as 10", given.detect)
	}
	plan, err := planOf(c, given, drop, rows)
	if err != nil {
		return console.Usagef("%w", err)
	}
	return o.Deliver(func() error { return planning.WritePlan(o, document.Format(o.Format), plan, o.Screen(false)) })
}

func planOf(c *console.Console, given *planOptions, drop float64, rows int) (sizing.Plan, error) {
	stated := given.rate != nil
	switch {
	case stated && len(given.Words) > 0:
		return sizing.Plan{}, fmt.Errorf("plan by the run %s and by --rate: give one of the two", given.Word(0))
	case stated:
		if err := given.Idle("with --rate", flags.NameConfiguration, flags.NameRunsDir); err != nil {
			return sizing.Plan{}, err
		}
		return sizing.Stated(*given.rate, flags.ValueOr(given.between, 0), drop, rows)
	case given.between != nil:
		return sizing.Plan{}, fmt.Errorf("--between is the deviation of rates whose mean is --rate: add --rate")
	case len(given.Words) == 0:
		return sizing.Plan{}, fmt.Errorf("plan needs a RUN, such as latest, or --rate .9 --between .1")
	}
	run, err := c.FindRun(given.runsDir, given.Word(0))
	if err != nil {
		return sizing.Plan{}, err
	}
	m := run.Manifest
	if m.State != store.Complete {
		return sizing.Plan{}, fmt.Errorf("plan from run %s: it is not complete (state: %s): finish it with `%s`", m.Run,
			m.State, store.ResumeCommand(run.Dir, m))
	}
	name, err := planConfiguration(m, given.configuration)
	if err != nil {
		return sizing.Plan{}, err
	}
	return sizing.FromRun(m, name, run.Records(), drop, rows)
}

// planConfiguration returns the configuration to plan for. This is the named configuration. Without a name, it
// is the only configuration, or else the baseline.
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
		return "", fmt.Errorf("plan from configuration %q: run %s has %s; choose with --configuration NAME", name, m.Run,
			strings.Join(names, ", "))
	}
	return name, nil
}

//go:embed help/plan.txt
var planHelp string

// planOptions holds the arguments and flags of concur plan.
type planOptions struct {
	flags.Arguments
	flags.ResultOptions

	detect                 float64
	rate, between          *float64
	rows                   int
	configuration, runsDir string
}

// PlanCommand returns the command `concur plan`.
func PlanCommand(c *console.Console) *cli.Command {
	var given planOptions
	return &cli.Command{
		Name: "plan", ArgsUsage: "[RUN]", Description: flags.Described(planHelp),
		Usage: "say how many queries and traces are needed to find a drop",
		Flags: slices.Concat(
			[]cli.Flag{
				&cli.Float64Flag{
					Name: "detect", Destination: &given.detect, Value: 10,
					Usage: "find a drop of this many percentage `POINTS`",
				},
				&cli.Float64Flag{
					Name: "rate", Action: flags.Stored(&given.rate), DefaultText: "those of RUN",
					Usage: "plan for queries with this mean `RATE` of right traces, between 0 and 1",
				},
				&cli.Float64Flag{
					Name: "between", Action: flags.Stored(&given.between), DefaultText: "0, all alike",
					Usage: "with --rate: the standard `DEVIATION` of the rates of queries",
				},
				&cli.IntFlag{
					Name: "rows", Destination: &given.rows, Value: 1,
					Usage: "number of `ROWS` that one table compares with the baseline",
				},
				&cli.StringFlag{
					Name: flags.NameConfiguration, Destination: &given.configuration, DefaultText: "its baseline",
					Usage: "plan by the configuration `NAME` of an ablation",
				},
				flags.RunsDir(&given.runsDir),
			},
			flags.FigureGroup(&given.ResultOptions),
		),
		Action: flags.Takes(&given.Arguments, "one RUN, or --rate in its place",
			flags.WithOutput(c, &given.Arguments, &given.ResultOptions, func(ctx context.Context, o *console.Output) error {
				return planAction(ctx, c, &given, o)
			})),
	}
}
