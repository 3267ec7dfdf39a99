package weighing

import (
	"context"
	_ "embed"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/worth"
	"github.com/seed-5817661a/concur/runner/annotate"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
)

// formatToolformer prints the texts with their calls.
const formatToolformer = "toolformer"

func annotateAction(ctx context.Context, c *console.Console, given *annotateOptions, o *console.Output) error {
	if err := given.check(); err != nil {
		return err
	}
	conf, err := flags.ReadConfiguration(c, &given.Settings, "")
	if err != nil {
		return err
	}
	conf.Agent.Tools, conf.Model = given.tools, given.modelOr(conf.Model)
	if err := c.Assembler.CheckTools(conf); err != nil {
		return err
	}
	corpus, err := annotate.OpenCorpus(given.Word(0))
	if err != nil {
		return err
	}
	spec := conf.ModelOf(given.scorer)
	set, stop := c.Progress(given.quiet).Bar("read the corpus")
	var figures annotate.Figures
	names := worth.Annotation{Schema: worth.AnnotationSchema, Scorer: spec, Folder: given.folder}
	err = c.Assembler.WithSampler(ctx, conf, given.scorer, given.model,
		func(within context.Context, s model.Scorer, m model.Model) error {
			return c.Assembler.WithTools(within, conf, nil, func(tools *tool.Registry, _ []assemble.LeftOut) error {
				options := given.options(conf, tools, s, m)
				options.ScorerName = versionOf(c, conf, spec)
				options.Progress = func(done, all int64) { set(float64(done) / float64(max(1, all))) }
				names.Proposer = options.Proposer.Name()
				figures, err = annotate.Run(within, corpus, given.folder, options)
				if cause := context.Cause(within); err != nil && cause != nil && ctx.Err() == nil {
					err = errors.Join(cause, err) // the budget is spent, or the endpoint is down
				}
				return err
			})
		})
	stop()
	if names.Stopped = errors.Is(err, annotate.ErrMaxCalls); err != nil && !names.Stopped {
		return err
	}
	names.Figures = figures
	return o.Deliver(func() error {
		if o.Format == formatToolformer {
			return annotate.Kept(given.folder, func(c annotate.Candidate) error {
				line, err := lines.Encode(map[string]string{"id": c.Text, "text": c.Output})
				if err == nil {
					_, err = o.Write(append(line, '\n'))
				}
				return err
			})
		}
		return worth.WriteAnnotation(o, document.Format(o.Format), names, o.Screen(false))
	})
}

// check returns an error for flags with a wrong value.
func (g *annotateOptions) check() error {
	for name, v := range map[string]float64{flagTauS: g.tauS, flagTauF: g.tauF} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return console.Usagef("--%s is %g: give a number", name, v)
		}
	}
	switch {
	case g.scorer == "":
		return console.Usagef("name a model that gives log-probabilities with --%s, such as --%[1]s offline:ngram",
			flagScorer)
	case g.folder == "":
		return console.Usagef("name a folder for the results with --%s, such as --%[1]s annotated", flagFolder)
	case g.positions < 0 || g.samples < 0 || g.maxCalls < 0:
		return console.Usagef("--%s, --%s and --%s are counts: give 1 or more", flagPositions, flagSamples,
			flags.NameMaxCalls)
	}
	for _, name := range g.tools {
		t := annotate.Tool{Name: name, Paper: annotate.KindOf(name).Name}
		if g.model == "" && !(annotate.Rules{}).CanPropose(t) {
			return console.Usagef("there are no rules for calls of %s: name a model that writes them with --%s", name,
				flagModel)
		}
	}
	return nil
}

func (g *annotateOptions) modelOr(other string) string {
	if g.model != "" {
		return g.model
	}
	return other
}

