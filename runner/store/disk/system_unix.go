//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

// openLockable opens the file that is locked to lock a folder. It is the folder itself.
func openLockable(dir string) (*os.File, error) { return os.Open(dir) }

// notFollowed are the flags to open a file without following a link and without waiting for the other end of
// a FIFO.
const notFollowed = unix.O_NOFOLLOW | unix.O_NONBLOCK
