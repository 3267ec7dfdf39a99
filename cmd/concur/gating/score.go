package gating

import (
	"cmp"
	"context"
	_ "embed"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/score"
	"github.com/seed-5817661a/concur/ablations/score/decisions"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/cmd/concur/reading"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
)

func scoreAction(ctx context.Context, c *console.Console, given *scoreOptions, o *console.Output) error {
	how := reading.Reporting(&given.ReportOptions)
	options := score.Options{
		Fields: score.Fields{ID: given.id, Gold: given.gold, Answers: given.answers, Correct: given.correct},
		Type:   answer.Type(given.typ), Norm: score.Norm(given.norm), Nulls: score.Nulls(given.nulls),
		Quorum: consensus.Quorum(given.quorum), Partial: given.Partial, Records: given.gate != "", Messages: given.messages,
	}
	if err := given.idles(); err != nil {
		return err
	}
	if given.decisions {
		return decideEach(c, given)
	}
	switch {
	case options.Records && len(given.Words) != 1:
		return console.Usagef("--gate takes one file, and was given %d", len(given.Words))
	case !options.Records && given.add, !given.add && given.override != nil:
		return console.Usagef("--add needs --gate FILE, and --override needs both")
	}
	var s *score.Score
	read := func(within context.Context, open runner.Arm) (err error) {
		options.Extractor, options.Verifier, options.Judge = open.Extractor, open.Verifier, open.Correctness
		s, err = score.Files(within, given.Words, c.In, options, how.Options)
		return console.OrOther(err, given.Word(0), "score", "recorded answers as JSONL")
	}
	var err error
	of := assemble.Questioners{Extractor: given.extractor, Verifier: given.verify, Correctness: given.judge}
	if of == (assemble.Questioners{}) {
		err = read(ctx, runner.Arm{})
	} else {
		given.judging()
		conf, wrong := flags.ReadConfiguration(c, &given.Settings, "")
		if wrong != nil {
			return wrong
		}
		options.Parallel = conf.Limits.Traces()
		err = c.Assembler.WithJudges(ctx, conf, of, read)
	}
	if err != nil {
		return err
	}
	if options.Records {
		return gateScore(ctx, c, given, o, s)
	}
	return o.Deliver(func() error { return reports.WriteScore(o, document.Format(o.Format), s, how.ForScreen(o)) })
}

// decideEach answers the questions of a file or of standard input one by one.
func decideEach(c *console.Console, given *scoreOptions) error {
	err := given.Idle("with --decisions", flags.NameFormat, flags.NameOut, flags.NameFlips, flags.NameMargin, "gate",
		"add", "override", flags.NameExplain, "id", flags.NameGold, "answers", "correct", "norm", "nulls", "quorum",
		"messages", flags.NameExtractor,
		"verify", "judge", flags.NameConfig, "partial")
	if err != nil {
		return err
	}
	if len(given.Words) != 1 {
		return console.Usagef("--decisions takes one file, or - for standard input, and was given %d", len(given.Words))
	}
	in := c.In
	if name := given.Word(0); name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return console.Usagef("read questions: %w", err)
		}
		defer file.Close()
		in = file
	}
	return decisions.Answer(in, c.Out, answer.Type(given.typ))
}

// idles returns an error for flags that have no effect: because of other flags, or because only one file is given.
func (given *scoreOptions) idles() (err error) {
	if given.gate != "" {
		err = given.Idle("with --gate", flags.NameFlips, flags.NameMargin)
	} else {
		err = given.Idle("without --gate FILE", flags.NameExplain)
	}
	if len(given.Words) == 1 {
		err = cmp.Or(err, given.Idle("on one file", flags.NameFlips, flags.NameMargin))
	}
	if given.correct != "" {
		err = cmp.Or(err, given.Idle("with --correct, which has the verdicts", flags.NameGold))
	}
	if given.extractor == "" && given.verify == "" && given.judge == "" {
		err = cmp.Or(err, given.Idle("without --extractor, --verify or --judge", flags.NameConfig))
	}
	return err
}

// judging sets keys of the configuration from flags that have other names in score.
func (given *scoreOptions) judging() {
	given.Given = append(given.Given, flags.Setting{Set: func(c *config.Configuration) {
		c.Consensus.Quorum = consensus.Quorum(given.quorum)
		if given.extractor != "" {
			c.Extractor.Model = given.extractor
		}
		if given.judge != "" {
			c.Judge.Correctness, c.Judge.Quality = given.judge, given.judge
		}
	}})
}

//go:embed help/score.txt
var scoreHelp string

// scoreOptions holds the arguments and flags of concur score.
type scoreOptions struct {
	flags.Arguments
	flags.Settings
	flags.ReportOptions

	gate, id, gold, answers, correct, typ, norm, nulls, quorum, extractor, verify, judge string
	add, messages, decisions                                                             bool
	override                                                                             *string
}

