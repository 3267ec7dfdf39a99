package main

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/ablations/score"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/export"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/imports"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) importAction(ctx context.Context, given *importOptions, o *output) error {
	if err := given.tableOptions.check(&given.arguments); err != nil {
		return err
	}
	log, err := given.open()
	err = orOther(err, given.word(0), "import", "results of another harness, or chats as JSONL")
	if err == nil && given.dataset != "" {
		var data *datasets.Dataset
		if data, err = datasets.Open(given.dataset); err == nil {
			err = log.Judge(data)
		}
	}
	if err != nil {
		return err
	}
	log.Pass = judge.Mode(given.pass)
	for _, note := range append(log.Counts(), log.Notes...) {
		fmt.Fprintln(c.err, "import:", note)
	}
	dir, err := c.saveImport(ctx, given, log)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.err, "import:", log.Tool, "into", dir)
	return c.reportOn(dir, o, true, given.reporting())
}

// open reads the file of concur import, by a mapping or as one of the known formats.
func (o *importOptions) open() (*imports.Log, error) {
	file := o.word(0)
	if o.mapping == "" {
		return imports.Open(file, o.from, o.score)
	}
	if o.from != "" || o.score != "" {
		return nil, usagef("--mapping reads a file of any format: leave out --from and --score")
	}
	mapping, err := imports.ReadMapping(o.mapping)
	if err != nil {
		return nil, usagef("--mapping: %w", err)
	}
	return imports.OpenMapped(file, mapping)
}

// saveImport writes an imported log as a run. With --extract model, a model reads what the rules do not.
func (c *console) saveImport(ctx context.Context, given *importOptions, log *imports.Log) (dir string, err error) {
	save := func(within context.Context) (err error) {
		dir, err = log.Save(within, given.runsDir, c.assembler.Versions(), time.Now())
		return err
	}
	conf := config.Configuration{}
	if given.gives(flagExtract) || given.gives(flagExtractor) || given.file != "" { // of a configuration nothing else counts
		if conf, err = c.configuration(&given.settings, ""); err != nil {
			return "", err
		}
	}
	if conf.Extract.IsZero() {
		err = save(ctx)
		return dir, err
	}
	prices, err := c.assembler.Prices(conf)
	if err != nil {
		return "", err
	}
	log.Price = prices.Price
	err = c.assembler.WithJudges(ctx, conf, assemble.Questioners{Extractor: conf.ExtractorModel()}, func(within context.Context, open runner.Arm) error {
		log.Extractor = open.Extractor
		return save(within)
	})
	return dir, err
}

func (c *console) export(ctx context.Context, given *exportOptions, o *output) error {
	run, err := c.findRun(given.runsDir, given.word(0))
	if err != nil {
		return err
	}
	if err := mayReplace(given.force, o.file); err != nil {
		return err
	}
	name := result.Named(run.Manifest, given.configuration)
	if _, err := agentsOf(given.configuration, run.Manifest); err != nil {
		return err
	}
	return o.write(func() error {
		switch o.format {
		case "votes":
			return export.Votes(o, run, name)
		case "inspect":
			return export.Inspect(o, run, name, c.targets(run.Manifest))
		}
		counts, err := export.Chats(o, run, name)
		if err == nil {
			fmt.Fprintln(c.err, counts)
		}
		return err
	})
}

// targets are the right answers of a run's queries by id, as far as its dataset can be read.
func (c *console) targets(m store.Manifest) map[string][]string {
	data, _, err := runner.Reopen(m, "")
	if err != nil {
		fmt.Fprintln(c.err, "export: note: targets are as the run's records show the gold:", err)
		return nil
	}
	out := map[string][]string{}
	for _, q := range data.Queries {
		if q.Gold.Answer != "" {
			out[q.ID] = append([]string{q.Gold.Answer}, q.Gold.Aliases...)
		}
	}
	return out
}

