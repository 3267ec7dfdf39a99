package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/score"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/imports"
	"github.com/seed-5817661a/concur/runner/playbook/learn"
)

type flags = []cli.Flag

// commands are all that there are, in the order of --help; commands.txt has their texts.
func (c *console) commands() []*cli.Command {
	return slices.Concat(
		c.runCommands(), c.gateCommands(), c.resultCommands(), c.playbookCommands(), c.lookCommands(), c.dataCommands(),
	)
}

func (c *console) runCommands() []*cli.Command {
	compareFormats := append(reports.Formats(), formatHTML)
	scoreFormats := []string{formatTable, string(reports.FormatMarkdown), formatJSON}
	return []*cli.Command{
		{Name: "run", Action: c.withRun(c.runAction),
			Flags: slices.Concat(configurationFlags(), shared("seed"), flags{
				&cli.StringFlag{Name: "replay", Usage: "run `RUN` again from its recording, without models and search", DefaultText: "a new run"},
				&cli.BoolFlag{Name: "check", Usage: "with --replay: exit 1 where a verdict is not the recording's"},
				&cli.BoolFlag{Name: "record-missing", Usage: "with --replay: ask models and tools for what is not in the recording"},
			}, runFlags(), filterFlags(), sectionFlags(), outputFlags(runFormats()))},
		{Name: "ablate", Action: c.withRun(c.ablateAction), Flags: slices.Concat(configurationFlags(), flags{
			&cli.StringFlag{Name: flagDataset, Usage: "`DATASET` in place of the spec's: a built-in name or a file", EnvVars: []string{"CONCUR_DATASET"}},
		}, shared("seed"), filterFlags(), comparisonFlags(), sectionFlags(), runFlags(), outputFlags(runFormats()))},
		{Name: "compare", Action: c.withOutput(c.compareAction),
			Flags: slices.Concat(outputFlags(compareFormats), comparisonFlags(), sectionFlags(), flags{
				&cli.StringSliceFlag{Name: "across", Usage: "compare although these `RULES` differ"},
				&cli.StringSliceFlag{Name: flagConfiguration, Usage: "compare the configuration `NAME` of an ablation only; given twice, one name for each RUN", DefaultText: "all of the same name"},
			}, shared("runs-dir"))},
		{Name: "score", Action: c.withOutput(c.scoreAction),
			Flags: slices.Concat(outputFlags(scoreFormats), comparisonFlags(), flags{
				&cli.StringFlag{Name: "gate", Usage: "decide by the accepted recordings in the baseline `FILE`; the exit codes are those of concur gate"},
				&cli.BoolFlag{Name: "add", Usage: "after --gate, accept the recording into that file, as concur baseline add does with a run"},
				&cli.StringFlag{Name: "override", Usage: "with --add, accept it against the decision, for this `REASON`"},
				&cli.StringFlag{Name: "id", Value: "id", Usage: "take the id from `FIELD`; a line without one is named by its number"},
				&cli.StringFlag{Name: "gold", Value: "gold", Usage: "take the right answer, or a list of them, from `FIELD`"},
				&cli.StringFlag{Name: "answers", Value: "answers", Usage: "take the answers, or one answer, from `FIELD`"},
				&cli.StringFlag{Name: "correct", Usage: "take verdicts, true or false for each answer, from `FIELD` in place of the gold"},
				&cli.StringFlag{Name: "type", Usage: "read answers as values of `TYPE`, such as integer or date; implies --norm typed"},
				&cli.StringFlag{Name: "norm", Usage: "answers are the same by `NORM`: none (equal texts), typed, or squad", DefaultText: "none, or typed with --type"},
				&cli.StringFlag{Name: "nulls", Value: string(score.NullsVote), Usage: "an answer that is null or blank will `DO` this: vote as one more answer that is wrong, or abstain"},
				&cli.StringFlag{Name: "quorum", Value: string(consensus.QuorumMajority), Usage: "a verdict needs the majority of all answers, or with none of those that vote: `QUORUM`"},
				&cli.StringFlag{Name: "verify", Usage: "let `PROVIDER:MODEL` merge answers that mean the same, before votes are counted"},
				&cli.StringFlag{Name: "judge", Usage: "let `PROVIDER:MODEL` rule on each different answer that is not equal to the gold"},
			}, shared("config"), flags{&cli.BoolFlag{Name: flagPartial, Usage: "leave out lines that cannot be read, and report them"}})},
	}
}

