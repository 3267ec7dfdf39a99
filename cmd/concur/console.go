package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"golang.org/x/term"

	"github.com/seed-5817661a/concur/internal/dotenv"
	"github.com/seed-5817661a/concur/internal/steerless"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/store"
)

// console holds the streams, the environment and the exit function of the process.
type console struct {
	in       io.Reader
	out, err io.Writer
	environ  assemble.Environ
	// variables are the variables of the environment, NAME=value. Values of variables with names for keys are
	// refused and hidden.
	variables []string
	exit      func(code int) // ends the process immediately
	open      error          // why others may read the keys of this process; nil if they cannot

	assembler    *assemble.Assembler
	args         []string          // of the process
	keys         []string          // which are hidden: of the environment, and of variableFile
	variableFile string            // the .env beside the configuration file; "" without such a file
	fromFile     []dotenv.Variable // its variables, also those that the environment has too
}

// countedWriter is a stream of the process. Text from other sources cannot control the terminal.
type countedWriter struct {
	io.Writer
	bytes   int
	escaped *steerless.Writer // nil if the stream is not a terminal
}

func newCountedWriter(w io.Writer) *countedWriter {
	out := &countedWriter{Writer: w}
	if f, is := w.(*os.File); is && term.IsTerminal(int(f.Fd())) {
		out.escaped = &steerless.Writer{W: w}
	}
	return out
}

func (c *countedWriter) Write(p []byte) (n int, err error) {
	if c.escaped != nil {
		n, err = c.escaped.Write(p)
	} else {
		n, err = c.Writer.Write(p)
	}
	c.bytes += n
	return n, err
}

// streamOf returns the stream of a writer, for output that moves the cursor of a terminal.
func streamOf(w io.Writer) io.Writer {
	if counted, is := w.(*countedWriter); is {
		return counted.Writer
	}
	return w
}

// Exit codes, as `concur --help` lists them.
const (
	exitOK          = 0
	exitRegression  = 1   // REGRESSION or DRIFT of a gate, a replay with other verdicts, or wrong cases of a tool
	exitUsage       = 2   // usage, configuration or dataset error
	exitInvalid     = 3   // a query without a valid trace or verdict, a damaged run, or a run that could not be written
	exitInterrupted = 130 // ended by a signal
)

// exitError is an error with an exit code.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// exitCode returns the exit code of an error:
//
//   - exitInvalid for a damaged run, or a disk that cannot be written;
//   - the code that an exitError has;
//   - for any other error, the code of a usage error, because the user can correct it before a run begins.
func exitCode(err error) int {
	if errors.Is(err, store.ErrDamaged) {
		return exitInvalid
	}
	if e, ok := errors.AsType[*exitError](err); ok {
		return e.code
	}
	return exitUsage
}

// explainDisk adds an exit code and advice to the error of a disk that cannot be written.
func explainDisk(err error) error {
	if _, explained := errors.AsType[*exitError](err); explained {
		return err
	}
	for _, disk := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO} {
		if errors.Is(err, disk) {
			return &exitError{exitInvalid, fmt.Errorf("%w; make room or a place that can be written, and try again", err)}
		}
	}
	return err
}

// confirm asks before a run that may cost more than limits.confirm_usd. It refuses a run that only a judge of
// form would decide.
func (c *console) confirm(yes bool, s *assemble.Session) error {
	if yes {
		return nil
	}
	if err := s.Draft.CheckJudges(); err != nil {
		return err
	}
	most := s.Draft.First().Limits.ConfirmUSD
	f, err := s.Draft.Forecast(nil, s.Price)
	if err != nil || most == 0 || f.Guess.USD == nil || *f.Guess.USD <= most {
		return err
	}
	what := fmt.Sprintf("this run may cost about $%.2f (%d tokens, guessed at %d turns a trace), more than "+
		"limits.confirm_usd, %.2f", *f.Guess.USD, f.Guess.Tokens, f.Guess.TurnsPerTrace, most)
	return c.ask(what, "Run it?", "add --"+flagYes+" to run it, or set a budget with --budget-usd")
}

// ask asks on a terminal whether to do something. Elsewhere it returns an error that says how to do it without
// a question. Any answer but yes is an error too.
func (c *console) ask(what, question, otherwise string) error {
	in, ok := c.in.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return usagef("%s: %s", what, otherwise)
	}
	fmt.Fprintf(c.err, "concur: %s\n%s [y/N] ", what, question)
	line, err := bufio.NewReader(in).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); err != nil || answer != "y" && answer != "yes" {
		return usagef("nothing was done")
	}
	return nil
}

// author returns the name of the user who labels an answer or changes a baseline, from the variables of the CI or from
// git.
func (c *console) author(ctx context.Context) string {
	ident, _ := gitOutput(ctx, "var", "GIT_AUTHOR_IDENT") // name <address> time zone
	name, _, found := strings.Cut(ident, "> ")
	if found {
		name += ">"
	}
	return cmp.Or(c.environ("GITHUB_ACTOR"), c.environ("GITLAB_USER_LOGIN"), name, c.environ("USER"),
		c.environ("USERNAME"), "unknown")
}
