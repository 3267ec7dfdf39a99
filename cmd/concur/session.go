package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/seed-5817661a/concur/reports"
)

const sessionHelp = `Type a question, or:
  /debug   show more, or less: observations as they came, every decision of a guard
  /trace   show the last question's traces again, in full
  /help    this list
  /exit    end the session; so does the end of the input
`

// maxQuestion is the length of a line that is read as a question, in bytes.
const maxQuestion = 64 << 10

// session reads questions until the end of the input. A signal ends the question at work, or
// between questions the session.
func (a *askSession) session(ctx context.Context) error {
	a.say("concur ask: %s, tools %s. /help lists the commands.\n", reports.Printable(reports.ModelKind(a.open.Draft.First().Model)), reports.Printable(strings.Join(a.open.Draft.First().Agent.Tools, " ")))
	lines := readLines(a.in)
	for {
		a.say("> ")
		line, err := a.next(lines)
		if errors.Is(err, io.EOF) {
			a.say("\n")
			return nil
		}
		if err != nil {
			return err
		}
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case line == "/exit" || line == "/quit":
			return nil
		case strings.HasPrefix(line, "/"):
			if err := a.command(line); err != nil {
				return err
			}
		default:
			if err := a.turn(ctx, line); err != nil {
				return err
			}
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

func (a *askSession) command(line string) error {
	switch line {
	case "/help":
		a.say("%s", sessionHelp)
	case "/debug":
		a.debug = !a.debug
		a.say("debug is %s\n", map[bool]string{true: "on", false: "off"}[a.debug])
	case "/trace":
		return a.showTraces()
	default:
		a.say("there is no %s; /help lists the commands\n", reports.Printable(line))
	}
	return nil
}

func (a *askSession) showTraces() error {
	if len(a.questions) == 0 {
		a.say("nothing was asked yet\n")
		return nil
	}
	for i := range len(a.last) {
		events := a.last[i]
		if err := reports.Transcript(a.out, events[0].ID, events, false); err != nil {
			return err
		}
	}
	return nil
}

// say writes to standard error; only answers go to standard output.
func (a *askSession) say(format string, args ...any) { fmt.Fprintf(a.err, format, args...) }

// inputLine is a line that was read, or the error of reading it.
type inputLine struct {
	line string
	err  error
}

// readLines reads in a goroutine of its own, so that a signal can interrupt the wait for a line.
// The goroutine ends with the input, or with the process.
func readLines(in io.Reader) <-chan inputLine {
	lines := make(chan inputLine)
	go func() {
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, maxQuestion)
		for scanner.Scan() {
			lines <- inputLine{line: scanner.Text()}
		}
		err := scanner.Err()
		switch {
		case errors.Is(err, bufio.ErrTooLong):
			err = usagef("the line is longer than %d KB: put long material into a corpus and search it", maxQuestion>>10)
		case err == nil:
			err = io.EOF
		}
		lines <- inputLine{err: err}
	}()
	return lines
}

func (a *askSession) next(lines <-chan inputLine) (string, error) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	select {
	case t := <-lines:
		return t.line, t.err
	case <-signals:
		return "", io.EOF
	}
}
