package progress_test

import (
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/steerless"
	"github.com/seed-5817661a/concur/reports/progress"
)

// hostile clears a screen, sets a title, turns text round, in escapes and in C1, and begins a line of its own.
const hostile = "x\x1b[2J\x1b]0;title\x07\u009b2J\u202eabc\u2066\u200f\x85\r\b\x9bend"

// own matches what this package writes itself to move the cursor, and to colour.
var own = regexp.MustCompile(`\x1b\[\d+A\x1b\[J|\x1b\[[0-9;]*m|\r`)

type lockedText struct {
	sync.Mutex
	strings.Builder
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.Builder.Write(p)
}

// TestTextOfOthersSteersNothing: names of configurations, causes, waits and warnings, on a terminal and elsewhere.
func TestTextOfOthersSteersNothing(t *testing.T) {
	for name, size := range map[string]func() (int, int){"elsewhere": nil, "on a terminal": func() (int, int) { return 300, 50 }} {
		var w lockedText
		c := progress.Console{W: &w, Size: size, Colour: size != nil}
		r, out := began(t, c, "a"+hostile, "b")
		p := state("a"+hostile, 20)
		p.LastError = "the server says " + hostile
		r.Progress(state("a"+hostile, 0))
		r.Progress(p)
		r.Warn("the agent says " + hostile)
		r.Wait("the server says " + hostile)
		set, stop := c.Bar("simulate " + hostile)
		set(0.5)
		stop()
		c.Countdown("wait for "+hostile, time.Now().Add(time.Minute))()
		log := end(t, r, out, errors.New(hostile))
		for where, text := range map[string]string{name: own.ReplaceAllString(w.String(), ""), "run.log": log} {
			if !strings.Contains(text, "abc") {
				t.Errorf("%s: it is not there: %q", where, text)
			}
			for at, char := range text {
				if steerless.Steers(char) && char != '\n' && char != '\t' {
					t.Errorf("%s: %q passes in %q", where, char, text[max(0, at-20):at+5])
					break
				}
			}
		}
		if strings.Contains(w.String(), hostile[1:5]) || strings.Contains(w.String(), "\x9bend") {
			t.Errorf("%s: an escape passes: %q", name, w.String())
		}
	}
}
