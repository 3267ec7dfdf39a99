package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/internal/ptytest"
)

// TestTerminalShowsProgress: a table of a run, and a bar of what else takes long. Standard output
// has the result alone, and a dumb terminal gets lines.
func TestTerminalShowsProgress(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args, shows, term string
	}{
		{"run --limit 2", "configuration   done  right so far", ""},
		{"run --limit 2", "offline:reader: done 2/2, right so far", "dumb"},
		{"gate simulate --rates 5x0.9 --simulations 50", "0 %  simulate the gate on 5 queries, 50 runs for each figure", ""},
	} {
		p := ptytest.New(t)
		p.Resize(100, 30)
		environ := func(name string) string {
			return map[string]string{"TERM": c.term, "NO_COLOR": "1"}[name]
		}
		var out bytes.Buffer
		done := make(chan int)
		go func() {
			code := run(append([]string{"concur"}, strings.Fields(c.args)...), console.Console{In: strings.NewReader(""), Out: &out, Err: p.Program, Environ: environ, Exit: os.Exit})
			p.Program.WriteString("all is shown\n")
			done <- code
		}()
		shown := p.Until("all is shown")
		if code := <-done; code != exitOK || !strings.Contains(shown, c.shows) || strings.Contains(out.String(), "\x1b") || out.Len() == 0 {
			t.Errorf("%s: exit %d, shown %q", c.args, code, shown)
		}
		if moves := strings.Contains(shown, "\x1b["); moves == (c.term == "dumb") {
			t.Errorf("%s on %q: the cursor moves: %v", c.args, c.term, moves)
		}
	}
}
