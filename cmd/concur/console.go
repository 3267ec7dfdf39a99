package main

import (
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/runner/store"
)

// console is what a command has of this process.
type console struct {
	in       io.Reader
	out, err io.Writer
	environ  assemble.Environ
	exit     func(code int) // ends the process at once

	assembler *assemble.Assembler
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

// Exit codes (DESIGN.md §4).
const (
	exitOK          = 0
	exitRegression  = 1   // a gate's REGRESSION or DRIFT, or a replay with other verdicts
	exitUsage       = 2   // usage, configuration or dataset error
	exitInvalid     = 3   // a query without a valid trace, a damaged run, or one that could not be written
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

// exitCode is the code of an error: that of a damaged run, its own, that of a disk that cannot be written, or that of a
// usage error, since the caller can mend every other failure before a run begins.
func exitCode(err error) int {
	if errors.Is(err, store.ErrDamaged) {
		return exitInvalid
	}
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
