package running

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/planning"
	"github.com/seed-5817661a/concur/reports/progress"
	"github.com/seed-5817661a/concur/reports/transcript"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/assemble/provider"
	"github.com/seed-5817661a/concur/runner/questions"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

type askSession struct {
	*console.Console
	open         *assemble.Session
	folder       *store.Writer
	log          *progress.Log // writes only run.log
	talk         *questions.Conversation
	begin        datasets.Context      // context of the first question
	last         map[int][]trace.Event // events of the last question, by trace
	debug, quiet bool
	live         *transcript.LiveText
}

// ask runs the traces of one question, and shows their events on standard error.
func (a *askSession) ask(ctx context.Context, question string) (store.Record, error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	q := a.talk.Next(question)
	plan := a.open.Plan
	plan.Dataset = queries.Of(datasets.New(store.AskDataset, []datasets.Query{q}))
	shown := &questionOutput{askSession: a, begun: -1}
	a.last = map[int][]trace.Event{}
	err := plan.Run(ctx, a.folder, runner.Control{
		Clock: time.Now, Outputs: []runner.Output{shown, a.log},
	})
	rec := shown.record
	if runner.GivenUp(err) {
		return rec, console.WithCode(console.ExitInvalid, err)
	}
	if ctx.Err() != nil {
		return rec, console.WithCode(console.ExitInterrupted,
			errors.New("interrupted; what happened so far is kept in "+a.folder.Dir()))
	}
	if err == nil {
		err = a.talk.Keep(a.folder.Dir(), q, rec, transcript.Reply(rec, a.last))
	}
	return rec, err
}

// questionOutput is an output of a question's run that shows its events as they happen, and keeps them for /trace.
type questionOutput struct {
	runner.NoOutput
	*askSession
	begun  int // the trace of the last shown event
	record store.Record
}

// Event keeps an event, and shows it unless the session is quiet.
func (q *questionOutput) Event(e trace.Event) {
	q.last[e.Trace] = append(q.last[e.Trace], e)
	if q.quiet {
		return
	}
	if _, thought := e.Body.(trace.Thought); q.live.End() && thought {
		return // the text was shown while the model wrote it
	}
	if e.Trace != q.begun && q.open.Plan.Arms[0].Configuration.K > 1 {
		fmt.Fprintf(q.Err, "── trace %d\n", e.Trace)
	}
	q.begun = e.Trace
	// If standard error is closed, the error cannot be reported; the run folder has all events.
	_ = transcript.WriteLive(q.Err, e, q.debug)
}

// Record keeps the question's record.
func (q *questionOutput) Record(r store.Record) { q.record = r }

// waits prints the cause of a wait, unless the model is writing.
func (a *askSession) waits(text string) {
	a.log.Note(text)
	if !a.quiet && !a.live.Within(provider.QuietAfter) {
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
		return errors.Join(cause, console.WithCode(console.ExitInvalid, err))
	}
	if cause == nil && !a.quiet && len(a.talk.Queries) > 0 {
		fmt.Fprintf(a.Err, "kept in %s; `concur trace %s` shows it again\n", a.folder.Dir(), a.folder.Dir())
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

// maxQuestion is the maximum length of a line that is read as a question, in bytes.
const maxQuestion = 64 << 10

// session reads questions until the end of the input. A signal ends the running question or, between questions,
// the session.
func (a *askSession) session(ctx context.Context) error {
	agent := a.open.Draft.First()
	a.say("concur ask: %s, tools %s. /help lists the commands.\n",
		document.Printable(cmp.Or(agent.Agent.External.Label(), planning.ModelKind(agent.Model))),
		document.Printable(strings.Join(agent.Agent.Tools, " ")))
	if n := len(a.begin.History); n > 0 {
		a.say("The conversation goes on after %s.\n", text.Counted(n, "message"))
	}
	next := readLines(a.In)
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
			if a.debug {
				a.say("debug is on\n")
			} else {
				a.say("debug is off\n")
			}
		case line == "/trace":
			err = a.showTraces()
		case line == "/new":
			a.talk.Context = a.begin
			a.say("a new conversation begins\n")
		case strings.HasPrefix(line, "/"):
			a.say("there is no %s; /help lists the commands\n", document.Printable(line))
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
	if console.ExitCode(err) == console.ExitInterrupted {
		a.say("interrupted\n")
		return nil
	}
	if err != nil {
		return err
	}
	return transcript.WriteAnswer(a.Out, rec, a.last)
}

func (a *askSession) showTraces() error {
	if len(a.talk.Queries) == 0 {
		a.say("nothing was asked yet\n")
	}
	for i := range len(a.last) {
		if err := transcript.Write(a.Out, a.last[i][0].ID, a.last[i], false); err != nil {
			return err
		}
	}
	return nil
}

// say writes to standard error; only answers go to standard output.
func (a *askSession) say(format string, args ...any) { fmt.Fprintf(a.Err, format, args...) }

// readLines returns a function that returns the next line at each call; a signal ends the input. It reads in a
// goroutine until the input or the process ends, so that a signal can interrupt the wait.
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
			err = console.Usagef("the line is longer than %d KB: put long material into a corpus and search it", maxQuestion>>10)
		}
		end <- err
	}()
	return func() (string, error) {
		signals := console.Notified()
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
