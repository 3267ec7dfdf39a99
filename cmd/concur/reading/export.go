package reading

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/naming"
	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/reports/export"
	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/store"
)

func exportAction(ctx context.Context, c *console.Console, given *exportOptions, o *console.Output) error {
	run, err := c.FindRun(given.runsDir, given.Word(0))
	if err != nil {
		return err
	}
	if err := cmp.Or(given.checkTelemetry(o.Format), given.checkUseful(o.Format)); err != nil {
		return err
	}
	if err := console.MayReplace(given.force, o.File); err != nil {
		return err
	}
	if o.Format == "chat" {
		if err := given.Idle("with --format chat, which has the whole run", flags.NameConfiguration); err != nil {
			return err
		}
	}
	name := naming.NameOf(run.Manifest, given.configuration)
	if _, err := agentsOf(given.configuration, run.Manifest); err != nil {
		return err
	}
	if o.Format == formatEvaluations && given.to != "" {
		return sendEvaluations(ctx, c, given, run, name)
	}
	if given.to != "" {
		return sendRun(ctx, c, given, run, name)
	}
	return o.Deliver(func() error {
		switch o.Format {
		case formatOTLP:
			return otel.Write(ctx, o, run, name, telemetrySource(run), given.describe(c))
		case formatEvaluations:
			return writeEvaluations(ctx, o, run, name, given.describe(c))
		case "chat":
			return export.Chat(o, run)
		case "votes":
			return export.Votes(o, run, name)
		case "inspect":
			return export.Inspect(o, run, name, targets(c, run.Manifest))
		}
		useful, err := given.useful(run)
		if err != nil {
			return err
		}
		counts, err := export.Chats(o, run, name, useful)
		if err == nil {
			fmt.Fprintln(c.Err, counts)
		}
		return err
	})
}

// targets returns the right answers of a run's queries, by id. It returns nil if the dataset of the run cannot
// be read.
func targets(c *console.Console, m store.Manifest) map[string][]string {
	out := map[string][]string{}
	data, _, err := runner.ReopenSet(m, "")
	if err == nil {
		defer data.Close() // a temporary file that cannot be removed is no reason to fail
		for q, wrong := range data.Queries() {
			if err = wrong; err == nil && q.Gold.Answer != "" {
				out[q.ID] = append([]string{q.Gold.Answer}, q.Gold.Aliases...)
			}
		}
	}
	if err != nil {
		fmt.Fprintln(c.Err, "export: note: targets are as the run's records show the gold:", err)
		return nil
	}
	return out
}

//go:embed help/export.txt
var exportHelp string

// exportOptions holds the arguments and flags of concur export.
type exportOptions struct {
	flags.Arguments
	flags.ResultOptions

	configuration, runsDir, to, scorer string
	force, content, onlyUseful         bool
	tau                                float64
}

// Names of flags for the calls of chats.
const (
	flagUseful = "useful"
	flagScorer = "scorer"
	flagTau    = "tau"
)

// checkUseful returns an error for flags about the calls of chats that have no effect or no meaning.
func (given *exportOptions) checkUseful(format string) error {
	if format != "sft" {
		return given.Idle("without --format sft", flagUseful, flagScorer, flagTau)
	}
	if !given.onlyUseful {
		return given.Idle("without --"+flagUseful, flagScorer, flagTau)
	}
	if math.IsNaN(given.tau) || math.IsInf(given.tau, 0) {
		return console.Usagef("--%s is %g: give a number of nats, such as 1", flagTau, given.tau)
	}
	return nil
}

// useful returns the scores by which useless calls are left out; nil keeps all calls.
func (given *exportOptions) useful(run *store.Run) (*export.Useful, error) {
	if !given.onlyUseful {
		return nil, nil
	}
	scores, err := usefulness.ReadScored(run, given.scorer, nil)
	if err == nil && scores.Empty() {
		by := ""
		if given.scorer != "" {
			by = " by " + given.scorer
		}
		err = console.Usagef("run %s has no gains of calls%s: measure them with `concur usefulness %s --scorer %s`",
			run.Manifest.Run, by, given.Word(0), cmp.Or(given.scorer, "offline:ngram"))
	}
	return &export.Useful{Scores: scores, Tau: given.tau}, err
}

// ExportCommand returns the command `concur export`.
func ExportCommand(c *console.Console) *cli.Command {
	var given exportOptions
	return &cli.Command{
		Name: "export", ArgsUsage: "RUN", Description: flags.Described(exportHelp),
		Usage: "write a run for other programs: right traces for fine-tuning, every vote as CSV, a log " +
			"of Inspect, spans of OpenTelemetry, or its chats as Markdown",
		Flags: []cli.Flag{
			flags.Choice(&given.Format, &cli.StringFlag{
				Name:  flags.NameFormat,
				Usage: "`FORMAT` of the file: sft, votes, inspect, otlp, otlp-evaluations, chat",
			}, "sft", "votes", "inspect", formatOTLP, formatEvaluations, "chat"),
			&cli.StringFlag{
				Name: flags.NameOut, TakesFile: true, Destination: &given.Out,
				Usage: "write to `FILE` instead of standard output",
			},
			&cli.StringFlag{
				Name: flags.NameConfiguration, Destination: &given.configuration, DefaultText: "all",
				Usage: "export only the configuration `NAME` of an ablation",
			},
			&cli.BoolFlag{
				Name: flagUseful, Destination: &given.onlyUseful,
				Usage: "with --format sft: leave out calls whose gain is below --tau, with their results; see concur usefulness",
			},
			&cli.Float64Flag{
				Name: flagTau, Destination: &given.tau, Value: usefulness.DefaultTau,
				Usage: "with --useful: the `GAIN` in nats that a call must reach",
			},
			&cli.StringFlag{
				Name: flagScorer, Destination: &given.scorer, DefaultText: "the last one",
				Usage: "with --useful: take the gains by this `SCORER`, if the run has gains by several",
			},
			&cli.StringFlag{
				Name: flagTo, Destination: &given.to,
				Usage: "with --format otlp or otlp-evaluations: send to the collector at `URL` instead of writing a file; " +
					"OTEL_EXPORTER_OTLP_* apply; evaluations also to phoenix:URL or langfuse:URL",
			},
			&cli.BoolFlag{
				Name: flagContent, Destination: &given.content,
				Usage: "with --format otlp: also questions, messages, arguments and results, each cut at 8,192 characters",
			},
			flags.Force(&given.force),
			flags.RunsDir(&given.runsDir),
		},
		Action: flags.Takes(&given.Arguments, "", flags.WithOutput(c, &given.Arguments, &given.ResultOptions,
			func(ctx context.Context, o *console.Output) error {
				return exportAction(ctx, c, &given, o)
			})),
	}
}
