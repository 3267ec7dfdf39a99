package main

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/runner/store"
)

// lockPatience is how long another change of the baseline, which is quick, is waited for.
const lockPatience = 30 * time.Second

// changeBaseline reads the baseline, changes and replaces it, with nobody else between: of
// two at once, the second would undo what the first has added.
func changeBaseline(ctx context.Context, file string, read func(string) (*baseline.Baseline, error), change func(*baseline.Baseline) error) (*baseline.Baseline, error) {
	at := file
	if target, err := filepath.EvalSymlinks(file); err == nil {
		at = target
	}
	patient, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	release, err := store.LockFolder(patient, filepath.Dir(at))
	if errors.Is(err, store.ErrHeld) {
		return nil, &exitError{exitInvalid, err}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("change baseline %s: there is no folder %s; make it first", file, filepath.Dir(at))
	}
	if err != nil {
		return nil, notWritten(err)
	}
	defer release() // nothing was written through it
	b, err := read(file)
	if err != nil {
		return nil, usagef("%w", err)
	}
	if err := change(b); err != nil {
		return nil, err
	}
	if err := b.Write(file); err != nil {
		return nil, &exitError{exitInvalid, err}
	}
	return b, nil
}

// baselineToChange reads the baseline, or begins one.
func baselineToChange(file string) (*baseline.Baseline, error) {
	b, err := baseline.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return &baseline.Baseline{}, nil
	}
	return b, err
}
