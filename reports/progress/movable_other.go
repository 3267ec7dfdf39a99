//go:build !windows

package progress

import "os"

// movable reports whether the program can move the terminal's cursor.
func movable(*os.File) bool { return true }
