package progress

import (
	"os"

	"golang.org/x/sys/windows"
)

// movable switches on the commands that move a console's cursor. It reports whether the console accepts them.
func movable(f *os.File) bool {
	var mode uint32
	if err := windows.GetConsoleMode(windows.Handle(f.Fd()), &mode); err != nil {
		return false
	}
	return windows.SetConsoleMode(windows.Handle(f.Fd()), mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