func (c *console) gateCommands() []*cli.Command {
	poolRuns := func(usage string) *cli.IntFlag {
		return &cli.IntFlag{Name: "pool-runs", Usage: usage, DefaultText: "15 traces of each query, 5 runs at least"}
	}
	rules := func() flags {
		return flags{
			poolRuns("`RUNS` of the baseline that the run is compared with"),
			&cli.Float64Flag{Name: "alpha", Value: gate.DefaultAlpha, Usage: "bound on the `CHANCE` of a false alarm"},
			&cli.BoolFlag{Name: "no-confirm", Usage: "run no fresh traces: decide with those that exist, and print what would be run"},
			&cli.BoolFlag{Name: "strict", Usage: "use the levels for traces that are not independent"},
		}
	}
	simulate := &cli.Command{Name: "simulate", Action: c.withOutput(c.simulateAction),
		Flags: slices.Concat(shared("baseline", "configuration"), flags{
			&cli.StringFlag{Name: "rates", Usage: "simulate queries that are right at these `RATES`, such as 24x0.995,2x0.6", DefaultText: "the baseline's"},
			&cli.IntFlag{Name: "k", Usage: "`TRACES` per query and run", DefaultText: "the baseline's; 3 with --rates"},
		}, rules(), flags{
			&cli.IntFlag{Name: "simulations", Value: gate.DefaultSimulations, Usage: "simulated `RUNS` behind each figure"},
		}, shared("seed", "quiet"), outputFlags(plainFormats()))}
	return []*cli.Command{
		{Name: "gate", Action: c.withRun(c.gateAction), Subcommands: []*cli.Command{simulate},
			Flags: slices.Concat(shared("baseline", "configuration", "dataset"), rules(), flags{
				&cli.StringFlag{Name: "as", Usage: "decide this beside the run's own decision, under a `NAME`"},
				&cli.DurationFlag{Name: "spaced", Usage: "run fresh traces after the first looks no sooner than `TIME` after the run", DefaultText: "0; 30m with --strict", EnvVars: []string{"CONCUR_SPACED"}},
				&cli.StringFlag{Name: "frozen", Usage: "a second baseline `FILE` that stays the same, to find slow drift"},
				&cli.Float64Flag{Name: "floor", Usage: "fail where the pass rate is provably below `RATE`"},
				&cli.Float64Flag{Name: "non-inferiority", Usage: "require proof that the run is not worse by `MARGIN`; needs 300 queries"},
				&cli.Float64Flag{Name: "min-pass-rate", Usage: "plain threshold: fail below `RATE`"},
				&cli.Float64Flag{Name: "max-usd", Usage: "plain threshold: fail where the run cost more than `DOLLARS`"},
				&cli.DurationFlag{Name: "max-p95", Usage: "plain threshold: fail where 95 % of traces took more than `TIME`"},
				&cli.IntFlag{Name: "simulations", Value: 1000, Usage: "simulated `RUNS` behind the gate's own false alarms and power, fewer above 100 queries; 0 leaves these out"},
				&cli.StringFlag{Name: "junit", Usage: "also write JUnit XML to `FILE`"},
				&cli.StringFlag{Name: "markdown", Usage: "also write Markdown to `FILE`, for a comment on a pull request"},
				&cli.BoolFlag{Name: flagYes, Usage: "run fresh traces without asking, whatever they may cost", EnvVars: []string{"CONCUR_YES"}},
			}, shared("quiet", "runs-dir"), settingFlags(), outputFlags(append(reports.GateFormats(), formatHTML)))},
		group("baseline",
			&cli.Command{Name: "add", Action: c.folded(c.baselineAdd),
				Flags: slices.Concat(shared("baseline", "configuration", "dataset"), flags{
					&cli.StringFlag{Name: "override", Usage: "accept it against the gate's decision, for this `REASON`"},
				}, shared("runs-dir"))},
			&cli.Command{Name: "show", Action: c.withOutput(baselineShow),
				Flags: slices.Concat(shared("baseline", "configuration"), flags{
					poolRuns("`RUNS` that a run is compared with"),
					&cli.StringFlag{Name: flagDataset, Usage: "grade the stored answers by this `DATASET`", DefaultText: "as they were graded"},
				}, outputFlags(plainFormats()))},
			&cli.Command{Name: "reset", Action: c.folded(c.baselineReset),
				Flags: slices.Concat(shared("baseline", "configuration"), flags{
					&cli.StringFlag{Name: "reason", Usage: "why, in a `SENTENCE`"},
					&cli.StringSliceFlag{Name: "keep", Usage: "accepted `RUNS` that show the change, and go on to count"},
				}, shared("runs-dir"))},
			&cli.Command{Name: "prune", Action: c.folded(baselinePrune), Flags: append(shared("baseline"),
				&cli.IntFlag{Name: "keep-runs", Value: 20, Usage: "`RUNS` of each configuration that stay"})},
		),
	}
}

