//go:build !windows

package server

import "golang.org/x/sys/unix"

// freeSpace returns the space that a program of this user can still write in a folder, in bytes.
func freeSpace(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil //nolint:unconvert // the types differ between systems
}