func (c *console) scoreAction(ctx context.Context, given *scoreOptions, o *output) error {
	how := given.reporting()
	options := score.Options{
		Fields: score.Fields{ID: given.id, Gold: given.gold, Answers: given.answers, Correct: given.correct},
		Type:   answer.Type(given.typ), Norm: score.Norm(given.norm), Nulls: score.Nulls(given.nulls),
		Quorum: consensus.Quorum(given.quorum), Partial: given.partial, Records: given.gate != "", Messages: given.messages,
	}
	if err := given.idles(); err != nil {
		return err
	}
	switch {
	case options.Records && len(given.words) != 1:
		return usagef("--gate takes one file, and was given %d", len(given.words))
	case !options.Records && given.add, !given.add && given.override != nil:
		return usagef("--add needs --gate FILE, and --override needs both")
	}
	var s *score.Score
	read := func(within context.Context, open runner.Arm) (err error) {
		options.Extractor, options.Verifier, options.Judge = open.Extractor, open.Verifier, open.Correctness
		s, err = score.Files(within, given.words, c.in, options, how.Options)
		return orOther(err, given.word(0), "score", "recorded answers as JSONL")
	}
	var err error
	of := assemble.Questioners{Extractor: given.extractor, Verifier: given.verify, Correctness: given.judge}
	if of == (assemble.Questioners{}) {
		err = read(ctx, runner.Arm{})
	} else {
		given.judging()
		conf, wrong := c.configuration(&given.settings, "")
		if wrong != nil {
			return wrong
		}
		options.Parallel = conf.Limits.Traces()
		err = c.assembler.WithJudges(ctx, conf, of, read)
	}
	if err != nil {
		return err
	}
	if options.Records {
		return c.gateScore(ctx, given, o, s)
	}
	return o.write(func() error { return reports.Score(o, reports.Format(o.format), s, how.options(o)) })
}

// idles refuses flags that would have no effect with the others, or on one file.
func (given *scoreOptions) idles() (err error) {
	if given.gate != "" {
		err = given.idle("with --gate", flagFlips, flagMargin)
	} else {
		err = given.idle("without --gate FILE", flagExplain)
	}
	if len(given.words) == 1 {
		err = cmp.Or(err, given.idle("on one file", flagFlips, flagMargin))
	}
	if given.correct != "" {
		err = cmp.Or(err, given.idle("with --correct, which has the verdicts", flagGold))
	}
	if given.extractor == "" && given.verify == "" && given.judge == "" {
		err = cmp.Or(err, given.idle("without --extractor, --verify or --judge", flagConfig))
	}
	return err
}

// judging sets the keys of the configuration that flags of score have other names for.
func (given *scoreOptions) judging() {
	given.given = append(given.given, setting{set: func(c *config.Configuration) {
		c.Consensus.Quorum = consensus.Quorum(given.quorum)
		if given.extractor != "" {
			c.Extractor.Model = given.extractor
		}
		if given.judge != "" {
			c.Judge.Correctness, c.Judge.Quality = given.judge, given.judge
		}
	}})
}

// gateScore decides on recorded answers, and accepts them where that is asked for.
func (c *console) gateScore(ctx context.Context, given *scoreOptions, o *output, s *score.Score) error {
	written := time.Now()
	if info, err := os.Stat(given.word(0)); err == nil { // else standard input
		written = info.ModTime()
	}
	file, adding := given.gate, given.add
	if err := given.resultOptions.check(file); err != nil {
		return err
	}
	pass, data := s.Pass(written)
	b := &baseline.Baseline{}
	if _, err := os.Stat(file); err == nil {
		if b, err = baseline.Read(file); err != nil {
			return err
		}
	} else if !adding {
		return usagef("read baseline: %w; begin one with `concur score FILE --gate %s --add`", err, file)
	}
	of := confirm.Case{Pass: pass, Data: data, Baseline: b}
	if err := of.Prepare(); err != nil {
		return usagef("gate %s: %w", s.File, err)
	}
	of.Evidence.Retry = "a new recording"
	out := gate.Decide(of.Evidence, gate.Options{Alpha: gate.DefaultAlpha, AnswersOnly: true})
	report := reports.GateOf(of, nil, out)
	report.Baseline, report.Explain = file, given.explain
	if err := o.write(func() error { return reports.WriteGate(o, reports.Format(o.format), report, o.screen(false)) }); err != nil {
		return err
	}
	if !adding {
		return decided(report)
	}
	candidate := baseline.Candidate{Pass: pass, Decision: out.Decision, Bootstrap: out.Bootstrap}
	b, err := c.accept(ctx, or(given.override, ""), file, candidate, data)
	if err != nil {
		return &exitError{cmp.Or(out.Decision.ExitCode(), exitUsage), err}
	}
	_, err = fmt.Fprintf(c.err, "accepted %s into %s, which has %s of answers graded %s\n", pass.Manifest.Run, file,
		text.Counted(len(b.Counting(pass.Configuration.Name)), "recording"), pass.Configuration.Name)
	return err
}