// resultCommands ask once, or show, exchange and judge what there is.
func (c *console) resultCommands() []*cli.Command {
	ask := configurationFlags()
	flagNamed(ask, "k").(*cli.IntFlag).DefaultText = "1"
	return []*cli.Command{
		{Name: "ask", Action: c.withOutput(c.askAction), Flags: slices.Concat(ask, shared("seed"), flags{
			&cli.BoolFlag{Name: "debug", Usage: "show observations as they came, and every decision of a guard"},
			&cli.BoolFlag{Name: flagQuiet, Usage: "show the answer only", EnvVars: []string{"CONCUR_QUIET"}},
		}, shared("runs-dir", "config"), outputFlags(plainFormats()))},
		{Name: "report", Action: c.withOutput(c.reportAction),
			Flags: slices.Concat(outputFlags(runFormats()), sectionFlags(), comparisonFlags(), shared("runs-dir"), flags{
				&cli.StringFlag{Name: flagBaseline, Usage: "compare the configurations of an ablation with `NAME`", DefaultText: "the spec's baseline"},
				&cli.BoolFlag{Name: flagPartial, Usage: "show a run that is not complete, with bounds for what is missing"},
			})},
		{Name: "export", Action: c.withOutput(c.export), Flags: append(flags{
			formatFlag("`FORMAT` of the file", []string{exportSFT, exportVotes, exportInspect}),
			&cli.StringFlag{Name: flagOut, Usage: "write to `FILE` instead of standard output"},
			partFlag("export"),
		}, shared("force", "runs-dir")...)},
		{Name: "import", Action: c.withOutput(c.importAction), Flags: slices.Concat(flags{
			&cli.StringFlag{Name: flagFrom, Usage: "`FORMAT` of the file: " + strings.Join(imports.Formats(), ", "), DefaultText: "found out"},
			&cli.StringFlag{Name: "score", Usage: "`NAME` of Inspect's score, or of lm-eval's metric, that says what is right", DefaultText: "the first one"},
			&cli.StringFlag{Name: flagDataset, Usage: "judge by the gold of `DATASET`, whose queries have the same ids or texts", DefaultText: "the file's verdicts"},
			&cli.StringFlag{Name: "pass", Value: config.PassGold, Usage: "what `DECIDES` that a query passes: gold, or gold+tools with the expected tool calls of --dataset"},
		}, shared("runs-dir"), sectionFlags(), outputFlags(runFormats()))},
		{Name: "rejudge", Action: c.withRun(c.rejudgeAction),
			Flags: slices.Concat(settingFlags("judge", "pass", "calibration", "threshold", "repeats", "stages", "quorum", "verifier"), flags{
				&cli.StringFlag{Name: flagConfig, Aliases: []string{"c"}, Usage: "take judge, verifier, consensus and pass from `FILE`", DefaultText: "the run's"},
				&cli.StringFlag{Name: flagDataset, Usage: "`FILE` with the run's queries, where their golds are other ones now", DefaultText: "the run's"},
				&cli.StringFlag{Name: flagResume, Usage: "finish `RUN`, which was interrupted while it was judged again"},
			}, shared("runs-dir", "quiet"), sectionFlags(), comparisonFlags(), outputFlags(runFormats()))},
		{Name: "label", Action: c.labelAction, Flags: append(flags{
			&cli.StringFlag{Name: "author", Usage: "`NAME` of who labels", DefaultText: "whom git names", EnvVars: []string{"CONCUR_AUTHOR"}},
			&cli.StringFlag{Name: "reason", Usage: "`WHY`, of a label on a QUERY"},
			&cli.IntFlag{Name: "limit", Usage: "end after so many `LABELS`", DefaultText: "until q"},
			&cli.BoolFlag{Name: "uniform", Usage: "draw every answer with the same chance"},
			partFlag("label"),
		}, shared("runs-dir")...)},
		group("judge",
			&cli.Command{Name: "calibrate", Action: c.withOutput(c.calibrateAction),
				Flags: slices.Concat(settingFlags("judge", "threshold", "repeats"), outputFlags(plainFormats()), flags{
					&cli.StringFlag{Name: flagFrom, Usage: "take the answers that people labelled in `RUN`, in place of FILE"},
					&cli.StringFlag{Name: flagDataset, Usage: "with --from: `FILE` where the run's queries are now", DefaultText: "the run's"},
				}, shared("runs-dir", "config", "quiet"))},
			&cli.Command{Name: "score", Action: c.withOutput(c.judgeScoreAction), Flags: outputFlags(plainFormats())}),
	}
}

