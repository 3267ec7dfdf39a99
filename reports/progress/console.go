package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/seed-5817661a/concur/reports"
)

// Console is where people see progress.
type Console struct {
	W io.Writer
	// Size of the terminal that W is, in columns and rows; nil if W is not a terminal.
	Size   func() (columns, rows int)
	Colour bool
	Quiet  bool // shows nothing but warnings
}

// SizeOf is Console.Size of w: nil if it is no terminal, or one whose cursor cannot be moved.
func SizeOf(w io.Writer) func() (columns, rows int) {
	f, is := w.(*os.File)
	if !is || !term.IsTerminal(int(f.Fd())) || !movable(f) {
		return nil
	}
	return func() (columns, rows int) {
		columns, rows, err := term.GetSize(int(f.Fd()))
		if err != nil || columns < 1 || rows < 1 {
			return 80, 24
		}
		return columns, rows
	}
}

// live shows lines that change, on a terminal; elsewhere, and if it shall be quiet, stop does nothing.
func (c Console) live(lines func(reports.Screen) []string) (print func(string), stop func()) {
	if c.Quiet || c.Size == nil {
		return func(text string) { fmt.Fprintln(c.W, text) }, func() {} // nobody is left to tell if this fails
	}
	ticker := time.NewTicker(refresh)
	t := newTerminal(c.W, c.Size, ticker.C, func(columns int) []string {
		return lines(reports.Screen{Width: columns, Colour: c.Colour})
	})
	t.draw("")
	return func(text string) {
		columns, _ := c.Size()
		t.print(strings.TrimRight(reports.Screen{Width: columns}.Fold(text), "\n"))
	}, func() { ticker.Stop(); t.close() }
}

// Bar shows how much of a piece of work is done until stop is called; off a terminal only that it begins.
func (c Console) Bar(what string) (set func(share float64), stop func()) {
	var shown atomic.Value // the share, which another goroutine draws
	shown.Store(0.0)
	_, stop = c.live(func(s reports.Screen) []string { return []string{bar(what, shown.Load().(float64), s.Width)} })
	if c.Size == nil && !c.Quiet {
		fmt.Fprintln(c.W, "concur: "+what) // nobody is left to tell if this fails
	}
	return func(share float64) { shown.Store(share) }, stop
}

// barWidth is that of a full bar, in columns.
const barWidth = 30

func bar(what string, share float64, columns int) string {
	full := int(barWidth * min(max(share, 0), 1))
	text := fmt.Sprintf("[%s%s] %3.0f %%  %s", strings.Repeat("#", full), strings.Repeat("-", barWidth-full), share*100, what)
	return reports.Screen{Width: columns}.Cut(text)
}
