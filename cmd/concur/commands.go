package main

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/score"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/playbook/learn"
)

// commands are all that there are, in the order of --help, with the types and values of their flags;
// commands.txt has their texts, and those of the flags.
func (c *console) commands() []*cli.Command {
	return slices.Concat(
		c.runCommands(), c.gateCommands(), c.resultCommands(), c.playbookCommands(), c.lookCommands(), c.dataCommands(),
	)
}

func (c *console) runCommands() []*cli.Command {
	compareFormats := append(reports.Formats(), formatHTML)
	scoreFormats := []string{formatTable, string(reports.FormatMarkdown), formatJSON}
	return []*cli.Command{
		{Name: "run", Action: c.withRun(c.runAction), Flags: slices.Concat(configurationFlags(), seedFlag(),
			texts("replay"), switches("check", "record-missing"),
			runFlags(), filterFlags(), sectionFlags(), outputFlags(runFormats()))},
		{Name: "ablate", Action: c.withRun(c.ablateAction), Flags: slices.Concat(configurationFlags(),
			texts(flagDataset), seedFlag(),
			filterFlags(), comparisonFlags(), sectionFlags(), runFlags(), outputFlags(runFormats()))},
		{Name: "compare", Action: c.withOutput(c.compareAction), Flags: slices.Concat(
			outputFlags(compareFormats), comparisonFlags(), sectionFlags(), lists("across", flagConfiguration), runsDirFlag())},
		{Name: "score", Action: c.withOutput(c.scoreAction), Flags: slices.Concat(
			outputFlags(scoreFormats), comparisonFlags(), texts("gate"), switches("add"), texts("override"), flags{
				&cli.StringFlag{Name: "id", Value: "id"},
				&cli.StringFlag{Name: "gold", Value: "gold"},
				&cli.StringFlag{Name: "answers", Value: "answers"},
			}, texts("correct", "type", "norm"), flags{
				&cli.StringFlag{Name: "nulls", Value: string(score.NullsVote)},
				&cli.StringFlag{Name: "quorum", Value: string(consensus.QuorumMajority)},
			}, texts("verify", "judge", flagConfig), switches(flagPartial))},
	}
}

func (c *console) gateCommands() []*cli.Command {
	of := func() flags { return append(baselineFlag(), texts(flagConfiguration)...) }
	rules := func() flags {
		return flags{
			&cli.IntFlag{Name: "pool-runs"}, &cli.Float64Flag{Name: "alpha", Value: gate.DefaultAlpha},
			&cli.BoolFlag{Name: "no-confirm"}, &cli.BoolFlag{Name: "strict"},
		}
	}
	simulate := &cli.Command{Name: "simulate", Action: c.withOutput(c.simulateAction), Flags: slices.Concat(
		of(), texts("rates"), counts("k"), rules(), flags{&cli.IntFlag{Name: "simulations", Value: gate.DefaultSimulations}},
		seedFlag(), switches(flagQuiet), outputFlags(plainFormats()))}
	return []*cli.Command{
		{Name: "gate", Action: c.withRun(c.gateAction), Subcommands: []*cli.Command{simulate}, Flags: slices.Concat(
			of(), texts(flagDataset), rules(), texts("as"), flags{&cli.DurationFlag{Name: "spaced"}}, texts("frozen"), flags{
				&cli.Float64Flag{Name: "floor"}, &cli.Float64Flag{Name: "non-inferiority"},
				&cli.Float64Flag{Name: "min-pass-rate"}, &cli.Float64Flag{Name: "max-usd"},
				&cli.DurationFlag{Name: "max-p95"}, &cli.IntFlag{Name: "simulations", Value: 1000},
			}, texts("junit", "markdown"), switches(flagYes, flagQuiet), runsDirFlag(),
			settingFlags(), outputFlags(append(reports.GateFormats(), formatHTML)))},
		group("baseline",
			&cli.Command{Name: "add", Action: c.folded(c.baselineAdd),
				Flags: slices.Concat(of(), texts(flagDataset, "override"), runsDirFlag())},
			&cli.Command{Name: "show", Action: c.withOutput(baselineShow),
				Flags: slices.Concat(of(), counts("pool-runs"), texts(flagDataset), outputFlags(plainFormats()))},
			&cli.Command{Name: "reset", Action: c.folded(c.baselineReset),
				Flags: slices.Concat(of(), texts("reason"), lists("keep"), runsDirFlag())},
			&cli.Command{Name: "prune", Action: c.folded(baselinePrune),
				Flags: append(baselineFlag(), &cli.IntFlag{Name: "keep-runs", Value: 20})},
		),
	}
}

