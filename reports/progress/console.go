package progress

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"golang.org/x/term"

	"github.com/seed-5817661a/concur/internal/steerless"
	"github.com/seed-5817661a/concur/reports/document"
)

// Console is the terminal on which progress is shown.
type Console struct {
	W io.Writer
	// Size returns the size of the terminal W, in columns and rows; nil if W is not a terminal.
	Size   func() (columns, rows int)
	Colour bool
	Quiet  bool // print only warnings
}

// SizeOf returns the function Console.Size for w; nil if w is not a terminal, or a terminal whose cursor cannot
// be moved.
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

// live redraws lines at the bottom of a terminal until stop is called; print writes text above them. Both
// remove control characters. If W is not a terminal, or Quiet is set, no lines are shown and stop does nothing.
func (c Console) live(lines func(document.Screen) []string) (print func(string), stop func()) {
	if c.Quiet || c.Size == nil {
		return func(text string) {
			fmt.Fprintln(c.W,
				document.PrintableLines(text))
		}, func() {} // an error of the write cannot be reported
	}
	ticker := time.NewTicker(refresh)
	t := newTerminal(c.W, c.Size, ticker.C, func(columns int) []string {
		shown := lines(document.Screen{Width: columns, Colour: c.Colour})
		for i, line := range shown {
			shown[i] = strings.ReplaceAll(steerless.Text(line), "\n", " ")
		}
		return shown
	})
	t.draw("")
	return func(text string) {
		columns, _ := c.Size()
		t.draw(strings.TrimRight(document.Screen{Width: columns}.Fold(document.PrintableLines(text)), "\n") + "\n")
	}, func() { ticker.Stop(); t.close() }
}

// Bar shows the progress of some work until stop is called. what is the name of the work. set sets the share of
// the work that is done, from 0 to 1. If W is not a terminal, Bar only prints one line when the work begins.
func (c Console) Bar(what string) (set func(share float64), stop func()) {
	what = document.Printable(what)
	var shown atomic.Value // the share; another goroutine draws it
	shown.Store(0.0)
	print, stop := c.live(func(s document.Screen) []string {
		return []string{bar(what,
			shown.Load().(float64), s.Width)}
	})
	if c.Size == nil && !c.Quiet {
		print("concur: " + what)
	}
	return func(share float64) { shown.Store(share) }, stop
}

// Countdown shows the time that remains until a wait ends, until stop is called. If W is not a terminal, it
// prints one line when the wait begins.
func (c Console) Countdown(what string, until time.Time) (stop func()) {
	what = document.Printable(what)
	left := func() time.Duration { return max(0, time.Until(until)).Round(time.Second) }
	print, stop := c.live(func(s document.Screen) []string {
		return []string{s.Cut(fmt.Sprintf("%8s  %s",
			left(), what))}
	})
	if c.Size == nil && !c.Quiet {
		print(fmt.Sprintf("concur: %s: %s, until %s UTC", what, left(), until.UTC().Format("15:04:05")))
	}
	return stop
}

// barWidth is the width of a full bar, in columns.
const barWidth = 30

func bar(what string, share float64, columns int) string {
	full := int(barWidth * min(max(share, 0), 1))
	text := fmt.Sprintf("[%s%s] %3.0f %%  %s", strings.Repeat("#", full), strings.Repeat("-", barWidth-full),
		share*100, what)
	return document.Screen{Width: columns}.Cut(text)
}

// refresh is the time between two drawings.
const refresh = 150 * time.Millisecond

// terminal redraws lines at the bottom of a terminal.
type terminal struct {
	w    io.Writer
	size func() (columns, rows int)

	mu    sync.Mutex
	lines func(columns int) []string // nil if nothing is shown
	drawn []string

	over  chan struct{}
	ended sync.WaitGroup
}

// newTerminal returns a terminal that draws at every tick until it is closed.
func newTerminal(w io.Writer, size func() (columns, rows int), ticks <-chan time.Time,
	lines func(columns int) []string) *terminal {
	t := &terminal{w: w, size: size, lines: lines, over: make(chan struct{})}
	t.ended.Go(func() {
		for {
			select {
			case <-t.over:
				return
			case <-ticks:
				t.draw("")
			}
		}
	})
	return t
}

// close removes the lines from the screen.
func (t *terminal) close() {
	close(t.over)
	t.ended.Wait()
	t.mu.Lock()
	t.lines = func(int) []string { return nil }
	t.mu.Unlock()
	t.draw("")
}

// draw replaces the lines on the terminal, and prints above before them, in one write. If there are more lines
// than the terminal can show, the last line has the number of the others.
func (t *terminal) draw(above string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	columns, rows := t.size()
	lines := t.lines(columns - 1) // one less, because some terminals delay a line break after the last column
	if most := max(1, rows-2); len(lines) > most {
		lines = append(lines[:most:most], fmt.Sprintf("… lines more: %d", len(lines)-most))
	}
	if above == "" && slices.Equal(lines, t.drawn) && t.taken(columns) == len(lines) {
		return
	}
	var b bytes.Buffer
	if n := t.taken(columns); n > 0 {
		fmt.Fprintf(&b, "\x1b[%dA\x1b[J", n)
	}
	b.WriteString("\r" + above)
	if len(lines) > 0 {
		b.WriteString(strings.Join(lines, "\n") + "\n")
	}
	t.drawn = lines
	// If standard error is closed, the error cannot be reported; run.log has the same text.
	_, _ = t.w.Write(b.Bytes())
}

// taken returns the number of rows that the last lines occupy at the current width: a terminal that became
// narrower has broken them.
func (t *terminal) taken(columns int) int {
	n := 0
	for _, l := range t.drawn {
		n += max(1, (twwidth.Width(l)+columns-1)/max(1, columns))
	}
	return n
}
