package main

import (
	"errors"
	"fmt"
	"syscall"
)

// Exit codes (DESIGN.md §4).
const (
	exitOK          = 0
	exitRegression  = 1   // a gate that found something, or a replay whose verdicts are others
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

// exitCode is the code of an error: its own, or that of a usage error, since whatever
// comes up before a run begins can be mended by the caller.
func exitCode(err error) int {
	if e, ok := errors.AsType[*exitError](err); ok {
		return e.code
	}
	return exitUsage
}

// notWritten is the failure to begin writing a folder: of the disk, or of what was asked.
func notWritten(err error) error {
	for _, disk := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO} {
		if errors.Is(err, disk) {
			return &exitError{exitInvalid, fmt.Errorf("%w; make room or a place that can be written, and try again", err)}
		}
	}
	return usagef("%w", err)
}
