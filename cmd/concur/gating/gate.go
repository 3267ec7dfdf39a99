package gating

import (
	"context"
	_ "embed"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/internal/lazy"
)

//go:embed help/gate.txt
var gateHelp string

// decisionOptions holds the flags that a gate's decision and its simulation share.
type decisionOptions struct {
	baseline, configuration string
	poolRuns                *int
	alpha                   float64
	noConfirm, strict       bool
	quiet                   bool
}

// gateOptions holds the arguments and flags of concur gate.
type gateOptions struct {
	flags.Arguments
	flags.Settings
	flags.ResultOptions
	decisionOptions

	dataset, frozen, runsDir string
	as                       *string
	simulations              *int
	spaced                   *time.Duration
	wait, explain, yes       bool
	thresholds               map[string]float64 // the given ones, by flag
}

// threshold returns a flag that limits a figure of the run.
func (given *gateOptions) threshold(name, usage string) cli.Flag {
	return &cli.Float64Flag{
		Name: name, DefaultText: "off", Usage: usage,
		Action: func(_ *cli.Context, value float64) error {
			given.thresholds[name] = value
			return nil
		},
	}
}

// GateCommand returns the command `concur gate`.
func GateCommand(c *console.Console) *cli.Command {
	given := gateOptions{thresholds: map[string]float64{}}
	return &cli.Command{
		Name: "gate", ArgsUsage: "[RUN]", Description: flags.Described(gateHelp),
		Usage: "compare a run with the accepted runs, and distinguish a regression from noise",
		Flags: slices.Concat(
			[]cli.Flag{
				flags.Baseline(&given.baseline),
				flags.Configuration(&given.configuration),
				flags.Dataset(&given.dataset),
				flags.PoolRuns(&given.poolRuns),
				flags.Alpha(&given.alpha),
				flags.NoConfirm(&given.noConfirm),
				flags.Strict(&given.strict),
				&cli.StringFlag{
					Name: "as", Action: flags.Stored(&given.as),
					Usage: "keep this decision in addition to the run's own, under a `NAME`",
				},
				&cli.DurationFlag{
					Name: flags.NameSpaced, Action: flags.Stored(&given.spaced), EnvVars: []string{"CONCUR_SPACED"},
					DefaultText: "0; 30m where accepted runs show that it is needed",
					Usage:       "after the first looks, run fresh traces only when `TIME` has passed since the run",
				},
				&cli.BoolFlag{
					Name: flags.NameWait, Destination: &given.wait, EnvVars: []string{"CONCUR_WAIT"},
					Usage: "wait for the time of --spaced; without this flag the gate ends INCONCLUSIVE, and prints the " +
						"command that continues it",
				},
				&cli.StringFlag{
					Name: "frozen", TakesFile: true, Destination: &given.frozen,
					Usage: "a second baseline `FILE` that stays the same, to find slow drift",
				},
				given.threshold(gate.LimitFloor, "fail where the pass rate is provably below `RATE`"),
				given.threshold(gate.LimitNonInferiority, "require proof that the run is not worse by `MARGIN`; needs 300 queries"),
				given.threshold(gate.LimitMinPassRate, "plain threshold: fail below `RATE`"),
				given.threshold(gate.LimitMaxUSD, "plain threshold: fail if the run cost more than `DOLLARS`"),
				&cli.DurationFlag{
					Name: gate.LimitMaxP95, DefaultText: "off", Action: func(_ *cli.Context, value time.Duration) error {
						given.thresholds[gate.LimitMaxP95] = value.Seconds()
						return nil
					},
					Usage: "plain threshold: fail if the 95th percentile of trace times is above `TIME`",
				},
				&cli.IntFlag{
					Name: flags.NameSimulations, Action: flags.Stored(&given.simulations), Value: gateSimulations,
					Usage: "simulated `RUNS` for the figures of false alarms and power, fewer above 100 queries; " +
						"0 leaves the figures out",
				},
				&cli.BoolFlag{
					Name: flags.NameExplain, Destination: &given.explain,
					Usage: "show all figures used for the decision: levels, looks, suspects, power, phi",
				},
				&cli.StringFlag{
					Name: flags.NameJunit, TakesFile: true, Destination: &given.Junit,
					Usage: "also write JUnit XML to `FILE`",
				},
				&cli.StringFlag{
					Name: flags.NameMarkdown, TakesFile: true, Destination: &given.Markdown,
					Usage: "also write Markdown to `FILE`, for a comment on a pull request",
				},
				&cli.BoolFlag{
					Name: flags.NameYes, Destination: &given.yes, EnvVars: []string{"CONCUR_YES"},
					Usage: "run fresh traces without asking, at any cost",
				},
				flags.Quiet(&given.quiet),
				flags.RunsDir(&given.runsDir),
			},
			flags.WithDefault("the run's", flags.LimitGroup(&given.Settings)...),
			flags.ResultGroup(&given.ResultOptions),
		),
		Action: flags.Takes(&given.Arguments, "one RUN, or none for the newest",
			flags.WithRun(c, &given.Arguments, &given.ResultOptions, func(ctx context.Context, o *console.Output) error {
				return gateAction(ctx, c, &given, o)
			}, &given.baseline, &given.dataset, &given.frozen)),
		Subcommands: []*cli.Command{
			gateSimulateCommand(c),
		},
	}
}

// plainName matches a valid value of --as, which becomes part of a file's name.
var plainName = lazy.Compile(`^[A-Za-z0-9_-]{1,40}$`)

// options checks the flags that a decision and its simulation share, and returns them as options of the gate.
func (given *decisionOptions) options() (gate.Options, error) {
	o := gate.Options{Alpha: given.alpha, Strict: given.strict, Thresholds: map[string]float64{}}
	if given.noConfirm {
		o.NoFresh = "--" + flags.NameNoConfirm
	}
	if !(o.Alpha >= gate.LeastAlpha && o.Alpha < 1) {
		return o, console.Usagef("--alpha is %v: it must lie between %v and 1, such as %v", o.Alpha, gate.LeastAlpha,
			gate.DefaultAlpha)
	}
	if runs := flags.ValueOr(given.poolRuns, 1); runs < 1 {
		return o, console.Usagef("--pool-runs is %d: it must be at least 1", runs)
	}
	return o, nil
}

// options checks all flags of a decision, and returns them as options of the gate.
func (given *gateOptions) options() (gate.Options, error) {
	o, err := given.decisionOptions.options()
	spaced, as := flags.ValueOr(given.spaced, 0), flags.ValueOr(given.as, "")
	switch o.Spaced, o.Thresholds = spaced > 0, given.thresholds; {
	case err != nil:
		return o, err
	case spaced < 0:
		return o, console.Usagef("--spaced is %s: it must not be negative", spaced)
	case given.as != nil && !plainName.MatchString(as):
		return o, console.Usagef("--as is %q: a name has letters, digits, - and _, at most 40; or leave the flag out", as)
	}
	return o, nil
}
