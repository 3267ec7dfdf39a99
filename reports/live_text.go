package reports

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// LiveText shows what a model writes while it writes it. Its methods are safe for concurrent
// use.
type LiveText struct {
	W io.Writer

	mu   sync.Mutex
	open bool      // something was shown since the last End
	at   time.Time // when something was shown last
}

// Within reports whether something was shown within a time.
func (t *LiveText) Within(d time.Duration) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Since(t.at) < d
}

// Show shows a piece.
func (t *LiveText) Show(piece string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open, t.at = true, time.Now()
	for i, line := range strings.Split(piece, "\n") {
		if i > 0 {
			fmt.Fprintln(t.W)
		}
		fmt.Fprint(t.W, Printable(line))
	}
}

// End ends the line of what was shown, and reports whether anything was.
func (t *LiveText) End() (shown bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if shown = t.open; shown {
		fmt.Fprintln(t.W)
	}
	t.open = false
	return shown
}
