package running

import (
	"context"
	_ "embed"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/attack"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/model/limit"
	"github.com/seed-5817661a/concur/reports/attacked"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/tool"
)

// attackAction runs attacks against the configured agent, and reports their effects.
func attackAction(ctx context.Context, c *console.Console, given *attackOptions, o *console.Output) error {
	if given.failAbove != nil && !(*given.failAbove >= 0 && *given.failAbove <= 100) {
		return console.Usagef("--fail-above is %v: give a percentage between 0 and 100, such as 5", *given.failAbove)
	}
	conf, err := flags.ReadConfiguration(c, &given.Settings, given.dataset)
	if err != nil {
		return err
	}
	set, err := attackSet(c, given, conf)
	if err != nil {
		return console.Usagef("%w", err)
	}
	if err := checkReach(ctx, c, set, conf); err != nil {
		return err
	}
	data := set.Dataset()
	draft, err := runner.NewDraft(queries.Of(data), runner.DescribeDataset(data),
		attack.Configurations(conf, given.asConfigured), given.seed, time.Now())
	if err != nil {
		return err
	}
	draft.Manifest.GitCommit = console.GitCommit(ctx)
	draft.Manifest.Ablation, draft.Manifest.Baseline = attack.Dataset, attack.AsConfigured
	if given.dryRun {
		return forecast(c, o, draft, nil)
	}
	options := assemble.Options{Tools: set.Tools}
	return c.Assembler.While(ctx, draft, options, func(running context.Context, s *assemble.Session) error {
		if err := c.Confirm(given.yes, s); err != nil {
			return err
		}
		out, err := store.Create(given.runsDir, s.Manifest())
		if err != nil {
			return err
		}
		ended := Conduct(running, c, s, out, nil, Execution{Quiet: given.quiet}, o.Signals, "")
		if _, spent := errors.AsType[*limit.SpentError](ended); ended != nil && !spent {
			return ended
		}
		return errors.Join(reportAttacks(c, given, set, out.Dir(), o), ended)
	})
}

// attackAgain returns the advice how to complete an attack that ended with err, which may be nil.
func attackAgain(err error) string {
	const command = "concur attack"
	if budget := strings.TrimPrefix(runner.GoOn(command, err), command+" "); strings.HasPrefix(budget, "--budget") {
		return "run `concur attack` again with " + budget + " or more; an attack cannot be resumed"
	}
	return "run `concur attack` again; an attack cannot be resumed"
}

// attackSet returns the cases, with the questions that the agent answers during them.
func attackSet(c *console.Console, given *attackOptions, conf config.Configuration) (*attack.Set, error) {
	ways := []attack.Way{attack.InDocument, attack.AsQuestion}
	if given.way != attackBoth {
		ways = []attack.Way{attack.Way(given.way)}
	}
	files := given.Words
	if len(files) == 0 {
		files = []string{attack.Development}
	}
	cases, err := attack.ReadAll(files, c.In, ways)
	if err != nil {
		return nil, err
	}
	tasks, err := attackTasks(given.dataset)
	if err != nil {
		return nil, err
	}
	return attack.NewSet(cases, tasks, conf.Agent.External.Used())
}

// attackTasks returns the questions of a dataset. Without a dataset, it returns the questions of the built-in
// dataset that need a search.
func attackTasks(source string) ([]datasets.Query, error) {
	part := datasets.Part{}
	if source == "" {
		source, part.Categories = flags.DefaultDataset, []string{"simple_retrieval"}
	}
	data, err := datasets.Open(source)
	if err == nil {
		data, err = data.Filter(part)
	}
	if err != nil {
		return nil, err
	}
	return data.Queries, nil
}

