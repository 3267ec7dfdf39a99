package main

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"

	"github.com/seed-5817661a/concur/reports"
)

// usualWidth is that of what is no terminal: a file, a pipe, the log of a CI job.
const usualWidth = 80

// screenOf is what tables are set for: the width that COLUMNS names, else the terminal's, and
// colours on a terminal only, unless NO_COLOR is set (https://no-color.org).
func screenOf(w io.Writer, environ func(string) string) reports.Screen {
	if counted, is := w.(*countedWriter); is {
		w = counted.Writer
	}
	s := reports.Screen{Width: usualWidth}
	if isTerminal(w) {
		s.Colour = environ("NO_COLOR") == "" && environ("TERM") != "dumb"
		if columns, _, err := term.GetSize(int(w.(*os.File).Fd())); err == nil && columns > 0 {
			s.Width = columns
		}
	}
	if columns, err := strconv.Atoi(environ("COLUMNS")); err == nil && columns > 0 {
		s.Width = columns
	}
	return s
}
