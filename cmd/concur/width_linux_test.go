package main

import (
	"io"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/internal/ptytest"
)

// TestTerminalBreaksProse: on a terminal of 80 columns no line is wider; elsewhere sentences stay
// whole, so that a log can be searched.
func TestTerminalBreaksProse(t *testing.T) {
	t.Chdir(t.TempDir())
	some := someOfGold29(t)
	acceptRuns(t, some, 2)
	must(t, exitOK, "run", some, "--quiet", "--seed", "8", "--without", "calc")
	environ := func(name string) string { return map[string]string{"NO_COLOR": "1"}[name] }
	for _, args := range []string{
		"gate latest --no-confirm", "gate simulate --rates 5x0.9 --simulations 50", "trace latest", "trace latest calc-01", "doctor --no-network", "datasets list",
	} {
		p := ptytest.New(t)
		p.Resize(80, 30)
		go func() {
			run(append([]string{"concur"}, strings.Fields(args)...), console.Console{In: strings.NewReader(""), Out: p.Program, Err: io.Discard, Environ: environ, Exit: os.Exit})
			p.Program.WriteString("all is shown\n")
		}()
		shown := p.Until("all is shown")
		if len(shown) < 80 {
			t.Errorf("%s: %q", args, shown)
		}
		for l := range strings.Lines(shown) {
			if n := utf8.RuneCountInString(strings.TrimRight(l, "\r\n")); n > 80 {
				t.Errorf("%s: %d columns: %s", args, n, l)
			}
		}
	}
}
