//go:build peers

package peers

import (
	"bufio"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

const (
	serveKey    = "a key for the loopback"
	servedModel = "offline:reader"
)

// testClients runs the vendors' own clients against concur serve.
func testClients(t *testing.T, b bench) {
	base := b.start(t, regexp.MustCompile(`at (http://127\.0\.0\.1:\d+)/v1$`), []string{"CONCUR_SERVE_KEY=" + serveKey},
		b.concur, "serve", "--model", servedModel, "--addr", "127.0.0.1:0")
	t.Run("openai", func(t *testing.T) { b.script(t, "openai.mjs", base+"/v1", serveKey, servedModel) })
	t.Run("anthropic", func(t *testing.T) { b.script(t, "anthropic.mjs", base, serveKey, servedModel) })
}

// script runs a script of cases and makes each a test of its own.
func (b bench) script(t *testing.T, name string, args ...string) {
	stdout, stderr, code := b.run(t, nil, b.node, append([]string{name}, args...)...)
	cases, whole := 0, false
	for lines := bufio.NewScanner(strings.NewReader(stdout)); lines.Scan(); {
		var c struct{ Name, Status, Detail string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Errorf("%s printed %q: %v", name, lines.Text(), err)
			continue
		}
		if c.Status == "done" {
			whole = true
			continue
		}
		cases++
		t.Run(c.Name, func(t *testing.T) {
			if c.Status != "pass" {
				t.Error(c.Detail)
			}
		})
	}
	if !whole || code != 0 || cases == 0 || stderr != "" {
		t.Errorf("%s ran %d cases and ended with %d:\n%s", name, cases, code, stderr)
	}
}
