package disk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/seed-5817661a/concur/internal/filelock"
)

// ErrHeld means that another process is writing the run folder, or has its lock.
var ErrHeld = errors.New("another process is writing it: wait for it to end, or stop it")

// TryLock locks a file, and returns ErrHeld if another process has its lock.
func TryLock(f *os.File) error {
	err := filelock.Try(f)
	if errors.Is(err, filelock.ErrHeld) {
		return ErrHeld
	}
	return err
}

// Lock keeps other writers out while f is open; the system releases it when the process ends.
func Lock(f *os.File) error {
	switch err := TryLock(f); {
	case err == nil, errors.Is(err, ErrHeld):
		return err
	case errors.Is(err, errors.ErrUnsupported):
		return fmt.Errorf("its file system, perhaps a network file system, cannot lock files: move the runs folder to " +
			"a local disk, and name it with --runs-dir")
	default:
		return fmt.Errorf("lock %s: %w; choose a folder on a local disk with --runs-dir", f.Name(), err)
	}
}

// LockFolder waits until no other process has this lock on a folder, or until ctx is done. It does not affect
// programs that do not call LockFolder. The system releases the lock when the process ends. On a file system
// without locks it does nothing.
func LockFolder(ctx context.Context, dir string) (release func() error, err error) {
	f, err := openLockable(dir)
	if err != nil {
		return nil, fmt.Errorf("lock folder %s: %w", dir, err)
	}
	const pause = 20 * time.Millisecond
	for {
		err := TryLock(f)
		switch {
		case err == nil, errors.Is(err, errors.ErrUnsupported):
			return f.Close, nil
		case !errors.Is(err, ErrHeld):
			return nil, errors.Join(fmt.Errorf("lock folder %s: %w", dir, err), f.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("lock folder %s: %w", dir, ErrHeld), f.Close())
		case <-time.After(pause):
		}
	}
}
