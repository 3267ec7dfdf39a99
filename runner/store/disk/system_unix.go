//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// TryLock locks a file, and returns ErrHeld if another process has its lock.
func TryLock(f *os.File) error {
	for {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrHeld
		case errors.Is(err, unix.ENOLCK):
			return errors.ErrUnsupported
		default:
			return err
		}
	}
}

// openLockable opens the file that is locked to lock a folder. It is the folder itself.
func openLockable(dir string) (*os.File, error) { return os.Open(dir) }

// notFollowed are the flags to open a file without following a link and without waiting for the other end of
// a FIFO.
const notFollowed = unix.O_NOFOLLOW | unix.O_NONBLOCK
