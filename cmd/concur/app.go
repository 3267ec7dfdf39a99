package main

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/corpus"
	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/imports"
)

// console is what a command has of this process.
type console struct {
	in       io.Reader
	out, err io.Writer
	environ  assemble.Environ
	exit     func(code int) // ends the process at once

	assembler *assemble.Assembler
}

// run is the whole command as a function: arguments and a process in, exit code out.
func run(args []string, c console) int {
	out := &countedWriter{Writer: c.out}
	c.out, c.assembler = out, assemble.New(c.environ, assemble.Build{Version: version, Commit: commit})
	app := c.app()
	failure := explainDisk(app.Run(permute(app, args)))
	if failure == nil {
		return exitOK
	}
	fmt.Fprintf(c.err, "concur: %s\n", reports.PrintableLines(failure.Error()))
	if out.bytes == 0 && wantsJSON(args, c.environ) {
		err := json.NewEncoder(out).Encode(errorDocument{"concur/error/v1", failure.Error(), exitCode(failure)})
		if err != nil {
			fmt.Fprintf(c.err, "concur: write to standard output: %v\n", err)
		}
	}
	return exitCode(failure)
}

type countedWriter struct {
	io.Writer
	bytes int
}

func (c *countedWriter) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.bytes += n
	return n, err
}

func (c *console) app() *cli.App {
	app := &cli.App{
		Name:                      "concur",
		Reader:                    c.in,
		Writer:                    c.out,
		ErrWriter:                 c.err,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
		EnableBashCompletion:      true,
		ExitErrHandler:            func(*cli.Context, error) {}, // run returns the exit code
		OnUsageError:              usageError,
		Flags:                     []cli.Flag{&cli.BoolFlag{Name: "version", Usage: "print version, commit and platform"}},
		Action: func(ctx *cli.Context) error {
			if ctx.Bool("version") {
				return c.printVersion(ctx)
			}
			if ctx.Args().Present() {
				return unknownCommand(ctx, "concur", ctx.App.Commands)
			}
			return cli.ShowAppHelp(ctx)
		},
		Commands: c.commands(),
	}
	help := readHelp()
	app.Usage, app.Description = help["concur"].usage, help["concur"].description
	help.explain("", app.Commands)
	return app
}

//go:embed commands.txt
var commandTexts string

// help is what commands.txt has, by the names of a command and those above it.
type help map[string]helpText

// helpText is the text of a command, below "# NAMES: ARGUMENTS = WHAT THEY ARE", and the lines of its
// flags by name: the usage, the default that is shown, and the variable of the environment.
type helpText struct {
	arguments, takes, usage, description string
	flags                                map[string][]string
}

var flagLine = regexp.MustCompile(`^  --(\S+) (.*?)(?: \(default: (.*)\))?(?: \[\$(\w+)\])?\n?$`)

var readHelp = sync.OnceValue(func() help {
	filled := strings.NewReplacer(
		"{{datasets}}", strings.Join(datasets.Builtin(), ", "), "{{specs}}", strings.Join(ablations.Presets(), ", "),
		"{{mappings}}", strings.Join(datasets.Mappings(), ", "), "{{differences}}", strings.Join(ablations.Hidden(), ", "),
		"{{imports}}", strings.Join(imports.Formats(), ", "), "{{passage}}", strconv.Itoa(corpus.MaxPassage),
	).Replace(commandTexts)
	out := help{}
	for section := range strings.SplitSeq(strings.TrimPrefix(filled, "# "), "\n# ") {
		heading, text, _ := strings.Cut(section, "\n")
		names, arguments, _ := strings.Cut(heading, ": ")
		arguments, takes, _ := strings.Cut(arguments, " = ")
		usage, description, _ := strings.Cut(text, "\n")
		t := helpText{strings.TrimSpace(arguments), takes, usage, "", map[string][]string{}}
		for line := range strings.Lines(description) {
			if m := flagLine.FindStringSubmatch(line); m != nil {
				t.flags[m[1]] = m[2:]
			} else {
				t.description += line
			}
		}
		t.description = strings.TrimSpace(t.description)
		out[names] = t
	}
	return out
})

// checkArguments refuses too few arguments, or too many: those in brackets may be left out, and
// one with an ellipsis repeated.
func (t helpText) checkArguments(ctx *cli.Context) error {
	required := optionalArguments.ReplaceAllString(t.arguments, "")
	least, most := len(strings.Fields(required)), len(strings.Fields(t.arguments))
	if ctx.IsSet(flagResume) { // which names the run in place of the argument
		least = 0
	}
	if strings.Contains(t.arguments, "…") {
		most = math.MaxInt
	}
	n, name := ctx.NArg(), ctx.Command.HelpName
	if n >= least && n <= most {
		return nil
	}
	takes := cmp.Or(t.takes, t.arguments, "no argument")
	if t.takes == "" && strings.HasPrefix(t.arguments, "RUN") {
		takes += fmt.Sprintf("; `%s latest` takes the newest run", name)
	}
	if n > 0 {
		takes += fmt.Sprintf(" (given: %s)", strings.Join(ctx.Args().Slice(), " "))
	}
	return usagef("%s takes %s", strings.TrimPrefix(name, "concur "), takes)
}

var optionalArguments = regexp.MustCompile(`\[.*?\]`)

// explain gives commands and flags their texts, and lets usageError report the mistakes in a command
// line. A flag without a line of its command has that of the section flags.
func (h help) explain(above string, commands []*cli.Command) {
	for _, command := range commands {
		text := h[above+command.Name]
		command.ArgsUsage, command.Usage, command.Description = text.arguments, text.usage, text.description
		command.OnUsageError = usageError
		if action := command.Action; len(command.Subcommands) == 0 || text.arguments != "" { // else they are its arguments
			command.Action = func(ctx *cli.Context) error {
				if err := text.checkArguments(ctx); err != nil {
					return err
				}
				return action(ctx)
			}
		}
		for _, f := range command.Flags {
			name, fields := f.Names()[0], reflect.ValueOf(f).Elem() // which all kinds of flags have alike
			line := text.flags[name]
			if line == nil {
				line = h["flags"].flags[name]
			}
			if line == nil || fields.FieldByName("Usage").String() != "" {
				continue
			}
			fields.FieldByName("Usage").SetString(line[0])
			if line[1] != "" {
				fields.FieldByName("DefaultText").SetString(line[1])
			}
			if line[2] != "" {
				fields.FieldByName("EnvVars").Set(reflect.ValueOf(line[2:]))
			}
		}
		h.explain(above+command.Name+" ", command.Subcommands)
	}
}

// Stamped in by the Makefile.
var (
	version = "devel"
	commit  = "unknown"
)

func (c *console) printVersion(*cli.Context) error {
	_, err := fmt.Fprintf(c.out, "concur %s (commit %s, %s, %s/%s)\n", version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// Exit codes (DESIGN.md §4).
const (
	exitOK          = 0
	exitRegression  = 1   // a gate's REGRESSION or DRIFT, or a replay with other verdicts
	exitUsage       = 2   // usage, configuration or dataset error
	exitInvalid     = 3   // a query without a valid trace, or a run that could not be written
	exitInterrupted = 130 // by a signal
)

// exitError is an error that knows its exit code.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// exitCode is the code of an error: its own, that of a disk that cannot be written, or that of a
// usage error, since the caller can mend every other failure before a run begins.
func exitCode(err error) int {
	if e, ok := errors.AsType[*exitError](err); ok {
		return e.code
	}
	return exitUsage
}

// explainDisk gives the error of a disk that cannot be written its exit code and a way out.
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
