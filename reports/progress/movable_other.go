//go:build !windows

package progress

import "os"

// movable reports whether a terminal reads the commands that move its cursor.
func movable(*os.File) bool { return true }
