package running

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/progress"
	"github.com/seed-5817661a/concur/reports/transcript"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/questions"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

func askAction(ctx context.Context, c *console.Console, given *askOptions, o *console.Output) error {
	question := strings.TrimSpace(strings.Join(given.Words, " "))
	if len(given.Words) > 0 && question == "" {
		return console.Usagef("the question is empty: ask something, or leave it out for an interactive session")
	}
	if question == "" && (o.Format == console.FormatJSON || o.File != "") {
		return console.Usagef("--format json and --out are for one question: give it, or leave them out")
	}
	if err := cmp.Or(
		given.Idle("on a question, which has no gold and is not judged", flags.NameJudge, flags.NameCalibration,
			flags.NamePass),
		given.Idle("on a question, whose traces run one after another", flags.NameConcurrency),
	); err != nil {
		return err
	}
	if given.Has(flags.NameQuiet) {
		if err := given.Idle("with --quiet", flags.NameDebug); err != nil {
			return err
		}
	}
	given.quiet = given.quiet && !given.Has(flags.NameDebug) // the flag wins over CONCUR_QUIET
	talk, err := conversation(given)
	if err != nil {
		return err
	}
	draft, err := askDraft(ctx, c, given, question == "" || len(talk.Context.History) > 0)
	if err != nil {
		return err
	}
	if draft.First().Memory.Mode.IsZero() && talk.Context.Owner != "" && !given.quiet {
		fmt.Fprint(c.Err, "concur: --owner has no effect, because memory.mode is off: docs/memory.md says how to set it\n")
	}
	var options assemble.Options
	live := &transcript.LiveText{W: c.Err}
	if progress.SizeOf(console.StreamOf(c.Err)) != nil && !given.quiet {
		options.OnText = live.Show
	}
	return c.Assembler.While(ctx, draft, options, func(running context.Context, s *assemble.Session) error {
		out, err := store.Create(given.runsDir, s.Manifest())
		if err != nil {
			return err
		}
		a := &askSession{
			Console: c, open: s, folder: out, talk: talk, begin: talk.Context,
			debug: given.debug, quiet: given.quiet, live: live,
		}
		a.log = progress.Start(c.Progress(true), out, s.Draft, s.Plan, nil).Log
		s.LogTo(a.log.Note, a.log.Note)
		defer s.Watch(a.waits)()
		if question == "" {
			return a.finish(a.session(running))
		}
		rec, err := a.ask(running, question)
		if err == nil {
			err = console.WriteValue(o, rec, func(w io.Writer, r store.Record, _ document.Screen) error {
				return transcript.WriteAnswer(w, r, a.last)
			})
		}
		valid := func(t store.Answer) bool { return t.Outcome != trace.Infra }
		if err == nil && !slices.ContainsFunc(rec.Answers, valid) {
			err = console.WithCode(console.ExitInvalid,
				errors.New("every trace failed through the infrastructure, so there is no answer: "+
					"see above"))
		}
		return a.finish(err)
	})
}

// conversation returns the conversation that flags name; the questions continue it. It returns nil without such
// a flag.
func conversation(given *askOptions) (talk *questions.Conversation, err error) {
	talk = &questions.Conversation{Context: datasets.Context{Owner: given.owner, Now: given.now}}
	if err := datasets.CheckNow(talk.Context.Now); err != nil {
		return nil, console.Usagef("--now %w", err)
	}
	if file := given.history; file != "" {
		if talk.Context.History, err = datasets.LoadHistory(file); err != nil {
			return nil, console.Usagef("--history: %w", err)
		}
	}
	return talk, nil
}

// askDraft returns the draft of a session: the configuration as for a run, but with one trace and without
// judges, because questions have no gold. If questions may continue a conversation, they are rewritten so that
// they can be understood without it. The setting agent.condense can change this.
func askDraft(ctx context.Context, c *console.Console, given *askOptions, continued bool) (runner.Draft, error) {
	conf, err := flags.ReadConfiguration(c, &given.Settings, "")
	if err != nil {
		return runner.Draft{}, err
	}
	if !given.Gives(flags.NameK) {
		conf.K = 1
	}
	conf.Limits.Concurrency = 1 // a person watches one trace at a time
	conf.Judge.Correctness, conf.Judge.Quality = "", ""
	if continued && conf.Agent.Condense == "" && !conf.Agent.External.Used() {
		conf.Agent.Condense = config.CondenseOn
	}
	none := datasets.New(store.AskDataset, nil)
	d, err := runner.NewDraft(queries.Of(none), runner.DescribeDataset(none), []config.Configuration{conf},
		given.seed, time.Now())
	d.Manifest.GitCommit = console.GitCommit(ctx)
	return d, err
}

//go:embed help/ask.txt
var askHelp string

// askOptions holds the arguments and flags of concur ask.
type askOptions struct {
	flags.Arguments
	flags.Settings
	flags.ResultOptions

	seed                         *int64
	history, now, owner, runsDir string
	debug, quiet                 bool
}

// AskCommand returns the command `concur ask`.
func AskCommand(c *console.Console) *cli.Command {
	var given askOptions
	return &cli.Command{
		Name: "ask", ArgsUsage: "[QUESTION…]", Description: flags.Described(askHelp),
		Usage: "ask the agent one question and watch it work; without a question, an interactive session",
		Flags: slices.Concat(
			[]cli.Flag{
				flags.WholeKey(&given.Settings, &cli.IntFlag{
					Name: flags.NameK, EnvVars: []string{"CONCUR_K"}, DefaultText: "1", Usage: "`TRACES` per query",
				}, func(c *config.Configuration, v int) { c.K = v }),
				flags.Model(&given.Settings),
			},
			flags.OtherConfigurationGroup(&given.Settings),
			[]cli.Flag{
				flags.Seed(&given.seed),
				&cli.StringFlag{
					Name: "history", TakesFile: true, Destination: &given.history,
					Usage: "continue the conversation in `FILE`: a list of {role, content}, oldest first, as YAML " +
						"or JSON, or one per line as JSONL",
				},
				&cli.StringFlag{
					Name: "now", Destination: &given.now, DefaultText: "the agent is given no date",
					Usage: "`TIME` of the question, for words such as \"yesterday\": 2024-05-03 or " + "2024-05-03T09:30:00Z",
				},
				&cli.StringFlag{
					Name: flags.NameOwner, Destination: &given.owner, DefaultText: "nobody's",
					Usage: "`NAME` of the person who asks; the agent sees the memories of this person",
				},
				&cli.BoolFlag{
					Name: flags.NameDebug, Destination: &given.debug,
					Usage: "show unchanged observations, every decision of a guard, and answers that the audit rejected",
				},
				&cli.BoolFlag{
					Name: flags.NameQuiet, Destination: &given.quiet, EnvVars: []string{"CONCUR_QUIET"},
					Usage: "show only the answer",
				},
				flags.RunsDir(&given.runsDir),
				flags.Config(&given.Settings),
			},
			flags.FigureGroup(&given.ResultOptions),
		),
		Action: flags.Takes(&given.Arguments, "", flags.WithOutput(c, &given.Arguments, &given.ResultOptions,
			func(ctx context.Context, o *console.Output) error {
				return askAction(ctx, c, &given, o)
			}, &given.Corpus, &given.history, &given.File)),
	}
}