// chosen gives the records of the chosen configurations of a run.
func chosen(configuration string, run *store.Run) ([]store.Record, error) {
	of, err := agentsOf(configuration, run.Manifest)
	if err != nil {
		return nil, err
	}
	records, err := run.Sorted()
	return slices.DeleteFunc(records, func(r store.Record) bool { return !slices.Contains(of[r.Agent], r.Configuration) }), err
}

// agentsOf gives for each agent those of the chosen configurations that share it.
func agentsOf(configuration string, m store.Manifest) (map[string][]string, error) {
	of := map[string][]string{}
	var known []string
	name := result.Named(m, configuration)
	for _, c := range m.Configurations {
		known = append(known, c.Name)
		if name == "" || name == c.Name {
			of[c.Agent] = append(of[c.Agent], c.Name)
		}
	}
	if len(of) == 0 {
		return nil, usagef("run %s has no configuration %q; it has %s", m.Run, configuration, strings.Join(known, ", "))
	}
	return of, nil
}

func queriesOf(rows *store.Rows) string {
	names := make([]string, rows.Len())
	for i, r := range rows.All() {
		names[i] = r.Query
	}
	return cmp.Or(text.ListedUpTo(60, names), "none that is decided")
}

//go:embed help/score.txt
var scoreHelp string

// scoreOptions are the arguments and flags of concur score.
type scoreOptions struct {
	arguments
	settings
	reportOptions

	gate, id, gold, answers, correct, typ, norm, nulls, quorum, extractor, verify, judge string
	add, messages                                                                        bool
	override                                                                             *string
}

func scoreCommand(c *console) *cli.Command {
	var given scoreOptions
	return &cli.Command{
		Name: "score", ArgsUsage: "FILE [FILE]", Description: described(scoreHelp),
		Usage: "give the figures of recorded answers, or compare two files of them",
		Flags: slices.Concat(
			[]cli.Flag{
				choice(&given.format, &cli.StringFlag{
					Name: flagFormat, EnvVars: []string{"CONCUR_FORMAT"},
					Usage: "`FORMAT` of the result: table, markdown, json",
				}, "table", "markdown", "json"),
				outFlag(&given.out),
			},
			comparisonFlags(&given.comparisonOptions),
			[]cli.Flag{
				&cli.StringFlag{
					Name: "gate", TakesFile: true, Destination: &given.gate,
					Usage: "decide by the accepted recordings in the baseline `FILE`; the exit codes are those of " +
						"concur gate",
				},
				&cli.BoolFlag{
					Name: "add", Destination: &given.add,
					Usage: "after --gate, accept the recording into that file, as concur baseline add does with a " + "run",
				},
				&cli.StringFlag{
					Name: "override", Action: stored(&given.override),
					Usage: "with --add, accept it against the decision, for this `REASON`",
				},
				&cli.BoolFlag{
					Name: flagExplain, Destination: &given.explain,
					Usage: "after --gate, show all figures that the decision rests on",
				},
				&cli.StringFlag{
					Name: "id", Destination: &given.id, Value: "id",
					Usage: "take the id from `FIELD`; a line without one is named by its number",
				},
				&cli.StringFlag{
					Name: flagGold, Destination: &given.gold, Value: "gold",
					Usage: "take the right answer, or a list of them, from `FIELD`",
				},
				&cli.StringFlag{
					Name: "answers", Destination: &given.answers, Value: "answers",
					Usage: "take the answers, or one answer, from `FIELD`",
				},
				&cli.StringFlag{
					Name: "correct", Destination: &given.correct,
					Usage: "take verdicts, true or false for each answer, from `FIELD` in place of the gold",
				},
				&cli.StringFlag{
					Name: "type", Destination: &given.typ,
					Usage: "read answers as values of `TYPE`, such as integer or date; implies --norm typed",
				},
				&cli.StringFlag{
					Name: "norm", Destination: &given.norm, DefaultText: "none, or typed with --type",
					Usage: "answers are the same by `NORM`: none (equal texts), typed, or squad",
				},
				&cli.StringFlag{
					Name: "nulls", Destination: &given.nulls, Value: "vote",
					Usage: "an answer that is null or blank will `DO` this: vote as one more answer that is wrong, " +
						"or abstain",
				},
				&cli.StringFlag{
					Name: "quorum", Destination: &given.quorum, Value: string(consensus.QuorumMajority),
					Usage: "a verdict needs the majority of all answers, or with none of those that vote: `QUORUM`",
				},
				&cli.BoolFlag{
					Name: "messages", Destination: &given.messages,
					Usage: "the answers are final messages, in which the answer of --type is read as in a run",
				},
				&cli.StringFlag{
					Name: flagExtractor, Destination: &given.extractor,
					Usage: "with --messages, let `PROVIDER:MODEL` read the messages in which the rules read no " + "answer",
				},
				&cli.StringFlag{
					Name: "verify", Destination: &given.verify,
					Usage: "let `PROVIDER:MODEL` merge answers that mean the same, before votes are counted",
				},
				&cli.StringFlag{
					Name: "judge", Destination: &given.judge,
					Usage: "let `PROVIDER:MODEL` rule on each different answer that is not equal to the gold",
				},
				configFlag(&given.settings),
				&cli.BoolFlag{
					Name: "partial", Destination: &given.partial,
					Usage: "leave out lines that cannot be read, and report them",
				},
			},
		),
		Action: takes(&given.arguments, "one file, or two different ones", c.withOutput(&given.arguments, &given.resultOptions, func(ctx context.Context, o *output) error {
			return c.scoreAction(ctx, &given, o)
		}, &given.file)),
	}
}

