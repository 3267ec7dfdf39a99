package main

import (
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/progress"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

func (c *console) askAction(ctx context.Context, given *askOptions, o *output) error {
	question := strings.TrimSpace(strings.Join(given.words, " "))
	if len(given.words) > 0 && question == "" {
		return usagef("the question is empty: ask something, or leave it out for an interactive session")
	}
	if question == "" && (o.format == formatJSON || o.file != "") {
		return usagef("--format json and --out are for one question: give it, or leave them out")
	}
	if err := cmp.Or(
		given.idle("on a question, which has no gold and is not judged", flagJudge, flagCalibration, flagPass),
		given.idle("on a question, whose traces run one after another", flagConcurrency),
	); err != nil {
		return err
	}
	if given.has(flagQuiet) {
		if err := given.idle("with --quiet", flagDebug); err != nil {
			return err
		}
	}
	given.quiet = given.quiet && !given.has(flagDebug) // the flag wins over CONCUR_QUIET
	talk, err := conversation(given)
	if err != nil {
		return err
	}
	draft, err := c.askDraft(ctx, given, question == "" || len(talk.Context.History) > 0)
	if err != nil {
		return err
	}
	if draft.First().Memory.Mode.IsZero() && talk.Context.Owner != "" && !given.quiet {
		fmt.Fprint(c.err, "concur: --owner has no effect, because memory.mode is off: docs/memory.md says how to set it\n")
	}
	var options assemble.Options
	live := &reports.LiveText{W: c.err}
	if progress.SizeOf(streamOf(c.err)) != nil && !given.quiet {
		options.OnText = live.Show
	}
	return c.assembler.While(ctx, draft, options, func(running context.Context, s *assemble.Session) error {
		out, err := store.Create(given.runsDir, s.Manifest())
		if err != nil {
			return err
		}
		a := &askSession{
			console: c, open: s, folder: out, talk: talk, begin: talk.Context,
			debug: given.debug, quiet: given.quiet, live: live,
		}
		a.log = progress.Start(c.progress(true), out, s.Draft, s.Plan, nil).Log
		s.LogTo(a.log.Note, a.log.Note)
		defer s.Watch(a.waits)()
		if question == "" {
			return a.finish(a.session(running))
		}
		rec, err := a.ask(running, question)
		if err == nil {
			err = writeValue(o, rec, func(w io.Writer, r store.Record, _ reports.Screen) error {
				return reports.Answer(w, r, a.last)
			})
		}
		valid := func(t store.Answer) bool { return t.Outcome != trace.Infra }
		if err == nil && !slices.ContainsFunc(rec.Answers, valid) {
			err = &exitError{exitInvalid, errors.New("every trace failed through the infrastructure, so there is no answer: see above")}
		}
		return a.finish(err)
	})
}

// conversation is what flags say of the conversation that the questions continue.
func conversation(given *askOptions) (talk *runner.Conversation, err error) {
	talk = &runner.Conversation{Context: datasets.Context{Owner: given.owner, Now: given.now}}
	if err := datasets.CheckNow(talk.Context.Now); err != nil {
		return nil, usagef("--now %w", err)
	}
	if file := given.history; file != "" {
		if talk.Context.History, err = datasets.LoadHistory(file); err != nil {
			return nil, usagef("--history: %w", err)
		}
	}
	return talk, nil
}

// askDraft is the draft of a session: the configuration as for a run, with one trace and, as questions
// have no gold, without judges. Where questions may continue others, they are rewritten to stand alone
// unless agent.condense says otherwise.
func (c *console) askDraft(ctx context.Context, given *askOptions, continued bool) (runner.Draft, error) {
	conf, err := c.configuration(&given.settings, "")
	if err != nil {
		return runner.Draft{}, err
	}
	if !given.gives(flagK) {
		conf.K = 1
	}
	conf.Limits.Concurrency = 1 // traces are watched one after another
	conf.Judge.Correctness, conf.Judge.Quality = "", ""
	if continued && conf.Agent.Condense == "" && !conf.Agent.External.Used() {
		conf.Agent.Condense = config.CondenseOn
	}
	none := datasets.New(store.AskDataset, nil)
	d, err := runner.NewDraft(none, runner.DescribeDataset(none), []config.Configuration{conf}, given.seed, time.Now())
	d.Manifest.GitCommit = gitCommit(ctx)
	return d, err
}

type askSession struct {
	*console
	open         *assemble.Session
	folder       *store.Writer
	log          *progress.Log // into run.log alone
	talk         *runner.Conversation
	begin        datasets.Context      // of the first question
	last         map[int][]trace.Event // of the last question, by trace
	debug, quiet bool
	live         *reports.LiveText
}

// ask runs the traces of one question and shows what happens on standard error.
func (a *askSession) ask(ctx context.Context, question string) (store.Record, error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	q := a.talk.Next(question)
	plan := a.open.Plan
	plan.Dataset = datasets.New(store.AskDataset, []datasets.Query{q})
	var rec store.Record
	a.last = map[int][]trace.Event{}
	begun := -1
	err := plan.Run(ctx, a.folder, runner.Control{
		Clock: time.Now,
		OnEvent: func(e trace.Event) {
			a.last[e.Trace] = append(a.last[e.Trace], e)
			if a.quiet {
				return
			}
			if _, thought := e.Body.(trace.Thought); a.live.End() && thought {
				return // it was read as it was written
			}
			if e.Trace != begun && plan.Arms[0].Configuration.K > 1 {
				fmt.Fprintf(a.err, "── trace %d\n", e.Trace)
			}
			begun = e.Trace
			// Nobody is left to tell where standard error is closed; the run folder has it all.
			_ = reports.Live(a.err, e, a.debug)
		},
		OnTrace:  a.log.Trace,
		OnRecord: func(r store.Record) { rec = r; a.log.Record(r) },
	})
	if runner.GivenUp(err) {
		return rec, &exitError{exitInvalid, err}
	}
	if ctx.Err() != nil {
		return rec, &exitError{exitInterrupted, errors.New("interrupted; what happened so far is kept in " + a.folder.Dir())}
	}
	if err == nil {
		err = a.talk.Keep(a.folder.Dir(), q, rec, reports.Reply(rec, a.last))
	}
	return rec, err
}

// waits says what is waited for, unless the model is writing.
func (a *askSession) waits(text string) {
	a.log.Note(text)
	if !a.quiet && !a.live.Within(assemble.QuietAfter) {
		a.say("concur: %s\n", text)
	}
}

// finish closes the run folder. cause is the error that ended the session, or nil.
func (a *askSession) finish(cause error) error {
	a.folder.SetDataset(runner.DescribeDataset(a.talk.Dataset()))
	state := store.Complete
	if cause != nil {
		state = store.Interrupted
	}
	if err := a.folder.Finish(state, time.Now()); err != nil {
		return errors.Join(cause, &exitError{exitInvalid, err})
	}
	if cause == nil && !a.quiet && len(a.talk.Queries) > 0 {
		fmt.Fprintf(a.err, "kept in %s; `concur trace %s` shows it again\n", a.folder.Dir(), a.folder.Dir())
	}
	return cause
}

const sessionHelp = `Type a question, or:
  /debug   show more, or less: observations as they came, every decision of a guard
  /trace   show the last question's traces again, in full
  /new     begin a new conversation: what was said before is not passed on any more
  /help    this list
  /exit    end the session; so does the end of the input
`

// maxQuestion is the length of a line that is read as a question, in bytes.
const maxQuestion = 64 << 10

// session reads questions until the end of the input. A signal ends the question at work, or
// between questions the session.
func (a *askSession) session(ctx context.Context) error {
	agent := a.open.Draft.First()
	a.say("concur ask: %s, tools %s. /help lists the commands.\n",
		reports.Printable(cmp.Or(agent.Agent.External.Label(), reports.ModelKind(agent.Model))), reports.Printable(strings.Join(agent.Agent.Tools, " ")))
	if n := len(a.begin.History); n > 0 {
		a.say("The conversation goes on after %s.\n", text.Counted(n, "message"))
	}
	next := readLines(a.in)
	for {
		a.say("> ")
		line, err := next()
		if errors.Is(err, io.EOF) {
			a.say("\n")
			return nil
		}
		if err != nil {
			return err
		}
		switch line = strings.TrimSpace(line); {
		case line == "":
		case line == "/exit" || line == "/quit":
			return nil
		case line == "/help":
			a.say("%s", sessionHelp)
		case line == "/debug":
			a.debug = !a.debug
			a.say("debug is %s\n", map[bool]string{true: "on", false: "off"}[a.debug])
		case line == "/trace":
			err = a.showTraces()
		case line == "/new":
			a.talk.Context = a.begin
			a.say("a new conversation begins\n")
		case strings.HasPrefix(line, "/"):
			a.say("there is no %s; /help lists the commands\n", reports.Printable(line))
		default:
			err = a.turn(ctx, line)
		}
		if err != nil {
			return err
		}
	}
}

// turn asks one question of a session. An interruption ends the question, not the session.
func (a *askSession) turn(ctx context.Context, question string) error {
	rec, err := a.ask(ctx, question)
	if e, stopped := errors.AsType[*exitError](err); stopped && e.code == exitInterrupted {
		a.say("interrupted\n")
		return nil
	}
	if err != nil {
		return err
	}
	return reports.Answer(a.out, rec, a.last)
}

func (a *askSession) showTraces() error {
	if len(a.talk.Queries) == 0 {
		a.say("nothing was asked yet\n")
	}
	for i := range len(a.last) {
		if err := reports.Transcript(a.out, a.last[i][0].ID, a.last[i], false); err != nil {
			return err
		}
	}
	return nil
}

// say writes to standard error; only answers go to standard output.
func (a *askSession) say(format string, args ...any) { fmt.Fprintf(a.err, format, args...) }

// readLines gives the next line each time that it is called; a signal ends the input. It reads in a
// goroutine of its own, so that a signal can interrupt the wait, until the input or the process ends.
func readLines(in io.Reader) func() (string, error) {
	lines, end := make(chan string), make(chan error, 1)
	go func() {
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, maxQuestion)
		for scanner.Scan() {
			lines <- scanner.Text()
		}
		err := cmp.Or(scanner.Err(), io.EOF)
		if errors.Is(err, bufio.ErrTooLong) {
			err = usagef("the line is longer than %d KB: put long material into a corpus and search it", maxQuestion>>10)
		}
		end <- err
	}()
	return func() (string, error) {
		signals := notified()
		defer signal.Stop(signals)
		select {
		case line := <-lines:
			return line, nil
		case err := <-end:
			return "", err
		case <-signals:
			return "", io.EOF
		}
	}
}

