package interpreter

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// ReadableBy returns a function that reports whether a user can read a path, and names the first folder that it may
// not enter. It follows links. It does not know of access control lists.
func ReadableBy(uid, gid uint32) func(path string) error {
	return func(path string) error {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return fmt.Errorf("find %s: %w", path, err)
		}
		for at := "/"; ; {
			info, err := os.Stat(at)
			if err != nil {
				return err
			}
			need := os.FileMode(0o1) // enter
			switch {
			case at != real:
			case info.IsDir() || info.Mode()&0o111 != 0:
				need = 0o5
			default:
				need = 0o4
			}
			if !allows(info, uid, gid, need) {
				return fmt.Errorf("the sandbox's user cannot read %s (%s is closed to it): "+
					"run concur as a plain user, or use another path", path, at)
			}
			if at == real {
				return nil
			}
			rest := strings.TrimPrefix(strings.TrimPrefix(real, at), "/")
			next, _, _ := strings.Cut(rest, "/")
			at = filepath.Join(at, next)
		}
	}
}

// allows reports whether the permissions of a file give a user all of need, which has the bits of others.
func allows(info os.FileInfo, uid, gid uint32, need os.FileMode) bool {
	mode := info.Mode().Perm()
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		switch {
		case stat.Uid == uid:
			mode >>= 6
		case stat.Gid == gid:
			mode >>= 3
		}
	}
	return mode&need == need
}
