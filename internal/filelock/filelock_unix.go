//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Try locks a file until f is closed. It returns ErrHeld if the file is locked, also by another opening of it in this
// process, and errors.ErrUnsupported if its file system has no locks.
func Try(f *os.File) error {
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
