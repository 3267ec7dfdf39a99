package baseline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/seed-5817661a/concur/runner/store"
)

// ErrNotWritten is the failure to write a changed baseline.
var ErrNotWritten = errors.New("write baseline")

// lockPatience is how long Change waits for another change, which is quick.
const lockPatience = 30 * time.Second

// Change reads a baseline file, or begins one, changes it and replaces the file. It holds a lock
// on the folder, so that of two changes at once neither undoes the other. It fails with
// store.ErrHeld if another process keeps the lock.
func Change(ctx context.Context, file string, change func(*Baseline) error) (*Baseline, error) {
	target := file
	if real, err := filepath.EvalSymlinks(file); err == nil {
		target = real
	}
	patient, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	release, err := store.LockFolder(patient, filepath.Dir(target))
	if err != nil {
		return nil, fmt.Errorf("change baseline %s: %w", file, err)
	}
	defer release() // nothing was written through it
	b, err := Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		b, err = &Baseline{}, nil
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
		return nil, fmt.Errorf("%w: %w", ErrNotWritten, err)
	}
	return b, nil
}