// options returns the options of the work: the paper's settings, changed by flags.
func (g *annotateOptions) options(conf config.Configuration, tools *tool.Registry, s model.Scorer,
	m model.Model) annotate.Options {
	o := annotate.Options{Registry: tools, Scorer: s, Timeout: conf.Agent.ToolTimeout, MaxCalls: g.maxCalls,
		Parallel: conf.Limits.Traces(), Proposer: annotate.Rules{}}
	for _, spec := range tools.Specs() {
		k := annotate.KindOf(spec.Name)
		t := annotate.Tool{Name: spec.Name, Paper: k.Name, Settings: k.Settings}
		if g.tauS >= 0 {
			t.TauS = g.tauS
		}
		if g.tauF >= 0 {
			t.TauF = g.tauF
		}
		if g.positions > 0 {
			t.K = g.positions
		}
		if g.samples > 0 {
			t.M = g.samples
		}
		o.Tools = append(o.Tools, t)
	}
	if m != nil {
		o.Proposer = &annotate.Sampler{Model: m, ModelName: g.model, Scorer: s, Specs: tools.ModelSpecs()}
	}
	return o
}

//go:embed help/annotate.txt
var annotateHelp string

// annotateOptions holds the arguments and flags of concur annotate.
type annotateOptions struct {
	flags.Arguments
	flags.Settings
	flags.ResultOptions

	scorer, model, folder        string
	tools                        []string
	tauS, tauF                   float64
	positions, samples, maxCalls int
	quiet                        bool
}

// Names of flags.
const (
	flagModel     = "model"
	flagFolder    = "folder"
	flagTauS      = "tau-s"
	flagTauF      = "tau-f"
	flagPositions = "positions"
	flagSamples   = "samples"
)

// defaultTools have rules, and need no key.
var defaultTools = []string{"calc", "calendar", "web_search"}

// AnnotateCommand returns the command `concur annotate`.
func AnnotateCommand(c *console.Console) *cli.Command {
	given := annotateOptions{tools: defaultTools}
	return &cli.Command{
		Name: "annotate", ArgsUsage: "CORPUS", Description: flags.Described(annotateHelp),
		Usage: "put useful calls of tools into the texts of a corpus, as training data",
		Flags: slices.Concat(given.methodFlags(), given.outputFlags(),
			flags.LimitGroup(&given.Settings),
			[]cli.Flag{flags.Config(&given.Settings), flags.Quiet(&given.quiet)}),
		Action: flags.Takes(&given.Arguments, "", flags.WithOutput(c, &given.Arguments, &given.ResultOptions,
			func(ctx context.Context, o *console.Output) error {
				return annotateAction(ctx, c, &given, o)
			})),
	}
}

func (g *annotateOptions) methodFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name: flagScorer, Destination: &g.scorer,
			Usage: "`PROVIDER:MODEL` that gives log-probabilities, such as offline:ngram",
		},
		&cli.StringFlag{
			Name: flagModel, Destination: &g.model, DefaultText: "none; rules propose calls",
			Usage: "`PROVIDER:MODEL` that writes the calls",
		},
		&cli.StringSliceFlag{
			Name: "tools", Action: flags.Listed("tools", &g.tools), DefaultText: strings.Join(defaultTools, ","),
			Usage: "`TOOLS` whose calls are proposed",
		},
		&cli.Float64Flag{
			Name: flagTauS, Destination: &g.tauS, Value: -1, DefaultText: "the paper's: 0.05; calc and translate 0",
			Usage: "`PROBABILITY` of \" [\" above which a position is tried, with --model",
		},
		&cli.Float64Flag{
			Name: flagTauF, Destination: &g.tauF, Value: -1, DefaultText: "the paper's: 1; calc and translate 0.5",
			Usage: "`GAIN` in nats that a call must reach",
		},
		&cli.IntFlag{
			Name: flagPositions, Destination: &g.positions, DefaultText: "the paper's: 5; calc and translate 20",
			Usage: "at most this `NUMBER` of positions of a text",
		},
		&cli.IntFlag{
			Name: flagSamples, Destination: &g.samples, DefaultText: "the paper's: 5; calc and translate 10",
			Usage: "`NUMBER` of calls at a position, with --model",
		},
	}
}

func (g *annotateOptions) outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name: flagFolder, TakesFile: true, Destination: &g.folder, Usage: "`FOLDER` of the results",
		},
		&cli.IntFlag{
			Name: flags.NameMaxCalls, Destination: &g.maxCalls, DefaultText: "no bound",
			Usage: "stop after this many `REQUESTS` to the scorer and the model; the same command goes on",
		},
		flags.Format(&g.Format, append(worth.Formats(), formatToolformer)...),
		flags.Out(&g.Out),
	}
}
