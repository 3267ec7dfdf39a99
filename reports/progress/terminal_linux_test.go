package progress

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/internal/ptytest"
)

// screen is what a terminal shows that breaks its lines again when its width changes.
type screen struct {
	width int
	lines []string // without their ends
}

var upAndErase = regexp.MustCompile(`\x1b\[(\d+)A\x1b\[J`)

// shows takes what was written. The cursor is at the beginning of the line after the last.
func (s *screen) shows(written string) {
	for written != "" {
		at := upAndErase.FindStringSubmatchIndex(written)
		end := len(written)
		if at != nil {
			end = at[0]
		}
		text := strings.ReplaceAll(written[:end], "\r", "")
		s.lines = append(s.lines, strings.Split(text, "\n")...)
		s.lines = s.lines[:len(s.lines)-1] // after the last line break
		if at == nil {
			return
		}
		rows, _ := strconv.Atoi(written[at[2]:at[3]])
		s.remove(rows)
		written = written[at[1]:]
	}
}

// remove removes the last rows. A line that has more rows keeps its beginning.
func (s *screen) remove(rows int) {
	for ; rows > 0 && len(s.lines) > 0; rows-- {
		last := []rune(s.lines[len(s.lines)-1])
		s.lines = s.lines[:len(s.lines)-1]
		if rest := (len(last) - 1) / s.width * s.width; rest > 0 {
			s.lines = append(s.lines, string(last[:rest]))
		}
	}
}

// TestResize: whatever width the terminal gets, it shows what was printed, and the lines once.
func TestResize(t *testing.T) {
	p := ptytest.New(t)
	size := SizeOf(p.Program)
	if size == nil {
		t.Fatal("the terminal has no size")
	}
	p.Resize(60, 24)
	ticks, version := make(chan time.Time), 0
	lines := func(columns int) []string {
		version++
		return []string{strings.Repeat("a", columns), strings.Repeat("b", columns/2), fmt.Sprintf("version %d.", version)}
	}
	term := newTerminal(p.Program, size, ticks, lines)
	shown := &screen{width: 60}
	wide := func(columns int, above ...string) []string {
		return append(above, strings.Repeat("a", columns-1), strings.Repeat("b", (columns-1)/2), fmt.Sprintf("version %d.", version))
	}
	check := func(want []string) {
		t.Helper()
		shown.shows(p.Until(fmt.Sprintf("version %d.\r\n", version)))
		if diff := cmp.Diff(want, shown.lines); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s", shown.width, diff)
		}
	}
	term.draw("")
	check(wide(60))
	term.draw("it begins\n")
	check(wide(60, "it begins"))
	for _, columns := range []int{25, 100, 21, 20, 60} {
		p.Resize(uint16(columns), 24)
		shown.width = columns
		term.draw("")
		check(wide(columns, "it begins"))
	}
	p.Resize(60, 4) // two rows for lines
	term.draw("")
	shown.shows(p.Until("more: 1\r\n"))
	if want := []string{"it begins", strings.Repeat("a", 59), strings.Repeat("b", 29), "… lines more: 1"}; !cmp.Equal(want, shown.lines) {
		t.Errorf("a low terminal shows %q", shown.lines)
	}
	term.draw("it ends\n")
	term.close()
	fmt.Fprintln(p.Program, ".")
	shown.shows(p.Until(".\r\n"))
	if want := []string{"it begins", "it ends", "."}; !cmp.Equal(want, shown.lines) {
		t.Errorf("at the end it shows %q", shown.lines)
	}
	select {
	case ticks <- time.Time{}:
		t.Error("it still draws")
	default:
	}
}