// resultCommands ask once, or show, exchange and judge what there is.
func (c *console) resultCommands() []*cli.Command {
	ask := configurationFlags()
	flagNamed(ask, "k").(*cli.IntFlag).DefaultText = "1"
	return []*cli.Command{
		{Name: "ask", Action: c.withOutput(c.askAction), Flags: slices.Concat(ask, seedFlag(),
			switches("debug", flagQuiet), runsDirFlag(), texts(flagConfig), outputFlags(plainFormats()))},
		{Name: "report", Action: c.withOutput(c.reportAction), Flags: slices.Concat(outputFlags(runFormats()),
			sectionFlags(), comparisonFlags(), runsDirFlag(), texts(flagBaseline), switches(flagPartial))},
		{Name: "export", Action: c.withOutput(c.export), Flags: slices.Concat(
			flags{formatFlag("`FORMAT` of the file", []string{exportSFT, exportVotes, exportInspect})},
			texts(flagOut, flagConfiguration), switches("force"), runsDirFlag())},
		{Name: "import", Action: c.withOutput(c.importAction), Flags: slices.Concat(
			texts(flagFrom, "score", flagDataset), flags{&cli.StringFlag{Name: "pass", Value: config.PassGold}},
			runsDirFlag(), sectionFlags(), outputFlags(runFormats()))},
		{Name: "rejudge", Action: c.withRun(c.rejudgeAction), Flags: slices.Concat(
			settingFlags("judge", "pass", "calibration", "threshold", "repeats", "stages", "quorum", "verifier"),
			flags{&cli.StringFlag{Name: flagConfig, Aliases: []string{"c"}}}, texts(flagDataset, flagResume),
			runsDirFlag(), switches(flagQuiet), sectionFlags(), comparisonFlags(), outputFlags(runFormats()))},
		{Name: "label", Action: c.labelAction, Flags: slices.Concat(
			texts("author", "reason"), counts("limit"), switches("uniform"), texts(flagConfiguration), runsDirFlag())},
		group("judge",
			&cli.Command{Name: "calibrate", Action: c.withOutput(c.calibrateAction), Flags: slices.Concat(
				settingFlags("judge", "threshold", "repeats"), outputFlags(plainFormats()),
				texts(flagFrom, flagDataset), runsDirFlag(), texts(flagConfig), switches(flagQuiet))},
			&cli.Command{Name: "score", Action: c.withOutput(c.judgeScoreAction), Flags: outputFlags(plainFormats())}),
	}
}

func (c *console) playbookCommands() []*cli.Command {
	lessons := func() flags {
		return flags{
			&cli.StringFlag{Name: "labels", Value: string(learn.Gold)},
			&cli.Float64Flag{Name: "level", Value: learn.DefaultLevel},
		}
	}
	return []*cli.Command{group("playbook",
		&cli.Command{Name: "learn", Action: c.folded(c.playbookLearn), Flags: slices.Concat(
			flags{&cli.StringFlag{Name: "into", Value: "playbook.yaml"}}, lessons(), counts("budget"),
			texts(flagConfiguration, "reflector"), counts("max-calls"), texts(flagDataset), runsDirFlag(), texts(flagConfig))},
		&cli.Command{Name: "undo", Action: c.folded(playbookUndo)},
		&cli.Command{Name: "show", Action: c.folded(playbookShow), Flags: flags{&cli.IntFlag{Name: "k", Value: 3}}},
		&cli.Command{Name: "diff", Action: c.folded(playbookDiff)},
		&cli.Command{Name: "check", Action: c.folded(c.playbookCheck)},
		&cli.Command{Name: "stats", Action: c.folded(playbookStats)},
		&cli.Command{Name: "curve", Action: c.withRun(c.playbookCurve), Flags: slices.Concat(configurationFlags(),
			texts(flagDataset), flags{&cli.StringFlag{Name: "dir", Value: "."}}, lessons(), texts("learned-as"), seedFlag(),
			filterFlags(), comparisonFlags(), sectionFlags(), runFlags(), outputFlags(runFormats()))},
	)}
}

