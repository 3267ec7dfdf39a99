package process_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/process"
)

// The first line of a cause is all that tables show of it: it names the error.
func TestTailNamesTheError(t *testing.T) {
	for _, c := range []struct{ name, output, first string }{
		{"nothing", "\n", ""},
		{"one line", "out of memory\n", "; its standard error ends: out of memory"},
		{"Python", "Traceback (most recent call last):\n  File \"a.py\", line 2\n    x[\"a\"]\n    ~^^^^^\nKeyError: 'a'\n", "; its standard error says KeyError: 'a'"},
		{"a module's exception", "Traceback (most recent call last):\n  File \"a.py\"\nrequests.exceptions.ConnectionError: refused\n", "; its standard error says requests.exceptions.ConnectionError: refused"},
		{"Node", "/a.js:3\n    throw new Error(\"boom\")\n    ^\n\nError: boom\n    at Object.<anonymous> (/a.js:3:11)\n\nNode.js v20.20.2\n", "; its standard error says Error: boom"},
		{"Go", "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.main()\n\t/a.go:4 +0x1d\nexit status 2\n", "; its standard error says panic: runtime error: index out of range"},
		{"a shell", "starting\nsh: 1: foo: not found\n", "; its standard error says sh: 1: foo: not found"},
		{"no error", "loading\ndone\n", "; its standard error ends: loading"},
	} {
		log := process.NewLog(nil, "agent", c.name)
		_, _ = log.Write([]byte(c.output))
		if first, _, _ := strings.Cut(log.Tail(), "\n"); first != c.first {
			t.Errorf("%s: %q, want %q", c.name, first, c.first)
		}
	}
}
