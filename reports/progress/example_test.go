package progress_test

import (
	"os"

	"github.com/seed-5817661a/concur/reports/progress"
)

func ExampleConsole_Bar() {
	// Standard output of a test is no terminal, so only the beginning is printed.
	set, stop := progress.Console{W: os.Stdout}.Bar("simulate the gate")
	set(0.5)
	stop()
	// Output: concur: simulate the gate
}