func (c *console) playbookCommands() []*cli.Command {
	labels := func(usage string) flags {
		return flags{
			&cli.StringFlag{Name: "labels", Value: string(learn.Gold), Usage: usage},
			&cli.Float64Flag{Name: "level", Value: learn.DefaultLevel, Usage: "`LEVEL` of the tests of all sequences together"},
		}
	}
	return []*cli.Command{group("playbook",
		&cli.Command{Name: "learn", Action: c.folded(c.playbookLearn), Flags: slices.Concat(flags{
			&cli.StringFlag{Name: "into", Value: "playbook.yaml", Usage: "change the playbook `FILE`, or make it"},
		}, labels("which traces are right: `LABELS` gold, or majority: those with the answer that most gave"), flags{
			&cli.IntFlag{Name: "budget", Usage: "keep the playbook within so many `TOKENS`: bullets with the lowest scores leave", DefaultText: "no bound"},
			&cli.StringFlag{Name: flagConfiguration, Usage: "learn from the configuration `NAME` of an ablation", DefaultText: "the only one"},
			&cli.StringFlag{Name: "reflector", Usage: "ask the model `PROVIDER:MODEL` about a right and a wrong trace of each query", DefaultText: "the reflector sequence, without a model"},
			&cli.IntFlag{Name: "max-calls", Usage: "with --reflector: ask at most so many `TIMES`; the same command goes on from there", DefaultText: "no bound"},
		}, shared("dataset", "runs-dir", "config"))},
		&cli.Command{Name: "undo", Action: c.folded(playbookUndo)},
		&cli.Command{Name: "show", Action: c.folded(playbookShow), Flags: flags{&cli.IntFlag{Name: "k", Value: 3, Usage: "with a QUESTION: so many `BULLETS`"}}},
		&cli.Command{Name: "diff", Action: c.folded(playbookDiff)},
		&cli.Command{Name: "check", Action: c.folded(c.playbookCheck)},
		&cli.Command{Name: "stats", Action: c.folded(playbookStats)},
		&cli.Command{Name: "curve", Action: c.withRun(c.playbookCurve),
			Flags: slices.Concat(configurationFlags(), flags{
				&cli.StringFlag{Name: flagDataset, Usage: "evaluate on `DATASET`: a built-in name or a file", EnvVars: []string{"CONCUR_DATASET"}},
				&cli.StringFlag{Name: "dir", Value: ".", Usage: "write the playbooks into this `FOLDER`"},
			}, labels("`LABELS` gold or majority, as of concur playbook learn"), flags{
				&cli.StringFlag{Name: "learned-as", Usage: "learn from the configuration `NAME` of an ablation", DefaultText: "the only one"},
			}, shared("seed"), filterFlags(), comparisonFlags(), sectionFlags(), runFlags(), outputFlags(runFormats()))},
	)}
}

