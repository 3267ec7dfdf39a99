package console

import (
	"bufio"
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
	"github.com/seed-5817661a/concur/runner/assemble/provider"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

// Console holds the streams, the environment and the exit function of the process.
type Console struct {
	In       io.Reader
	Out, Err io.Writer
	Environ  provider.Environ
	// Variables are the variables of the environment, NAME=value. Values of variables with names for keys are
	// refused and hidden.
	Variables []string
	Exit      func(code int) // ends the process immediately
	Exposed   error          // why others may read the keys of this process; nil if they cannot

	Assembler    *assemble.Assembler
	Args         []string          // of the process
	Keys         []string          // which are hidden: of the environment, and of VariableFile
	VariableFile string            // the .env beside the configuration file; "" without such a file
	FromFile     []dotenv.Variable // its variables, also those that the environment has too
}

// CountedWriter is a stream of the process. Text from other sources cannot control the terminal.
type CountedWriter struct {
	io.Writer
	Bytes   int
	escaped *steerless.Writer // nil if the stream is not a terminal
}

// NewCountedWriter returns w as a stream of the process, with a count of the bytes that were written.
func NewCountedWriter(w io.Writer) *CountedWriter {
	out := &CountedWriter{Writer: w}
	if f, is := w.(*os.File); is && term.IsTerminal(int(f.Fd())) {
		out.escaped = &steerless.Writer{W: w}
	}
	return out
}

func (c *CountedWriter) Write(p []byte) (n int, err error) {
	if c.escaped != nil {
		n, err = c.escaped.Write(p)
	} else {
		n, err = c.Writer.Write(p)
	}
	c.Bytes += n
	return n, err
}

// StreamOf returns the stream of a writer, for output that moves the cursor of a terminal.
func StreamOf(w io.Writer) io.Writer {
	if counted, is := w.(*CountedWriter); is {
		return counted.Writer
	}
	return w
}

// Exit codes, as `concur --help` lists them.
const (
	ExitOK          = 0
	ExitRegression  = 1   // REGRESSION or DRIFT of a gate, a replay with other verdicts, or wrong cases of a tool
	ExitUsage       = 2   // usage, configuration or dataset error
	ExitInvalid     = 3   // a query without a valid trace or verdict, a damaged run, or a run that could not be written
	ExitInterrupted = 130 // ended by a signal
)

// exitError is an error with an exit code.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// WithCode returns an error with an exit code.
func WithCode(code int, err error) error { return &exitError{code, err} }

// Usagef returns an error with the exit code of a usage error.
func Usagef(format string, args ...any) error {
	return WithCode(ExitUsage, fmt.Errorf(format, args...))
}

// ExitCode returns the exit code of an error:
//
//   - ExitInvalid for a damaged run, or a disk that cannot be written;
//   - the code that an exitError has;
//   - for any other error, the code of a usage error, because the user can correct it before a run begins.
func ExitCode(err error) int {
	if errors.Is(err, disk.ErrDamaged) {
		return ExitInvalid
	}
	if e, ok := errors.AsType[*exitError](err); ok {
		return e.code
	}
	return ExitUsage
}

// ExplainDisk adds an exit code and advice to the error of a disk that cannot be written.
func ExplainDisk(err error) error {
	if _, explained := errors.AsType[*exitError](err); explained {
		return err
	}
	for _, disk := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO} {
		if errors.Is(err, disk) {
			return WithCode(ExitInvalid, fmt.Errorf("%w; make room or a place that can be written, and try again", err))
		}
	}
	return err
}

// Confirm asks before a run that may cost more than limits.confirm_usd. It refuses a run that only a judge of
// form would decide.
func (c *Console) Confirm(yes bool, s *assemble.Session) error {
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
	return c.Ask(what, "Run it?", "add --yes to run it, or set a budget with --budget-usd")
}

// Ask asks on a terminal whether to do something. Elsewhere it returns an error that says how to do it without
// a question. Any answer but yes is an error too.
func (c *Console) Ask(what, question, otherwise string) error {
	in, ok := c.In.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return Usagef("%s: %s", what, otherwise)
	}
	fmt.Fprintf(c.Err, "concur: %s\n%s [y/N] ", what, question)
	line, err := bufio.NewReader(in).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); err != nil || answer != "y" && answer != "yes" {
		return Usagef("nothing was done")
	}
	return nil
}
