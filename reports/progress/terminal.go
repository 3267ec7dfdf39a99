package progress

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// refresh is the time between two drawings.
const refresh = 150 * time.Millisecond

// terminal keeps lines at the end of a terminal up to date.
type terminal struct {
	w    io.Writer
	size func() (columns, rows int)

	mu    sync.Mutex
	lines func(columns int) []string // nil shows nothing
	drawn []string

	over  chan struct{}
	ended sync.WaitGroup
}

// newTerminal draws at every tick, until it is closed.
func newTerminal(w io.Writer, size func() (columns, rows int), ticks <-chan time.Time, lines func(columns int) []string) *terminal {
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

// print prints lines that stay, above the others.
func (t *terminal) print(text string) { t.draw(text + "\n") }

// close removes the lines.
func (t *terminal) close() {
	close(t.over)
	t.ended.Wait()
	t.mu.Lock()
	t.lines = func(int) []string { return nil }
	t.mu.Unlock()
	t.draw("")
}

// draw replaces the lines, in one write. Those that do not fit into the height are counted.
func (t *terminal) draw(above string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	columns, rows := t.size()
	lines := t.lines(columns - 1) // the cursor of some terminals waits in the last column
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
	// Nobody is left to tell if this fails; run.log has it.
	_, _ = t.w.Write(b.Bytes())
}

// taken is the number of rows that the lines drawn last take now: a terminal that was made narrower has broken them.
func (t *terminal) taken(columns int) int {
	n := 0
	for _, l := range t.drawn {
		n += max(1, (twwidth.Width(l)+columns-1)/max(1, columns))
	}
	return n
}
