package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/runner/store"
)

// lockPatience is how long another change of the baseline, which is quick, is waited for.
const lockPatience = 30 * time.Second

// changeBaseline reads the baseline, or begins one, changes and replaces it, with nobody else
// between: of two at once, the second would undo what the first has added.
func changeBaseline(ctx context.Context, file string, change func(*baseline.Baseline) error) (*baseline.Baseline, error) {
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
	if err != nil {
		return nil, notWritten(fmt.Errorf("change baseline %s: %w", file, err))
	}
	defer release() // nothing was written through it
	b, err := baseline.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		b, err = &baseline.Baseline{}, nil
	}
	if err == nil {
		err = change(b)
	}
	if err != nil || len(b.Runs) == 0 {
		return b, err
	}
	raw, err := b.Encode()
	if err == nil {
		err = store.Deliver(file, raw)
	}
	if err != nil {
		return nil, &exitError{exitInvalid, fmt.Errorf("write baseline: %w", err)}
	}
	return b, nil
}
