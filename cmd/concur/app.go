package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/reports"
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
	about := readManual().sections["concur"]
	return &cli.App{
		Name:                      "concur",
		Usage:                     about.usage,
		Description:               about.description,
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