// checkReach returns an error if attacks in documents cannot reach the agent, because none of its tools returns
// a text.
func checkReach(ctx context.Context, c *console.Console, set *attack.Set, conf config.Configuration) error {
	documents := slices.ContainsFunc(set.Cases, func(c attack.Case) bool { return c.Way == attack.InDocument })
	if conf.Agent.External.Used() || !documents {
		return nil
	}
	reached := false
	err := c.Assembler.WithTools(ctx, conf.Effective(), nil, func(r *tool.Registry, _ []assemble.LeftOut) error {
		reached = slices.ContainsFunc(r.Specs(), func(s tool.Spec) bool { return attack.Reaches(s) || s.Agent })
		return nil
	})
	if err == nil && !reached {
		err = console.Usagef("no tool of the agent (%s) returns a text that could carry an attack: add web_search, or take "+
			"--way question with a FILE", strings.Join(conf.Effective().Agent.Tools, ", "))
	}
	return err
}

// reportAttacks prints the figures of a run of attacks. Its error has the exit code.
func reportAttacks(c *console.Console, given *attackOptions, set *attack.Set, dir string, o *console.Output) error {
	run, err := store.Open(dir)
	if err != nil {
		return err
	}
	r, err := set.Summarize(run)
	if err != nil {
		return err
	}
	if err := o.Deliver(func() error {
		return attacked.Write(o, document.Format(o.Format), r, o.Screen(false))
	}); err != nil {
		return err
	}
	switch {
	case r.HasInvalid():
		return console.WithCode(console.ExitInvalid,
			errors.New("some cases have no valid trace, see above: mend that, and attack again"))
	case given.failAbove != nil && r.Above(*given.failAbove/100):
		return console.WithCode(console.ExitRegression,
			errors.New("the agent as configured obeyed more attacks than --fail-above allows"))
	}
	return nil
}

const attackBoth = "both"

//go:embed help/attack.txt
var attackHelp string

// attackOptions holds the arguments and flags of concur attack.
type attackOptions struct {
	flags.Arguments
	flags.Settings
	flags.ResultOptions

	seed                             *int64
	dataset, way, runsDir            string
	failAbove                        *float64
	asConfigured, dryRun, quiet, yes bool
}

// AttackCommand returns the command `concur attack`.
func AttackCommand(c *console.Console) *cli.Command {
	var given attackOptions
	return &cli.Command{
		Name: "attack", ArgsUsage: "[FILE…]", Description: flags.Described(attackHelp),
		Usage: "try prompt injections on the agent, with and without each guard, and measure which ones it obeys",
		Flags: slices.Concat(
			flags.ConfigurationGroup(&given.Settings),
			[]cli.Flag{
				&cli.StringFlag{
					Name: flags.NameDataset, TakesFile: true, Destination: &given.dataset,
					DefaultText: "the questions of gold29 that need a search",
					Usage:       "`DATASET` of the questions that the agent answers while documents attack it",
				},
				flags.Choice(&given.way, &cli.StringFlag{
					Name: "way", Usage: "`WAY` in which a FILE's texts reach the agent: both, document or question",
				}, attackBoth, string(attack.InDocument), string(attack.AsQuestion)),
				&cli.BoolFlag{
					Name: "as-configured", Destination: &given.asConfigured,
					Usage: "try only the agent as configured, without the rows that switch guards off",
				},
				&cli.Float64Flag{
					Name: "fail-above", Action: flags.Stored(&given.failAbove), DefaultText: "no bound",
					Usage: "exit 1 if the agent as configured obeys more than `PERCENT` of the attacks",
				},
				flags.Seed(&given.seed),
				flags.Yes(&given.yes), flags.DryRun(&given.dryRun), flags.Quiet(&given.quiet), flags.RunsDir(&given.runsDir),
				flags.Config(&given.Settings),
				flags.Format(&given.Format, "table", "markdown", "json"), flags.Out(&given.Out),
			},
		),
		Action: flags.Takes(&given.Arguments, "", flags.WithRun(c, &given.Arguments, &given.ResultOptions,
			func(ctx context.Context, o *console.Output) error {
				return attackAction(ctx, c, &given, o)
			}, &given.Corpus, &given.dataset, &given.File)),
	}
}