//go:embed help/ask.txt
var askHelp string

// askOptions are the arguments and flags of concur ask.
type askOptions struct {
	arguments
	settings
	resultOptions

	seed                         *int64
	history, now, owner, runsDir string
	debug, quiet                 bool
}

func askCommand(c *console) *cli.Command {
	var given askOptions
	return &cli.Command{
		Name: "ask", ArgsUsage: "[QUESTION…]", Description: described(askHelp),
		Usage: "ask the agent one question and watch it work; without a question, an interactive session",
		Flags: slices.Concat(
			[]cli.Flag{
				wholeKey(&given.settings, &cli.IntFlag{
					Name: flagK, EnvVars: []string{"CONCUR_K"}, DefaultText: "1", Usage: "`TRACES` per query",
				}, func(c *config.Configuration, v int) { c.K = v }),
				modelKey(&given.settings),
			},
			otherConfigurationFlags(&given.settings),
			[]cli.Flag{
				seedFlag(&given.seed),
				&cli.StringFlag{
					Name: "history", TakesFile: true, Destination: &given.history,
					Usage: "go on with the conversation in `FILE`: a list of {role, content}, oldest first, as YAML " +
						"or JSON, or one a line as JSONL",
				},
				&cli.StringFlag{
					Name: "now", Destination: &given.now, DefaultText: "the agent is given no date",
					Usage: "`TIME` at which it is asked, to which \"yesterday\" refers: 2024-05-03 or " + "2024-05-03T09:30:00Z",
				},
				&cli.StringFlag{
					Name: flagOwner, Destination: &given.owner, DefaultText: "nobody's",
					Usage: "`NAME` of the person who asks, whose memories the agent is given",
				},
				&cli.BoolFlag{
					Name: flagDebug, Destination: &given.debug,
					Usage: "show observations as they came, every decision of a guard, and answers that the audit " + "rejected",
				},
				&cli.BoolFlag{
					Name: flagQuiet, Destination: &given.quiet, EnvVars: []string{"CONCUR_QUIET"},
					Usage: "show the answer only",
				},
				runsDirFlag(&given.runsDir),
				configFlag(&given.settings),
			},
			figureFlags(&given.resultOptions),
		),
		Action: takes(&given.arguments, "", c.withOutput(&given.arguments, &given.resultOptions, func(ctx context.Context, o *output) error {
			return c.askAction(ctx, &given, o)
		}, &given.corpus, &given.history, &given.file)),
	}
}