// lookCommands show runs, and tools.
func (c *console) lookCommands() []*cli.Command {
	remove := &cli.Command{Name: "rm", Action: c.runsRemove, Flags: append(shared("runs-dir"),
		&cli.StringFlag{Name: "older-than", Usage: "remove all runs that began longer ago than `AGE`, such as 12h or 30d"},
		&cli.StringFlag{Name: flagBaseline, Value: defaultBaseline, Usage: "keep the runs that this baseline `FILE` names"},
		&cli.BoolFlag{Name: flagYes, Usage: "remove without asking", EnvVars: []string{"CONCUR_YES"}})}
	return []*cli.Command{
		{Name: "trace", Action: c.folded(c.traceAction), Flags: append(flags{
			partFlag("show"),
			&cli.IntFlag{Name: "trace", Usage: "show trace `N` only, 0 for the first", DefaultText: "all"},
			&cli.StringFlag{Name: "diff", Usage: "show where traces `A,B` of the query part, and what each did from there"},
			&cli.BoolFlag{Name: "full", Usage: "show a document every time that it came back, not once a trace"},
		}, shared("runs-dir")...)},
		{Name: "runs", Action: c.runsAction, Subcommands: []*cli.Command{remove}, Flags: append(shared("runs-dir"),
			&cli.StringFlag{Name: flagFormat, Value: "table", Usage: "`FORMAT` of the list: table, json", EnvVars: []string{"CONCUR_FORMAT"}})},
		{Name: "view", Action: c.viewAction, Flags: append(shared("runs-dir"),
			&cli.IntFlag{Name: "port", Usage: "`PORT` on 127.0.0.1", DefaultText: "a free one"})},
		group("tools",
			&cli.Command{Name: "list", Action: c.toolsList, Flags: slices.Concat(flags{
				&cli.BoolFlag{Name: "schema", Usage: "print each tool's JSON Schema"},
			}, shared("corpus", "config"))},
			&cli.Command{Name: "call", Action: c.toolsCall, Flags: append(shared("corpus", "config"),
				&cli.DurationFlag{Name: "tool-timeout", DefaultText: config.New().Agent.ToolTimeout.String(), Usage: "`DEADLINE` of the call, if it leaves the process"})},
		),
	}
}