// scoreFlags returns the flags for the format, the fields and the gate.
func scoreFlags(given *scoreOptions) []cli.Flag {
	return slices.Concat(
		[]cli.Flag{
			flags.Choice(&given.Format, &cli.StringFlag{
				Name: flags.NameFormat, EnvVars: []string{"CONCUR_FORMAT"},
				Usage: "`FORMAT` of the result: table, markdown, json",
			}, "table", "markdown", "json"),
			flags.Out(&given.Out),
		},
		flags.ComparisonGroup(&given.ComparisonOptions),
		[]cli.Flag{
			&cli.StringFlag{
				Name: "gate", TakesFile: true, Destination: &given.gate,
				Usage: "decide by the accepted recordings in the baseline `FILE`; the exit codes are those of " +
					"concur gate",
			},
			&cli.BoolFlag{
				Name: "add", Destination: &given.add,
				Usage: "with --gate, accept the recording into that file, as concur baseline add accepts a run",
			},
			&cli.StringFlag{
				Name: "override", Action: flags.Stored(&given.override),
				Usage: "with --add, accept the recording against the decision, for this `REASON`",
			},
			&cli.BoolFlag{
				Name: flags.NameExplain, Destination: &given.Explain,
				Usage: "with --gate, show all figures used for the decision",
			},
			&cli.StringFlag{
				Name: "id", Destination: &given.id, Value: "id",
				Usage: "take the id from `FIELD`; a line without an id gets its line number",
			},
			&cli.StringFlag{
				Name: flags.NameGold, Destination: &given.gold, Value: "gold",
				Usage: "take the right answer, or a list of them, from `FIELD`",
			},
			&cli.StringFlag{
				Name: "answers", Destination: &given.answers, Value: "answers",
				Usage: "take the answers, or one answer, from `FIELD`",
			},
			&cli.StringFlag{
				Name: "correct", Destination: &given.correct,
				Usage: "take verdicts (true or false for each answer) from `FIELD`; the gold is not used",
			},
			&cli.StringFlag{
				Name: "type", Destination: &given.typ,
				Usage: "read answers as values of `TYPE`, such as integer or date; implies --norm typed",
			},
			&cli.StringFlag{
				Name: "norm", Destination: &given.norm, DefaultText: "none, or typed with --type",
				Usage: "`NORM` by which answers are the same: none (equal texts), typed, or squad",
			},
			&cli.StringFlag{
				Name: "nulls", Destination: &given.nulls, Value: "vote",
				Usage: "`EFFECT` of an answer that is null or blank: vote (as a separate wrong answer), " +
					"or abstain",
			},
			&cli.StringFlag{
				Name: "quorum", Destination: &given.quorum, Value: string(consensus.QuorumMajority),
				Usage: "`QUORUM` of a verdict: majority (of all answers), or none (majority of those that vote)",
			},
		},
	)
}

// scoreReadingFlags returns the flags for reading answers, and for the models that help.
func scoreReadingFlags(given *scoreOptions) []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{
			Name: "messages", Destination: &given.messages,
			Usage: "the answers are final messages; the answer of --type is read from them as in a run",
		},
		&cli.StringFlag{
			Name: flags.NameExtractor, Destination: &given.extractor,
			Usage: "with --messages, let `PROVIDER:MODEL` read messages in which the rules find no answer",
		},
		&cli.StringFlag{
			Name: "verify", Destination: &given.verify,
			Usage: "let `PROVIDER:MODEL` merge answers that mean the same, before votes are counted",
		},
		&cli.StringFlag{
			Name: "judge", Destination: &given.judge,
			Usage: "let `PROVIDER:MODEL` judge each different answer that does not equal the gold",
		},
		flags.Config(&given.Settings),
		&cli.BoolFlag{
			Name: "decisions", Destination: &given.decisions,
			Usage: "instead of figures, print the vote and the verdicts of each line at once, as a line of JSON",
		},
		&cli.BoolFlag{
			Name: "partial", Destination: &given.Partial,
			Usage: "leave out lines that cannot be read, and report them",
		},
	}
}

// ScoreCommand returns the command `concur score`.
func ScoreCommand(c *console.Console) *cli.Command {
	var given scoreOptions
	return &cli.Command{
		Name: "score", ArgsUsage: "FILE [FILE]", Description: flags.Described(scoreHelp),
		Usage: "compute the figures of recorded answers, or compare two files of answers",
		Flags: slices.Concat(scoreFlags(&given), scoreReadingFlags(&given)),
		Action: flags.Takes(&given.Arguments, "one file, or two different ones",
			flags.WithOutput(c, &given.Arguments, &given.ResultOptions, func(ctx context.Context, o *console.Output) error {
				return scoreAction(ctx, c, &given, o)
			}, &given.File)),
	}
}
