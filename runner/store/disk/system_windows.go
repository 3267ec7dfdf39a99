package disk

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// TryLock locks one byte far after the end of any file. On Windows, other processes cannot read a locked
// range, but they must be able to read a run while it is written.
func TryLock(f *os.File) error {
	beyond := &windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, beyond)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrHeld
	}
	return err
}

// openLockable opens the file that is locked to lock a folder. Windows cannot lock folders, so it is a
// temporary file of the user whose name depends on the folder.
func openLockable(dir string) (*os.File, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(strings.ToLower(real)))
	return os.OpenFile(filepath.Join(os.TempDir(), fmt.Sprintf("concur-%x.lock", sum[:8])),
		os.O_CREATE|os.O_RDWR, 0o600)
}

// notFollowed is 0, because Windows has no such flags. On Windows, a file is checked before and after it is
// opened.
const notFollowed = 0