func (c *console) dataCommands() []*cli.Command {
	return []*cli.Command{
		group("datasets",
			&cli.Command{Name: "list", Action: c.folded(datasetsList)},
			&cli.Command{Name: "check", Action: c.withOutput(c.datasetsCheck), Flags: append(flags{
				&cli.BoolFlag{Name: "strict", Usage: "exit with 2 on warnings, and on golds that are probably wrong"},
				&cli.StringSliceFlag{Name: flagFrom, Usage: "look for wrong golds by what `RUNS` answered"},
				formatFlag("with --from: `FORMAT` of the suspects", plainFormats()),
			}, shared("runs-dir")...)},
			&cli.Command{Name: "convert", Action: c.folded(c.datasetsConvert), Flags: append(flags{
				&cli.StringFlag{Name: flagOut, Usage: "write the dataset to `FILE`"},
				&cli.StringSliceFlag{Name: "map", Usage: "take a field from another: `FIELD=SOURCE,…`"},
				&cli.StringSliceFlag{Name: "set", Usage: "give every query `FIELD=VALUE`; may be given several times"},
				&cli.StringSliceFlag{Name: "extract", Usage: "take only a part of a field: `FIELD=REGEXP`; may be given several times"},
				&cli.StringFlag{Name: "mapping", Usage: "read --map, --set and --extract from a YAML `FILE`, or a built-in one"},
				&cli.BoolFlag{Name: flagPartial, Usage: "leave out records that cannot be read, and report them"},
			}, shared("force")...)},
			&cli.Command{Name: "split", Action: c.folded(c.datasetsSplit), Flags: append(flags{
				&cli.Float64Flag{Name: "learn", Value: 0.5, Usage: "`SHARE` of the queries to learn from, between 0 and 1"},
				&cli.Int64Flag{Name: "seed", Value: 1, Usage: "draw by this `SEED`"},
				&cli.StringFlag{Name: "dir", Value: ".", Usage: "write into this `FOLDER`"},
			}, shared("force")...)},
			&cli.Command{Name: "corpus", Action: c.datasetsCorpus},
		),
		group("memory",
			&cli.Command{Name: "add", Action: c.folded(memoryAdd), Flags: append(memoryFlags(),
				&cli.StringFlag{Name: "id", Usage: "`ID` of the item", DefaultText: "the next of m1, m2, …"},
				&cli.StringFlag{Name: "time", Usage: "since when: a `DATE` such as 2024-05-03", DefaultText: "today"},
				&cli.StringFlag{Name: "source", Usage: "`WHERE` it is from"},
				&cli.StringFlag{Name: "supersedes", Usage: "`ID` of the item that it replaces"})},
			&cli.Command{Name: "list", Action: c.folded(memoryList), Flags: append(memoryFlags(),
				&cli.BoolFlag{Name: "all", Usage: "show those that others supersede too"})},
			&cli.Command{Name: "from", Action: c.folded(memoryFrom),
				Flags: append(memoryFlags(), shared("configuration", "dataset", "runs-dir")...)},
		),
		{Name: "serve", Action: c.serveAction, Flags: flags{
			&cli.StringFlag{Name: "model", Value: config.DefaultModel, Usage: "`PROVIDER:MODEL` to serve", EnvVars: []string{"CONCUR_MODEL"}},
			&cli.StringFlag{Name: "addr", Value: "127.0.0.1:8421", Usage: "`HOST:PORT` to listen on; port 0 takes a free one"},
			&cli.StringFlag{Name: "key", Usage: "`KEY` that requests must bring as a bearer token", EnvVars: []string{"CONCUR_SERVE_KEY"}},
		}},
		group("mcp",
			&cli.Command{Name: "serve", Action: c.mcpServe, Flags: append(flags{
				&cli.StringFlag{Name: "addr", Usage: "`HOST:PORT` of this machine to serve HTTP on; port 0 takes a free one"},
			}, shared("corpus", "config")...)}),
		{Name: "doctor", Action: c.withOutput(c.doctor),
			Flags: slices.Concat(configurationFlags(), shared("runs-dir", "config"), flags{
				&cli.BoolFlag{Name: "no-network", Usage: "try nothing that leaves this machine"},
			}, outputFlags(plainFormats()))},
		{Name: "init", Action: c.initAction,
			Flags: shared("quiet"), HideHelpCommand: true}, // a folder may be called help
		{Name: "completion", Action: c.completion},
		{Name: "version", Action: c.printVersion},
	}
}

// group is a command that only has subcommands.
func group(name string, subcommands ...*cli.Command) *cli.Command {
	return &cli.Command{Name: name, Subcommands: subcommands, Action: func(ctx *cli.Context) error {
		if ctx.Args().Present() {
			return unknownCommand(ctx, ctx.Command.HelpName, ctx.Command.Subcommands)
		}
		return cli.ShowSubcommandHelp(ctx)
	}}
}
