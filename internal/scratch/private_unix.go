//go:build !windows

package scratch

import (
	"io/fs"
	"os"
	"syscall"
)

// private reports whether a folder belongs to the user of this process, and no other user can enter it.
func private(info fs.FileInfo) bool {
	system, is := info.Sys().(*syscall.Stat_t)
	return is && int(system.Uid) == os.Geteuid() && info.Mode().Perm() == 0o700
}