// lookCommands show runs, and tools.
func (c *console) lookCommands() []*cli.Command {
	remove := &cli.Command{Name: "rm", Action: c.runsRemove, Flags: slices.Concat(
		runsDirFlag(), texts("older-than"), baselineFlag(), switches(flagYes))}
	return []*cli.Command{
		{Name: "trace", Action: c.folded(c.traceAction), Flags: slices.Concat(
			texts(flagConfiguration), counts("trace"), texts("diff"), switches("full"), runsDirFlag())},
		{Name: "runs", Action: c.runsAction, Subcommands: []*cli.Command{remove}, Flags: append(
			runsDirFlag(), &cli.StringFlag{Name: flagFormat, Value: formatTable})},
		{Name: "view", Action: c.viewAction, Flags: append(runsDirFlag(), counts("port")...)},
		group("tools",
			&cli.Command{Name: "list", Action: c.toolsList,
				Flags: append(switches("schema"), texts(flagCorpus, flagConfig)...)},
			&cli.Command{Name: "call", Action: c.toolsCall, Flags: append(texts(flagCorpus, flagConfig),
				&cli.DurationFlag{Name: "tool-timeout", DefaultText: config.New().Agent.ToolTimeout.String()})},
		),
	}
}

func (c *console) dataCommands() []*cli.Command {
	remembered := func() flags {
		return flags{&cli.StringFlag{Name: "file", Value: "memory.jsonl"}, &cli.StringFlag{Name: "owner"}}
	}
	return []*cli.Command{
		group("datasets",
			&cli.Command{Name: "list", Action: c.folded(datasetsList)},
			&cli.Command{Name: "check", Action: c.withOutput(c.datasetsCheck), Flags: slices.Concat(
				switches("strict"), lists(flagFrom),
				flags{formatFlag("with --from: `FORMAT` of the suspects", plainFormats())}, runsDirFlag())},
			&cli.Command{Name: "convert", Action: c.folded(c.datasetsConvert), Flags: slices.Concat(
				texts(flagOut), lists("map", "set", "extract"), texts("mapping"), switches(flagPartial, "force"))},
			&cli.Command{Name: "split", Action: c.folded(c.datasetsSplit), Flags: flags{
				&cli.Float64Flag{Name: "learn", Value: 0.5}, &cli.Int64Flag{Name: "seed", Value: 1},
				&cli.StringFlag{Name: "dir", Value: "."}, &cli.BoolFlag{Name: "force"},
			}},
			&cli.Command{Name: "corpus", Action: c.datasetsCorpus},
		),
		group("memory",
			&cli.Command{Name: "add", Action: c.folded(memoryAdd),
				Flags: append(remembered(), texts("id", "time", "source", "supersedes")...)},
			&cli.Command{Name: "list", Action: c.folded(memoryList), Flags: append(remembered(), switches("all")...)},
			&cli.Command{Name: "from", Action: c.folded(memoryFrom),
				Flags: slices.Concat(remembered(), texts(flagConfiguration, flagDataset), runsDirFlag())},
		),
		{Name: "serve", Action: c.serveAction, Flags: flags{
			&cli.StringFlag{Name: "model", Value: config.DefaultModel},
			&cli.StringFlag{Name: "addr", Value: "127.0.0.1:8421"},
			&cli.StringFlag{Name: "key"},
		}},
		group("mcp", &cli.Command{Name: "serve", Action: c.mcpServe, Flags: texts("addr", flagCorpus, flagConfig)}),
		{Name: "doctor", Action: c.withOutput(c.doctor), Flags: slices.Concat(configurationFlags(),
			runsDirFlag(), texts(flagConfig), switches("no-network"), outputFlags(plainFormats()))},
		{Name: "init", Action: c.initAction, Flags: switches(flagQuiet), HideHelpCommand: true}, // a folder may be called help
		{Name: "completion", Action: c.completion},
		{Name: "version", Action: c.printVersion},
	}
}

func group(name string, subcommands ...*cli.Command) *cli.Command {
	return &cli.Command{Name: name, Subcommands: subcommands, Action: func(ctx *cli.Context) error {
		if ctx.Args().Present() {
			return unknownCommand(ctx, ctx.Command.HelpName, ctx.Command.Subcommands)
		}
		return cli.ShowSubcommandHelp(ctx)
	}}
}
