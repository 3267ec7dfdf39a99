package store

import (
	"errors"
	"fmt"
	"os"
)

// errHeld is what tryLock gives where another process has the lock.
var errHeld = errors.New("held")

// lock keeps a second writer out for as long as f is open; the system releases it when
// the process ends, however it ends.
func lock(f *os.File) error {
	switch err := tryLock(f); {
	case err == nil:
		return nil
	case errors.Is(err, errHeld):
		return errors.New("another process is writing it: wait for it to end, or stop it")
	case errors.Is(err, errors.ErrUnsupported):
		return fmt.Errorf("its file system cannot lock files, as some network file systems: move the runs folder to a local disk, and name it with --runs-dir")
	default:
		return fmt.Errorf("lock %s: %w; a local disk, named with --runs-dir, can be locked", f.Name(), err)
	}
}
