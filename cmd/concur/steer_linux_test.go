package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/internal/ptytest"
	"github.com/seed-5817661a/concur/internal/steerless"
)

// TestTerminalIsNotSteered: what a page, a dataset or an argument says moves no cursor and turns no text round,
// whatever prints it.
func TestTerminalIsNotSteered(t *testing.T) {
	t.Chdir(t.TempDir())
	const hostile = "height \u202edecimal\u202c \u009b2J \u2066x\u2069 \u200f end"
	if err := os.Mkdir("corpus", 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join("corpus", "tower.txt"), "The tower of Example has a "+hostile+" of 300 metres, and the tower is old.")
	write(t, "ds.yaml", "- {id: a, category: c, query: \"Is the "+strings.ReplaceAll(hostile, "\u009b", "\\x9b")+" known?\", gold: {type: text, answer: yes}}\n")
	must(t, exitOK, "run", "ds.yaml", "--quiet", "-k", "1")
	environ := func(name string) string { return map[string]string{"NO_COLOR": "1"}[name] }
	for _, args := range [][]string{
		{"tools", "call", "web_search", `{"query": "height of the tower of Example"}`, "--corpus", "corpus"},
		{"trace", "latest", "--format", "json"}, {"trace", "latest", "a"}, {"report", "latest", "--format", "json"},
		{"run", "no-such-" + hostile}, {"tools", "call", "no-" + hostile, "{}"}, {"trace", "latest", hostile + "\x1b]0;title\x07\x1b[2J"}, {"--" + hostile},
	} {
		p := ptytest.New(t)
		p.Resize(200, 50)
		go func() {
			run(append([]string{"concur"}, args...), console.Console{In: strings.NewReader(""), Out: p.Program, Err: p.Program, Environ: environ, Exit: os.Exit})
			p.Program.WriteString("all is shown\n")
		}()
		shown := p.Until("all is shown")
		if len(shown) < 20 {
			t.Errorf("%q shows %q", args, shown)
		}
		for _, r := range shown {
			if steerless.Steers(r) && r != '\n' && r != '\r' && r != '\t' {
				t.Errorf("%q prints %q in %q", args, r, shown)
				break
			}
		}
	}
}