//go:embed help/export.txt
var exportHelp string

// exportOptions are the arguments and flags of concur export.
type exportOptions struct {
	arguments
	resultOptions

	configuration, runsDir string
	force                  bool
}

func exportCommand(c *console) *cli.Command {
	var given exportOptions
	return &cli.Command{
		Name: "export", ArgsUsage: "RUN", Description: described(exportHelp),
		Usage: "write a run for other programs: right traces for fine-tuning, every vote as CSV, or a " +
			"log of Inspect",
		Flags: []cli.Flag{
			choice(&given.format, &cli.StringFlag{
				Name:  flagFormat,
				Usage: "`FORMAT` of the file: sft, votes, inspect",
			}, "sft", "votes", "inspect"),
			&cli.StringFlag{
				Name: flagOut, TakesFile: true, Destination: &given.out,
				Usage: "write to `FILE` instead of standard output",
			},
			&cli.StringFlag{
				Name: flagConfiguration, Destination: &given.configuration, DefaultText: "all",
				Usage: "export the configuration `NAME` of an ablation only",
			},
			forceFlag(&given.force),
			runsDirFlag(&given.runsDir),
		},
		Action: takes(&given.arguments, "", c.withOutput(&given.arguments, &given.resultOptions, func(ctx context.Context, o *output) error {
			return c.export(ctx, &given, o)
		})),
	}
}

//go:embed help/import.txt
var importHelp string

// importOptions are the arguments and flags of concur import.
type importOptions struct {
	arguments
	settings
	reportOptions

	from, mapping, score, dataset, pass, runsDir string
}

func importCommand(c *console) *cli.Command {
	var given importOptions
	return &cli.Command{
		Name: "import", ArgsUsage: "FILE", Description: described(importHelp),
		Usage: "turn the results of another harness, or recorded chats, into a run",
		Flags: slices.Concat(
			[]cli.Flag{
				&cli.StringFlag{
					Name: flagFrom, Destination: &given.from, DefaultText: "found out",
					Usage: "`FORMAT` of the file: " + strings.Join(imports.Formats(), ", "),
				},
				&cli.StringFlag{
					Name: "mapping", TakesFile: true, Destination: &given.mapping,
					Usage: "read other JSON or JSONL: `FIELD=PATH,…` for query, output, messages, id, gold, category, " +
						"verdict, model, configuration and rows (its list), or a YAML file of them",
				},
				&cli.StringFlag{
					Name: "score", Destination: &given.score, DefaultText: "the first one",
					Usage: "`NAME` of Inspect's score, or of a metric of lm-eval or OpenAI evals, that says what is right",
				},
				&cli.StringFlag{
					Name: flagDataset, TakesFile: true, Destination: &given.dataset, DefaultText: "the file's verdicts",
					Usage: "judge by the gold of `DATASET`, whose queries have the same ids or texts",
				},
				choice(&given.pass, &cli.StringFlag{
					Name: "pass",
					Usage: "what `DECIDES` that a query passes, since no judge is asked: gold, or gold+tools with " +
						"the expected tool calls of --dataset",
				}, string(judge.PassGold), string(judge.PassGoldTools)),
				extractKey(&given.settings),
				extractorKey(&given.settings),
				configFlag(&given.settings),
				runsDirFlag(&given.runsDir),
			},
			tableFlags(&given.tableOptions),
			resultFlags(&given.resultOptions),
		),
		Action: takes(&given.arguments, "one file", c.withOutput(&given.arguments, &given.resultOptions, func(ctx context.Context, o *output) error {
			return c.importAction(ctx, &given, o)
		}, &given.dataset, &given.file)),
	}
}
